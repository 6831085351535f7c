// VLAs, alloca, large arrays on workers' stacks, deep recursion, shared with the other threads by
// address.
#include "../report.h"
#include <alloca.h>
#include <omp.h>
#include <string.h>
static int *vla[16], *al[16];
static char *big[16];
__attribute__((noinline)) static long deep(int n, long *up) {
  volatile long here[4] = {n, n, n, *up};
  if (n == 0)
    return here[3];
  long x = here[3] + 1;
  return deep(n - 1, &x) + here[1] - n;
}
static long sum2(int r, int c, int (*m)[c]) {
  long s = 0;
  for (int i = 0; i < r; i++)
    for (int k = 0; k < c; k++)
      s += m[i][k];
  return s;
}
int main(void) {
#pragma omp parallel
  {
    const int me = omp_get_thread_num(), n = omp_get_num_threads(), size = 100 + 37 * me;
    int v[size];
    int *a = alloca(size * sizeof(int));
    char block[1 << 20];
    int m[me + 2][size];
    for (int i = 0; i < size; i++) {
      v[i] = me * 1000 + i;
      a[i] = -i;
    }
    for (int i = 0; i < me + 2; i++)
      for (int k = 0; k < size; k++)
        m[i][k] = me;
    memset(block, me + 1, sizeof block);
    vla[me] = v;
    al[me] = a;
    big[me] = block;
    long start = me;
    expectInteger("deep", me, 10000 + me, deep(10000, &start));
    expectInteger("2d", me, (me + 2) * size * me, sum2(me + 2, size, m));
#pragma omp barrier
    for (int o = 0; o < n; o++) {
      const int s = 100 + 37 * o;
      expectInteger("vla", o, o * 1000 + s - 1, vla[o][s - 1]);
      expectInteger("alloca", o, -(s - 1), al[o][s - 1]);
      for (int i = 0; i < 1 << 20; i += 4099)
        expectInteger("block", i, o + 1, big[o][i]);
    }
#pragma omp barrier
    const int to = (me + 1) % n;
    vla[to][50] = 7 + me;
    memset(big[to] + 1000, 99, 5000);
    al[to][3] = me;
#pragma omp barrier
    const int from = (me + n - 1) % n;
    expectInteger("written vla", me, 7 + from, v[50]);
    expectInteger("written block", me, 99, block[5999]);
    expectInteger("rest", me, me + 1, block[6000]);
    expectInteger("written alloca", me, from, a[3]);
    {
      static long total;
#pragma omp for reduction(+ : total)
      for (int i = 0; i < 64; i++) {
        int w[i + 1];
        for (int k = 0; k <= i; k++)
          w[k] = k;
        total += w[i];
      }
      expectInteger("total", 0, 64 * 63 / 2, total);
    }
  }
  return finish();
}
