// Loaded in both ways at once, the plugin runs once.
// RUN: %clang -O0 -fplugin=%plugin -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fplugin=%plugin -fpass-plugin=%plugin -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 -fplugin=%plugin -fpass-plugin=%plugin -fplugin-arg-ompdsm-report -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: %clang -O2 -fplugin=%plugin -fpass-plugin=%plugin -fplugin-arg-ompdsm-report -fplugin-arg-ompdsm-no-eliminate -S -emit-llvm %s -o - 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.txt
// RUN: %clang -O2 -fplugin=%plugin -fpass-plugin=%plugin -DWARN -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ONCE
// CHECK: call preserve_mostcc void @__ompdsm_read_miss
// CHECK-NOT: call {{.*}}_miss
// CHECK: ret i32
// CHECK-NOT: ompdsm-options
// REPORT: instrumentation report
// REPORT-NEXT: read: inserted 1 read checks
// REPORT-NOT: report
// ONCE: 'elsewhere' is in section
// ONCE-NOT: 'elsewhere' is in section
#if __OMPDSM__ != 1
#error the plugin does not define __OMPDSM__
#endif
int read(const int *p) { return *p; }
#ifdef WARN
int elsewhere __attribute__((section("mine"))) = 3;
#endif
