// Programs that run on protected memory ask for every line before they access it, at every level.
// RUN: %clang -O2 -I%abi -c %inputs/stub-runtime.c -o %t.stub.o
// RUN: %clang -O1 -ffp-contract=off -c %inputs/kernels.c -o %t.plain.o
// RUN: %clang -O1 -c %inputs/kernels-driver.c -o %t.driver.o
// RUN: %clang -O0 -ffp-contract=off -DCHECKED -fplugin=%plugin -c %inputs/kernels.c -o %t.checked.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.checked.o -o %t && %limit %t | FileCheck %s
// RUN: %clang -O1 -ffp-contract=off -DCHECKED -fplugin=%plugin -c %inputs/kernels.c -o %t.checked.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.checked.o -o %t && %limit %t | FileCheck %s
// With looks for other nodes, which another node always wants: they change nothing.
// RUN: env OMPDSM_PASS_OPTIONS= %clang -O2 -ffp-contract=off -DCHECKED -fplugin=%plugin -c %inputs/kernels.c -o %t.checked.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.checked.o -o %t && %limit %t | FileCheck %s
// RUN: env OMPDSM_PASS_OPTIONS= %clang -O3 -ffp-contract=off -DCHECKED -fplugin=%plugin -c %inputs/kernels.c -o %t.checked.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.checked.o -o %t && %limit %t | FileCheck %s
// CHECK: all kernels agree
// CHECK-NEXT: slow paths were taken
