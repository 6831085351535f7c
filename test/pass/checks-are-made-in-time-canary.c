// The tests of checks on protected memory can fail: code without checks, code whose permissions outlast a
// synchronisation point, a copy of a loop without checks of an object that is not valid, and one that takes too
// much of an object, or what holds several sections, for readable, or knows less of an object than it accesses, are found out.
// RUN: %clang -O2 -I%abi -c %inputs/stub-runtime.c -o %t.stub.o
// RUN: %clang -O1 -ffp-contract=off -c %inputs/kernels.c -o %t.plain.o
// RUN: %clang -O1 -c %inputs/kernels-driver.c -o %t.driver.o
// RUN: %clang -O1 -ffp-contract=off -DCHECKED -c %inputs/kernels.c -o %t.unchecked.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.unchecked.o -o %t.1
// RUN: not %limit %t.1 2>&1 | FileCheck %s --check-prefix=UNCHECKED
// RUN: %clang -O1 -ffp-contract=off -DCHECKED -S -emit-llvm %inputs/kernels.c -o - | sed "s/^declare void @stubSynchronise() local_unnamed_addr/& nosync/" | %opt -passes=ompdsm -o %t.believing.bc
// RUN: %clang -O1 -c %t.believing.bc -o %t.believing.o
// RUN: %clang %t.stub.o %t.plain.o %t.driver.o %t.believing.o -o %t.2
// RUN: not %limit %t.2 2>&1 | FileCheck %s --check-prefix=BELIEVING
// RUN: %clang -O2 -I%abi -DLYING -c %inputs/stub-runtime.c -o %t.lying.o
// RUN: %clang -O2 -ffp-contract=off -DCHECKED -fplugin=%plugin -c %inputs/kernels.c -o %t.checked.o
// RUN: %clang %t.lying.o %t.plain.o %t.driver.o %t.checked.o -o %t.3
// RUN: not %limit %t.3 2>&1 | FileCheck %s --check-prefix=LYING
// RUN: %clang -O2 -I%abi -DLYING_OF_RUNS -c %inputs/stub-runtime.c -o %t.runs.o
// RUN: %clang %t.runs.o %t.plain.o %t.driver.o %t.checked.o -o %t.4
// RUN: not %limit %t.4 2>&1 | FileCheck %s --check-prefix=RUNS
// RUN: %clang -O2 -I%abi -DLYING_OF_HULLS -c %inputs/stub-runtime.c -o %t.hulls.o
// RUN: %clang %t.hulls.o %t.plain.o %t.driver.o %t.checked.o -o %t.5
// RUN: not %limit %t.5 2>&1 | FileCheck %s --check-prefix=HULLS
// RUN: %clang -O2 -I%abi -DLYING_OF_PARTS -c %inputs/stub-runtime.c -o %t.parts.o
// RUN: %clang %t.parts.o %t.plain.o %t.driver.o %t.checked.o -o %t.6
// RUN: not %limit %t.6 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: {{stub runtime: a write without a check|wrong at byte}}
// HULLS: {{stub runtime: a write without a check|wrong at byte}}
// RUNS: kernel {{.*}}wrong at byte
// LYING: {{stub runtime: a write without a check|wrong at byte}}
// UNCHECKED: triad
// UNCHECKED: stub runtime: a write without a check
// BELIEVING: {{^}}synchronising
// BELIEVING-NOT: {{^}}atomics
// BELIEVING: {{stub runtime: a write without a check|wrong at byte}}
