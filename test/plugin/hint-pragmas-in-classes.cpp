// Hints in everything that is code in C++: members, templates, lambdas, constructors, loops.
// RUN: %clangxx -fopenmp -fpass-plugin=%plugin -std=c++17 -Wall -Wextra -Werror -S -emit-llvm -O0 %s -o - | FileCheck %s
// CHECK-COUNT-8: call void @__ompdsm_hint(
#include <vector>
namespace outer {
extern "C" {
int shared[10];
}
struct Base {
  Base() noexcept {
#pragma ompd broadcast(shared)
  }
};
template <class T> struct Holder : Base {
  T values[100];
  void run() const {
#pragma ompdsm broadcast(values)
    auto inner = [this](int n) -> int {
#pragma ompdsm broadcast(values[0:n])
      return n;
    };
    inner(5);
  }
};
template <class T> void fill(std::vector<T> &values) {
#pragma ompdsm distribute(block: values[0:values.size()])
  for (auto &value : values) {
#pragma ompd broadcast(shared)
    value = 1;
  }
}
} // namespace outer
int atStart = [] {
#pragma ompd broadcast(outer::shared)
  return 1;
}();
struct Point {
  int x = 1;
  Point make() {
#pragma ompd broadcast(x)
    return {};
  }
};
int main() {
  std::vector<double> values(10);
  outer::fill(values);
  outer::Holder<int>().run();
  Point().make();
  do {
#pragma ompd broadcast(outer::shared)
  } while (false);
}
