// Variables that nobody writes, or that no longer exist, take no shared memory.
// RUN: %clang -O2 -fplugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// CHECK-NOT: ompdsm_
// CHECK: ret i32
static int neverWritten[3] = {1, 2, 3};
static int unused = 5;
int read(int i) { return neverWritten[i]; }
