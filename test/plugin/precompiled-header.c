// Precompiled headers, preprocessing alone and dependency files work as without the plugin.
// RUN: echo "static int twice(const int *p) { return 2 * *p; }" > %t.h
// RUN: %clang -O1 -fplugin=%plugin -x c-header %t.h -o %t.pch
// RUN: %clang -O1 -fplugin=%plugin -include-pch %t.pch -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -fplugin=%plugin -E -DPLAIN %s | FileCheck %s --check-prefix=TEXT
// RUN: %clang -fplugin=%plugin -MMD -MF %t.d -DPLAIN -c %s -o %t.o && FileCheck %s --check-prefix=DEPENDENCIES < %t.d
// CHECK: call {{.*}}@__ompdsm_read_miss
// TEXT: int use(const int *p)
// DEPENDENCIES: precompiled-header.c
// DEPENDENCIES-NOT: .h
#ifdef PLAIN
#define twice(p) (*(p))
#endif
int use(const int *p) { return twice(p); }
