// The same with AVX2: masked vectors.
// REQUIRES: avx2
// RUN: %clang -O2 -I%abi -c %inputs/stub-runtime.c -o %t.stub.o
// RUN: %clang -O1 -ffp-contract=off -c %inputs/kernels.c -o %t.plain.o
// RUN: %clang -O1 -c %inputs/kernels-driver.c -o %t.driver.o
// RUN: %clang -O3 -mavx2 -ffp-contract=off -DCHECKED -fplugin=%plugin -c %inputs/kernels.c -o %t.checked.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.checked.o -o %t && %limit %t | FileCheck %s
// CHECK: all kernels agree
// CHECK-NEXT: slow paths were taken
