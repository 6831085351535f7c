// std::atomic<std::shared_ptr>: all threads push to a list and pop from it.
#include "../report.h"
#include <atomic>
#include <memory>
#include <omp.h>
struct Node {
  int v;
  std::shared_ptr<Node> next;
};
int main() {
  std::atomic<std::shared_ptr<Node>> head;
  long sum = 0;
  int threads = 1;
  constexpr int R = 30;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp single
    threads = omp_get_num_threads();
    for (int i = 0; i < R; i++) {
      auto n = std::make_shared<Node>(Node{i, head.load()});
      while (!head.compare_exchange_weak(n->next, n)) {
      }
    }
    for (int i = 0; i < R / 2; i++) {
      auto h = head.load();
      while (h && !head.compare_exchange_weak(h, h->next)) {
      }
      if (h)
        sum += h->v;
    }
  }
  long n = 0;
  for (auto h = head.load(); h; h = h->next) {
    sum += h->v;
    n++;
  }
  expectInteger("left", 0, threads * (R - R / 2), n);
  expectInteger("sum", 0, (long)threads * R * (R - 1) / 2, sum);
  return finish();
}
