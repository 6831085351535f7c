// Function pointers in tables, computed goto, switch tables, inline assembly on registers,
// _Generic, _Atomic, restrict, volatile, statement expressions, nested switch, Duff's device.
#include "../report.h"
#include <omp.h>
#include <stdatomic.h>
#include <string.h>
enum { N = 400 };
typedef long (*Op)(long, long);
static long add(long a, long b) { return a + b; }
static long sub(long a, long b) { return a - b; }
static long mul(long a, long b) { return a * b; }
static long rev(long a, long b) { return b - a; }
static Op table[4] = {add, sub, mul, rev};
static struct Vm {
  unsigned char code[64];
  long stack[32];
  long result;
  Op *ops;
} vm[N];
static _Atomic long done;
static _Atomic(struct Vm *) last;
static volatile long vol[N];
static long x[N], y[N];
static long run(struct Vm *v) {
  static const void *const labels[] = {&&push, &&op, &&dup, &&end};
  const unsigned char *pc = v->code;
  long *sp = v->stack;
  goto *labels[*pc++];
push:
  *sp++ = *pc++;
  goto *labels[*pc++];
op:
  sp--;
  sp[-1] = v->ops[*pc++](sp[-1], sp[0]);
  goto *labels[*pc++];
dup:
  sp[0] = sp[-1];
  sp++;
  goto *labels[*pc++];
end:
  return sp[-1];
}
static void axpy(long n, long *restrict to, const long *restrict from) {
  for (long i = 0; i < n; i++)
    to[i] += 3 * from[i];
}
static int kind(int c) {
  switch (c % 37) {
  case 0:
    return 5;
  case 1:
  case 2:
    return 7;
  case 3:
    return 9;
  case 11:
    return 1;
  case 12:
    return 2;
  case 13:
    return 8;
  case 30 ... 36:
    return 4;
  default:
    return 0;
  }
}
static void duff(char *to, const char *from, int n) {
  int k = (n + 3) / 4;
  switch (n % 4) {
  case 0:
    do {
      *to++ = *from++;
    case 3:
      *to++ = *from++;
    case 2:
      *to++ = *from++;
    case 1:
      *to++ = *from++;
    } while (--k > 0);
  }
}
static char from[N * 13], to[N * 13];
int main(void) {
  long kinds = 0, want = 0;
#pragma omp parallel reduction(+ : kinds)
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      unsigned char c[] = {0, (unsigned char)i, 2, 1, 2, 0, 3, 1, (unsigned char)(i % 4), 3};
      memcpy(vm[i].code, c, sizeof c);
      vm[i].ops = table;
      x[i] = i;
      y[i] = 1;
      for (int k = 0; k < 13; k++)
        from[i * 13 + k] = (char)(i + k);
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      struct Vm *v = &vm[i];
      v->result = run(v);
      done += 1;
      atomic_store(&last, v);
      long in = v->result, out;
      __asm__ volatile("leaq 5(%1), %0" : "=r"(out) : "r"(in));
      vol[i] = out;
      vol[i] += 1;
      kinds += kind(i);
      duff(to + i * 13, from + i * 13, 13);
      v->stack[31] = _Generic(v->result, long: 1, int: 2, default: 3) + ({
                       long q = v->stack[0];
                       q * 0;
                     });
    }
#pragma omp for schedule(static, 7)
    for (int i = 0; i < N / 20; i++)
      axpy(20, x + i * 20, y + i * 20);
    for (int i = 0; i < N; i++) {
      const long c = (unsigned char)i, r = table[i % 4](c * c, 3);
      expectInteger("vm", i, r, vm[i].result);
      expectInteger("asm", i, r + 6, vol[i]);
      expectInteger("generic", i, 1, vm[i].stack[31]);
      expectInteger("axpy", i, i + 3, x[i]);
      expectInteger("duff", i, (char)(i + 12), to[i * 13 + 12]);
    }
    expectInteger("done", 0, N, done);
    expectInteger("last", 0, 1, atomic_load(&last) >= vm && atomic_load(&last) < vm + N);
#pragma omp barrier
#pragma omp single
    table[0] = mul;
    expectInteger("changed table", 0, 12, table[0](3, 4));
  }
  for (int i = 0; i < N; i++)
    want += kind(i);
  expectInteger("kinds", 0, want, kinds);
  return finish();
}
