// shared_ptr, weak_ptr, unique_ptr: reference counts changed by all threads at once, last owner
// anywhere.
#include "../report.h"
#include <atomic>
#include <memory>
#include <omp.h>
#include <vector>
static std::atomic<int> made, gone;
struct Node : std::enable_shared_from_this<Node> {
  int id;
  long payload[40];
  std::weak_ptr<Node> parent;
  std::vector<std::shared_ptr<Node>> children;
  explicit Node(int i) : id(i) {
    for (long &p : payload)
      p = i;
    made++;
  }
  ~Node() { gone++; }
};
int main() {
  constexpr int N = 64;
  std::vector<std::shared_ptr<Node>> all(N);
  std::vector<std::weak_ptr<Node>> weak(N);
  std::shared_ptr<Node> root = std::make_shared<Node>(-1);
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      all[i] = i % 2 ? std::make_shared<Node>(i)
                     : std::shared_ptr<Node>(new Node(i), [](Node *n) { delete n; });
      weak[i] = all[i];
      all[i]->parent = root;
    }
    for (int r = 0; r < 100; r++) {
      std::shared_ptr<Node> a = all[r % N], b = root;
      if (auto l = weak[(r * 7) % N].lock())
        expectInteger("locked", r, (r * 7) % N, l->id);
      else
        expectInteger("lock failed", r, 0, 1);
      auto self = a->shared_from_this();
      expectInteger("self", r, 1, self.get() == a.get());
      expectInteger("payload", r, r % N, a->payload[39]);
      expectInteger("parent", r, 1, a->parent.lock() == b);
    }
#pragma omp critical
    root->children.push_back(std::make_shared<Node>(1000 + omp_get_thread_num()));
#pragma omp barrier
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N; i++) {
      std::shared_ptr<Node> t = std::move(all[i]);
      t.reset();
      expectInteger("expired", i, 1, weak[i].expired());
    }
#pragma omp single
    expectInteger("children", 0, omp_get_num_threads(), (long)root->children.size());
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N; i++)
      weak[i].reset();
  }
  expectInteger("use count", 0, 1, root.use_count());
  root.reset();
  expectInteger("made = gone", 0, made.load(), gone.load());
  return finish();
}
