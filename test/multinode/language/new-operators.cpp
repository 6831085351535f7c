// Placement new, class operators new and delete, aligned new, over-aligned types, nothrow, arrays
// with cookies.
#include "../report.h"
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <omp.h>
#include <vector>
struct alignas(128) Wide {
  double v[16];
};
struct Pooled {
  static inline char pool[200][64];
  static inline int used, freed;
  long a, b;
  static void *operator new(std::size_t) {
    int k;
#pragma omp atomic capture
    k = used++;
    return pool[k];
  }
  static void operator delete(void *) {
#pragma omp atomic
    freed++;
  }
};
static int destroyed;
struct Cookie {
  int x = 3;
  ~Cookie() {
#pragma omp atomic
    destroyed += x;
  }
};
int main() {
  constexpr int N = 100;
  std::vector<Wide *> w(N);
  std::vector<Pooled *> p(N);
  std::vector<Cookie *> c(N);
  std::vector<char *> raw(N);
  std::vector<Wide> vw(N);
  alignas(64) static unsigned char storage[N][sizeof(Cookie)];
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      w[i] = new Wide;
      for (double &x : w[i]->v)
        x = i;
      p[i] = new Pooled{i, -i};
      c[i] = new Cookie[5];
      raw[i] =
          static_cast<char *>(::operator new(1 << (i % 12), std::align_val_t(1 << (3 + i % 10))));
      raw[i][0] = (char)i;
      new (storage[i]) Cookie{i};
      vw[i].v[15] = i;
      int *n = new (std::nothrow) int(i);
      expectInteger("nothrow", i, i, *n);
      delete n;
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      expectInteger("aligned", i, 0, (intptr_t)w[i] % 128);
      expectInteger("vector aligned", i, 0, (intptr_t)&vw[i] % 128);
      expectInteger("raw aligned", i, 0, (intptr_t)raw[i] % (1 << (3 + i % 10)));
      expectReal("wide", i, i, w[i]->v[15]);
      expectReal("vw", i, i, vw[i].v[15]);
      expectInteger("pooled", i, -i, p[i]->b);
      expectInteger("raw", i, (char)i, raw[i][0]);
      delete w[i];
      delete p[i];
      delete[] c[i];
      ::operator delete(raw[i], std::align_val_t(1 << (3 + i % 10)));
      std::launder(reinterpret_cast<Cookie *>(storage[i]))->~Cookie();
    }
  }
  expectInteger("destroyed", 0, N * 15 + N * (N - 1) / 2, destroyed);
  expectInteger("freed", 0, N, Pooled::freed);
  return finish();
}
