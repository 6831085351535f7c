// With -fpass-plugin= the passes run, and the arguments arrive, although -save-temps compiles in several steps.
// RUN: rm -rf %t && mkdir %t
// RUN: cd %t && %clang -O2 -save-temps -fpass-plugin=%plugin -c %s -o out.o
// RUN: llvm-objdump -dr %t/out.o | FileCheck %s
// RUN: cd %t && %clang -O2 -save-temps -fpass-plugin=%plugin -fplugin-arg-ompdsm-no-eliminate -c %s -o all.o
// RUN: llvm-objdump -dr %t/all.o | FileCheck %s --check-prefix=ALL
// CHECK: __ompdsm_write_miss
// CHECK-NOT: _miss
// ALL: __ompdsm_{{read|write}}_miss
// ALL: __ompdsm_{{read|write}}_miss
// ALL-NOT: _miss
void increment(int *p) { ++*p; }
