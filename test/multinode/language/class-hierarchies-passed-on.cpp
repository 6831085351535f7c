// Type erasure, CRTP, pointers to members, static and thread_local members, move only types,
// std::function and lambdas that capture by reference, run by other threads.
#include "../report.h"
#include <functional>
#include <memory>
#include <omp.h>
#include <string>
#include <vector>
struct Concept {
  virtual ~Concept() = default;
  virtual long call(long) = 0;
};
template <class F> struct Model final : Concept {
  F f;
  explicit Model(F x) : f(std::move(x)) {}
  long call(long x) override { return f(x); }
};
struct Erased {
  std::unique_ptr<Concept> p;
  template <class F> explicit Erased(F f) : p(std::make_unique<Model<F>>(std::move(f))) {}
  Erased() = default;
};
template <class D> struct Crtp {
  long twice() { return static_cast<D *>(this)->once() * 2; }
};
struct Leaf : Crtp<Leaf> {
  long v = 0;
  static inline long made = 0;
  static thread_local long mine;
  long once() { return v; }
  long plus(long x) const { return v + x; }
  virtual long virt(long x) { return v * x; }
  virtual ~Leaf() = default;
};
struct Sub : Leaf {
  long virt(long x) override { return v - x; }
};
thread_local long Leaf::mine = 5;
thread_local std::string perThread = "initial";
thread_local std::vector<int> perThreadVector(10, 3);
int main() {
  constexpr int N = 80;
  std::vector<Erased> e(N);
  std::vector<std::unique_ptr<Leaf>> leaves(N);
  std::vector<std::function<long()>> refs(N);
  std::vector<long> cells(N);
  long (Leaf::*member)(long) const = &Leaf::plus;
  long (Leaf::*virt)(long) = &Leaf::virt;
  long Leaf::*field = &Leaf::v;
#pragma omp parallel
  {
    perThread += std::to_string(omp_get_thread_num());
    perThreadVector.push_back(omp_get_thread_num());
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      auto big = std::make_unique<std::vector<long>>(50, i);
      e[i] = Erased([big = std::move(big), &cells, i](long x) {
        cells[i] += x;
        return (*big)[49] + x;
      });
      leaves[i] = i % 2 ? std::make_unique<Sub>() : std::make_unique<Leaf>();
      leaves[i]->v = i;
      refs[i] = std::bind(&Leaf::plus, leaves[i].get(), 100);
#pragma omp atomic
      Leaf::made++;
      Leaf::mine++;
    }
#pragma omp for schedule(static, 3)
    for (int i = 0; i < N; i++) {
      expectInteger("erased", i, i + 7, e[i].p->call(7));
      expectInteger("twice", i, 2 * i, leaves[i]->twice());
      expectInteger("member", i, i + 3, (*leaves[i].*member)(3));
      expectInteger("virtual member", i, i % 2 ? i - 3 : i * 3, (leaves[i].get()->*virt)(3));
      expectInteger("bind", i, i + 100, refs[i]());
      (*leaves[i]).*field += 1;
    }
    for (int i = 0; i < N; i++) {
      expectInteger("cells", i, 7, cells[i]);
      expectInteger("field", i, i + 1, leaves[i]->v);
    }
    expectInteger("made", 0, N, Leaf::made);
    expectInteger("mine", 0, 1, Leaf::mine >= 5 && Leaf::mine <= N + 5);
    expectInteger("per thread", 0, 1,
                  perThread == "initial" + std::to_string(omp_get_thread_num()));
    expectInteger("vector", 0, omp_get_thread_num(), perThreadVector.back());
    long local = omp_get_thread_num();
    static std::function<long()> published[16];
    published[omp_get_thread_num()] = [&local] { return ++local; };
#pragma omp barrier
    const int o = (omp_get_thread_num() + 1) % omp_get_num_threads();
    expectInteger("captured", o, o + 1, published[o]());
#pragma omp barrier
    expectInteger("local", 0, omp_get_thread_num() + 1, local);
    published[o] = nullptr;
#pragma omp for schedule(static, 5)
    for (int i = 0; i < N; i++) {
      e[i] = Erased();
      refs[i] = nullptr;
      leaves[i].reset();
    }
  }
  return finish();
}
