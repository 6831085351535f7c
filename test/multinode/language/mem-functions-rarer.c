// memmem, memrchr, rawmemchr, memccpy, swab, explicit_bzero on data of other threads.
#include "../report.h"
#include <omp.h>
#include <string.h>
#include <unistd.h>
enum { N = 96, L = 700 };
static char t[N][L], u[N][L], w[N][L], x[N][L];
int main(void) {
#pragma omp parallel
  for (int round = 0; round < 2; round++) {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      memset(t[i], 'a', L - 1);
      memcpy(t[i] + 300 + i, "needle", 6);
      t[i][600] = round ? 'x' : 'y';
      t[i][650] = 'z';
      memset(x[i], 9, L);
    }
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N; i++) {
      char *p = memmem(t[i], L, "needle", 6);
      expectInteger("memmem", i, 300 + i, p ? p - t[i] : -1);
      p = memrchr(t[i], round ? 'x' : 'y', L);
      expectInteger("memrchr", i, 600, p ? p - t[i] : -1);
      p = rawmemchr(t[i], 'z');
      expectInteger("rawmemchr", i, 650, p - t[i]);
      memset(u[i], 0, L);
      p = memccpy(u[i], t[i], round ? 'x' : 'y', L);
      expectInteger("memccpy", i, 601, p ? p - u[i] : -1);
      swab(t[i], w[i], L);
      explicit_bzero(x[i] + 1, L - 2);
    }
#pragma omp for schedule(static, 7)
    for (int i = 0; i < N; i++) {
      expectInteger("copied", i, 0, memcmp(u[i], t[i], 601));
      expectInteger("rest", i, 0, u[i][601]);
      expectInteger("swab", i, t[i][600], w[i][601]);
      expectInteger("swab", i, t[i][301 + i], w[i][(301 + i) ^ 1]);
      expectInteger("zero", i, 9, x[i][0]);
      expectInteger("zero", i, 0, x[i][1]);
      expectInteger("zero", i, 9, x[i][L - 1]);
    }
  }
  return finish();
}
