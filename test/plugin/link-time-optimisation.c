// What is compiled for link-time optimisation works when linked with it, at compile time instrumented or in the linker.
// REQUIRES: lld
// RUN: %clang -I%abi -c %abi/../image/image.S -o %t.image.o
// RUN: %clang -O2 -flto=thin -fplugin=%plugin -c %s -o %t.thin.o
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -shared %t.thin.o %t.image.o -o %t.thin.so && llvm-objdump -d %t.thin.so | FileCheck %s
// RUN: %clang -O2 -flto=full -fplugin=%plugin -c %s -o %t.full.o
// RUN: %clang -O2 -flto=full -fuse-ld=lld -shared %t.full.o %t.image.o -o %t.full.so && llvm-objdump -d %t.full.so | FileCheck %s
// RUN: %clang -O2 -flto=thin -c %s -o %t.plain.o
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -shared %t.plain.o %t.image.o -o %t.plain.so && llvm-objdump -d %t.plain.so | FileCheck %s
// RUN: %clang -O2 -flto=full -c %s -o %t.plain.o
// RUN: %clang -O2 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -shared %t.plain.o %t.image.o -o %t.plain.so && llvm-objdump -d %t.plain.so | FileCheck %s
// CHECK-LABEL: <read>:
// CHECK: call{{.*}}<__ompdsm_read_miss>
int read(const int *p) { return *p; }
