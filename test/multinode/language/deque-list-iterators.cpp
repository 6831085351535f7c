// Linked structures across threads: forward_list, intrusive lists, deque of deques, map of vectors
// of maps, node handles, allocators of its own.
#include "../report.h"
#include <algorithm>
#include <deque>
#include <forward_list>
#include <map>
#include <numeric>
#include <omp.h>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
#include <vector>
static long live;
template <class T> struct Counting {
  using value_type = T;
  Counting() = default;
  template <class U> Counting(const Counting<U> &) {}
  T *allocate(std::size_t n) {
#pragma omp atomic
    live += (long)n;
    return static_cast<T *>(::operator new(n * sizeof(T)));
  }
  void deallocate(T *p, std::size_t n) {
#pragma omp atomic
    live -= (long)n;
    ::operator delete(p);
  }
  bool operator==(const Counting &) const { return true; }
};
int main() {
  {
    std::map<int, std::vector<std::map<std::string, int>>> nested;
    std::forward_list<std::string> fl;
    std::deque<std::deque<int>> dd(8);
    std::vector<int, Counting<int>> counted;
    std::map<int, int> left, right;
    std::stack<std::string> st;
    std::queue<std::vector<int>> q;
    std::unordered_map<std::string, std::vector<std::string>> groups;
    for (int i = 0; i < 100; i++)
      left[i] = i * i;
    int next = 0;
    const int S = 240;
    groups.reserve(300);
#pragma omp parallel
    for (bool done = false; !done;)
#pragma omp critical
    {
      for (int k = 0; k < 4 && next < S; k++, next++) {
        const int s = next;
        auto &v = nested[s % 13];
        if (s % 3 == 0 || v.empty())
          v.emplace_back();
        v[s % v.size()]["key " + std::to_string(s)] = s;
        fl.push_front("forward " + std::to_string(s));
        dd[s % 8].push_back(s);
        dd[(s + 3) % 8].push_front(-s);
        counted.push_back(s);
        if (!left.empty())
          right.insert(left.extract(left.begin()));
        st.push(std::to_string(s) + " on the stack that is long");
        q.push(std::vector<int>(s % 20, s));
        groups["group " + std::to_string(s % 23)].push_back(std::to_string(s));
        if (s % 10 == 9) {
          st.pop();
          q.pop();
          fl.pop_front();
        }
        if (s == 120)
          left.merge(right);
        if (s % 40 == 0)
          fl.sort();
      }
      done = next == S;
    }
#pragma omp parallel
    {
      long n = 0, sum = 0;
      for (auto &[k, v] : nested)
        for (auto &m : v)
          for (auto &[t, x] : m) {
            n++;
            sum += x;
            expectInteger("key", x, 1, t == "key " + std::to_string(x));
          }
      expectInteger("nested", 0, S, n);
      expectInteger("sum", 0, S * (S - 1) / 2, sum);
      expectInteger("forward", 0, S - S / 10, std::distance(fl.begin(), fl.end()));
      long d = 0;
      for (auto &x : dd)
        d += std::accumulate(x.begin(), x.end(), 0);
      expectInteger("deques", 0, 0, d);
      expectInteger("counted", 0, S - 1, counted.back());
      expectInteger("left + right", 0, 100, (long)(left.size() + right.size()));
      expectInteger("stack", 0, S - S / 10, (long)st.size());
      expectInteger("queue", 0, S - S / 10, (long)q.size());
      expectInteger("queue front", 0, S / 10 % 20 ? S / 10 : 0,
                    q.front().empty() ? 0 : q.front()[0]);
      long g = 0;
      for (auto &[k, v] : groups)
        g += (long)v.size();
      expectInteger("groups", 0, S, g);
      expectInteger("group", 0, 1, groups.at("group 5").front() == "5");
    }
  }
  expectInteger("live", 0, 0, live);
  return finish();
}
