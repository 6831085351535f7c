// Regions at the bottom of a deep recursion with large frames, longjmp back over frames that
// started regions, exit() from deep inside with a handler.
#include "../report.h"
#include <omp.h>
#include <setjmp.h>
#include <string.h>
static jmp_buf back;
static long results[40];
__attribute__((noinline)) static long deep(int n, char *above) {
  char frame[1500];
  memset(frame, n & 127, sizeof frame);
  frame[7] = above ? (char)(above[7] + 1) : 0;
  if (n % 500 == 0) {
    long s = 0;
#pragma omp parallel reduction(+ : s)
    {
      for (int i = 0; i < 1500; i++)
        if (i != 7)
          s += frame[i];
      if (omp_get_thread_num() == 0 && above)
        above[9] = 55;
    }
    results[n / 500] = s;
    if (n == 0)
      longjmp(back, 3);
  }
  const long r = deep(n - 1, frame);
  return r + frame[9];
}
static void last(void) {
  long n = 0;
#pragma omp parallel reduction(+ : n)
  n += results[2] / 1499;
  if (n != (long)omp_get_max_threads() * omp_get_max_threads() * (1000 & 127))
    _Exit(7);
}
static void leave(int n) {
  volatile char c[3000];
  c[n] = 1;
  if (n == 0)
    exit(finish());
  leave(n - 1);
  c[n] = 2;
}
int main(void) {
  atexit(last);
  int threads = omp_get_max_threads();
  for (int r = 0; r < 3; r++) {
    int code = setjmp(back);
    if (code == 0)
      deep(3000, NULL);
    else
      expectInteger("code", r, 3, code);
    for (int k = 0; k <= 6; k++) {
      expectInteger("frame", k, 1499L * threads * (k * 500 & 127), results[k]);
      results[k] = k == 2 ? results[k] : 0;
    }
  }
  leave(500);
}
