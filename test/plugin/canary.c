// The tests of this directory can fail: without the plugin nothing is instrumented, and FileCheck says so.
// RUN: %clang -O1 -S -emit-llvm %s -o - | not FileCheck %s
// CHECK: @__ompdsm_read_miss
int read(const int *p) { return *p; }
