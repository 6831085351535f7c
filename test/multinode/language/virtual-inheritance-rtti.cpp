// Objects with multiple and virtual bases, made by all threads: virtual calls, dynamic_cast, typeid
// and member pointers by threads that did not make them.
#include "../report.h"
#include <memory>
#include <omp.h>
#include <typeindex>
#include <typeinfo>
#include <vector>

struct Base {
  int id;
  explicit Base(int i) : id(i) {}
  virtual ~Base() = default;
  virtual int kind() const { return 0; }
};
struct Left : virtual Base {
  long left;
  explicit Left(int i) : Base(i), left(i * 2L) {}
  int kind() const override { return 1; }
};
struct Right : virtual Base {
  double right;
  explicit Right(int i) : Base(i), right(i * 0.5) {}
  int kind() const override { return 2; }
};
struct Both final : Left, Right {
  char tail[5];
  explicit Both(int i) : Base(i), Left(i), Right(i) {
    for (char &c : tail)
      c = static_cast<char>(i);
  }
  int kind() const override { return 3; }
};
struct Other {
  virtual ~Other() = default;
  virtual int other() const { return 7; }
};
struct Multi : Other, Base {
  explicit Multi(int i) : Base(i) {}
  int kind() const override { return 4; }
  int other() const override { return id + 1; }
};

int main() {
  constexpr int N = 200;
  std::vector<std::unique_ptr<Base>> objects(N);
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++)
      switch (i % 5) {
      case 0:
        objects[i] = std::make_unique<Base>(i);
        break;
      case 1:
        objects[i] = std::make_unique<Left>(i);
        break;
      case 2:
        objects[i] = std::make_unique<Right>(i);
        break;
      case 3:
        objects[i] = std::make_unique<Both>(i);
        break;
      default:
        objects[i] = std::make_unique<Multi>(i);
      }
    for (int i = 0; i < N; i++) {
      Base *b = objects[i].get();
      const int k = i % 5;
      expectInteger("kind", i, k, b->kind());
      expectInteger("id", i, i, b->id);
      auto *left = dynamic_cast<Left *>(b);
      auto *right = dynamic_cast<Right *>(b);
      auto *both = dynamic_cast<Both *>(b);
      auto *other = dynamic_cast<Other *>(b);
      expectInteger("left", i, k == 1 || k == 3, left != nullptr);
      expectInteger("right", i, k == 2 || k == 3, right != nullptr);
      expectInteger("both", i, k == 3, both != nullptr);
      expectInteger("other", i, k == 4, other != nullptr);
      if (left)
        expectInteger("left value", i, i * 2, left->left);
      if (right)
        expectReal("right value", i, i * 0.5, right->right);
      if (both) {
        expectInteger("tail", i, static_cast<char>(i), both->tail[4]);
        expectInteger("cross cast", i, 1, dynamic_cast<Right *>(left) == right);
      }
      if (other) {
        expectInteger("other()", i, i + 1, other->other());
        expectInteger("cross", i, 1, dynamic_cast<Base *>(other) == b);
        expectInteger("most derived", i, 1,
                      dynamic_cast<void *>(b) == static_cast<void *>(static_cast<Multi *>(other)));
      }
      expectInteger("typeid", i, k == 3, typeid(*b) == typeid(Both));
      expectInteger("type_index", i, k == 4,
                    std::type_index(typeid(*b)) == std::type_index(typeid(Multi)));
      bool thrown = false;
      try {
        (void)dynamic_cast<Both &>(*b);
      } catch (const std::bad_cast &) {
        thrown = true;
      }
      expectInteger("bad_cast", i, k != 3, thrown);
    }
#pragma omp barrier
#pragma omp for schedule(static, 7)
    for (int i = 0; i < N; i++)
      objects[i].reset();
  }
  return finish();
}
