// SSE intrinsics: loads, unaligned and masked stores, streaming stores with a fence, on shared
// arrays.
#include "../report.h"
#include <immintrin.h>
#include <omp.h>
enum { N = 4096 };
static float a[N] __attribute__((aligned(64))), b[N + 8], c[N] __attribute__((aligned(64)));
static int s[N] __attribute__((aligned(64)));
static unsigned char m[N];
int main(void) {
#pragma omp parallel
  for (int r = 0; r < 2; r++) {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N / 4; i++) {
      _mm_store_ps(a + i * 4, _mm_set_ps(i + r, i, i, i));
      _mm_storeu_ps(b + 1 + i * 4, _mm_set1_ps(i));
      _mm_stream_si128((__m128i *)(s + i * 4), _mm_set1_epi32(i + r));
      if (i % 2 == 0)
        _mm_storel_epi64((__m128i *)(m + i * 4), _mm_set1_epi8(1));
    }
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N / 4; i++) {
      __m128 x = _mm_add_ps(_mm_load_ps(a + i * 4), _mm_loadu_ps(b + 1 + i * 4));
      _mm_storel_pi((__m64 *)(c + i * 4), x);
      _mm_storeh_pi((__m64 *)(c + i * 4 + 2), x);
    }
    for (int i = 0; i < N / 4; i++) {
      expectReal("c0", i, 2 * i, c[i * 4]);
      expectReal("c3", i, 2 * i + r, c[i * 4 + 3]);
      expectInteger("stream", i, i + r, s[i * 4 + 3]);
      expectInteger("m", i, 1, m[i * 4]);
    }
#pragma omp barrier
  }
  return finish();
}
