// The same with AVX-512: gathers, scatters, expanding loads, compressing stores.
// REQUIRES: avx512f
// RUN: %clang -O2 -I%abi -c %inputs/stub-runtime.c -o %t.stub.o
// RUN: %clang -O1 -ffp-contract=off -c %inputs/kernels.c -o %t.plain.o
// RUN: %clang -O1 -c %inputs/kernels-driver.c -o %t.driver.o
// RUN: %clang -O1 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512 -ffp-contract=off -DCHECKED -fplugin=%plugin -c %inputs/kernels.c -o %t.checked.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.checked.o -o %t && %limit %t | FileCheck %s
// RUN: %clang -O3 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512 -ffp-contract=off -DCHECKED -fplugin=%plugin -c %inputs/kernels.c -o %t.checked.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.checked.o -o %t && %limit %t | FileCheck %s
// CHECK: all kernels agree
// CHECK-NEXT: slow paths were taken
