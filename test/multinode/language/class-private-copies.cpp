// firstprivate, private and lastprivate of classes with allocation; copy and destructor counts;
// declare reduction over vectors and strings.
#include "../report.h"
#include <map>
#include <omp.h>
#include <string>
#include <vector>
static long live, copies;
struct Big {
  std::vector<int> v;
  std::string s;
  Big() : v(10, 1) { count(1); }
  Big(const Big &o) : v(o.v), s(o.s) {
    count(1);
#pragma omp atomic
    copies++;
  }
  Big &operator=(const Big &) = default;
  ~Big() { count(-1); }
  static void count(int d) {
#pragma omp atomic
    live += d;
  }
};
int main() {
  {
    Big first, last;
    first.s = "the text of the original that is long";
    std::vector<long> plain(5, 3);
    std::string text = "prefix that is rather long as well";
    std::map<int, int> m{{1, 2}, {3, 4}};
    struct Pod {
      long a[40];
    } pod;
    for (long &x : pod.a)
      x = 8;
    int array[50];
    for (int i = 0; i < 50; i++)
      array[i] = i;
    const int n = omp_get_max_threads();
#pragma omp parallel firstprivate(first, plain, text, m, pod, array)
    {
      const int me = omp_get_thread_num();
      first.v.push_back(me);
      text += std::to_string(me);
      plain[0] += me;
      m[5] = me;
      pod.a[39] += me;
      array[49] += me;
#pragma omp barrier
      expectInteger("first", me, me, first.v.back());
      expectInteger("text", me, 1,
                    text == "prefix that is rather long as well" + std::to_string(me));
      expectInteger("plain", me, 3 + me, plain[0]);
      expectInteger("map", me, me, m[5]);
      expectInteger("pod", me, 8 + me, pod.a[39]);
      expectInteger("array", me, 49 + me, array[49]);
      expectInteger("s", me, 1, first.s == "the text of the original that is long");
    }
    expectInteger("copies", 0, n, copies);
    expectInteger("unchanged", 0, 10, (long)first.v.size());
#pragma omp parallel for lastprivate(last) schedule(static, 1)
    for (int i = 0; i < 77; i++) {
      last.v.assign(20, i);
      last.s = "last " + std::to_string(i);
    }
    expectInteger("last", 0, 76, last.v[19]);
    expectInteger("last text", 0, 1, last.s == "last 76");
  }
  expectInteger("live", 0, 0, live);
  return finish();
}
