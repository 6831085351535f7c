// Objects with virtual functions are made in serial code and by the threads; all threads call them.
#include "report.h"
#include <memory>
#include <omp.h>
#include <vector>

namespace {

class Shape {
public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual void grow(int by) { size += by; }
  int size = 1;
};

class Square : public Shape {
public:
  double area() const override { return static_cast<double>(size) * size; }
};

class Bar : public Square {
public:
  explicit Bar(int length) : length(length) {}
  double area() const override { return static_cast<double>(length) * size; }
  void grow(int by) override {
    Shape::grow(by);
    length++;
  }
  int length;
};

double expectedArea(int i, int grown) {
  const int size = 1 + grown * (i % 3);
  return i % 2 ? static_cast<double>(size) * size : static_cast<double>(i + grown) * size;
}

std::unique_ptr<Shape> make(int i) {
  if (i % 2)
    return std::make_unique<Square>();
  return std::make_unique<Bar>(i);
}

} // namespace

int main() {
  constexpr int Count = 150;
  std::vector<std::unique_ptr<Shape>> shapes(2 * Count);
  for (int i = 0; i < Count; i++)
    shapes[static_cast<std::size_t>(i)] = make(i);
#pragma omp parallel for schedule(static, 1)
  for (int i = Count; i < 2 * Count; i++)
    shapes[static_cast<std::size_t>(i)] = make(i);

  for (int round = 1; round <= 3; round++) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 4)
      for (int i = 0; i < 2 * Count; i++)
        shapes[static_cast<std::size_t>(i)]->grow(i % 3);
      double all = 0, expected = 0;
      for (int i = 0; i < 2 * Count; i++) {
        all += shapes[static_cast<std::size_t>(i)]->area();
        expected += expectedArea(i, round);
      }
      expectReal("sum of the areas", round, expected, all);
    }
  }
#pragma omp parallel for schedule(static, 2)
  for (int i = 0; i < 2 * Count; i++) // virtual destructors, in threads that did not make them
    shapes[static_cast<std::size_t>(i)].reset();
  for (const auto &shape : shapes)
    expectInteger("deleted", 0, 1, shape == nullptr);
  return finish();
}
