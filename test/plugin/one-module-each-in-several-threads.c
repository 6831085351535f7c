// The linker runs the plugin on several modules at once.
// REQUIRES: lld
// RUN: %python -c "for i in range(12): open(r'%t.%%d.c' % i, 'w').write('int read%%d(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i] * %%d; return s; }' % (i, i + 2))"
// RUN: %clang -O2 -flto=thin -fuse-ld=lld -Wl,--thinlto-jobs=8 -Wl,--load-pass-plugin=%plugin -shared -o %t.so %t.0.c %t.1.c %t.2.c %t.3.c %t.4.c %t.5.c %t.6.c %t.7.c %t.8.c %t.9.c %t.10.c %t.11.c
// RUN: llvm-objdump -d %t.so | grep -c "call.*__ompdsm_loop_read" | FileCheck %s
// CHECK: {{^(1[2-9]|[2-9][0-9]|[1-9][0-9][0-9]+)$}}
