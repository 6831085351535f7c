// What is compiled for link-time optimisation works when linked with it, at compile time instrumented or in the linker.
// REQUIRES: lld
// RUN: %clang -O2 -flto=thin -fplugin=%plugin -c %s -o %t.thin.o
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -shared %t.thin.o -o %t.thin.so && llvm-nm %t.thin.so | FileCheck %s
// RUN: %clang -O2 -flto=full -fplugin=%plugin -c %s -o %t.full.o
// RUN: %clang -O2 -flto=full -fuse-ld=lld -shared %t.full.o -o %t.full.so && llvm-nm %t.full.so | FileCheck %s
// RUN: %clang -O2 -flto=thin -c %s -o %t.plain.o
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -shared %t.plain.o -o %t.plain.so && llvm-nm %t.plain.so | FileCheck %s
// RUN: %clang -O2 -flto=full -c %s -o %t.plain.o
// RUN: %clang -O2 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -shared %t.plain.o -o %t.plain.so && llvm-nm %t.plain.so | FileCheck %s
// CHECK: U __ompdsm_read_miss
int read(const int *p) { return *p; }
