// to_chars and from_chars on shared buffers, integers and reals; std::to_string, stod, stol.
#include "../report.h"
#include <charconv>
#include <cstring>
#include <omp.h>
#include <string>
#include <vector>
int main() {
  constexpr int N = 200;
  static char buf[N][40];
  static char ints[N][20];
  int len[N];
  static double back[N];
  static float backf[N];
  static long li[N];
  std::vector<std::string> t(N);
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      auto r = std::to_chars(buf[i], buf[i] + 40, i * 1.25 + 0.1);
      len[i] = int(r.ptr - buf[i]);
      auto q = std::to_chars(ints[i], ints[i] + 20, i * 1000003L, 16);
      *q.ptr = 0;
      t[i] = std::to_string(i * 0.5) + " tail";
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      auto r = std::from_chars(buf[i], buf[i] + len[i], back[i]);
      expectInteger("ec", i, 1, r.ec == std::errc() && r.ptr == buf[i] + len[i]);
      std::from_chars(buf[i], buf[i] + len[i], backf[i]);
      std::from_chars(ints[i], ints[i] + strlen(ints[i]), li[i], 16);
      std::size_t n;
      expectReal("stod", i, i * .5, std::stod(t[i], &n));
      expectInteger("stod end", i, (long)t[i].size() - 5, (long)n);
      expectInteger("stol", i, i / 2, std::stol(t[i]));
    }
    for (int i = 0; i < N; i++) {
      expectReal("back", i, i * 1.25 + 0.1, back[i]);
      expectReal("backf", i, float(i * 1.25 + 0.1), backf[i]);
      expectInteger("int", i, i * 1000003L, li[i]);
    }
  }
  return finish();
}
