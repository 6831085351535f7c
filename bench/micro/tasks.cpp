// tasks.cpp: work in tasks that one thread begins, as different people deal it out. See styles.h.
#include "styles.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace {

/// Recursive halves of an array, merged behind a taskwait.
struct Sorting {
  static constexpr long kLeast = 4096;
  std::vector<unsigned> numbers, other;
  unsigned long round = 0;
  double sums = 0;
  explicit Sorting(int size)
      : numbers(std::size_t(size) * std::size_t(size) / 4), other(numbers.size()) {}
  void sort(unsigned *from, unsigned *aside, long count) {
    if (count <= kLeast)
      return std::sort(from, from + count);
    const long half = count / 2;
#pragma omp task
    sort(from, aside, half);
#pragma omp task
    sort(from + half, aside + half, count - half);
#pragma omp taskwait
    std::merge(from, from + half, from + half, from + count, aside);
    std::copy(aside, aside + count, from);
  }
  void step() {
    ++round;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = unsigned((i + round) * 2654435761u);
#pragma omp parallel
#pragma omp single
    sort(numbers.data(), other.data(), long(numbers.size()));
    for (std::size_t i = 1; i < numbers.size(); ++i)
      sums += numbers[i - 1] <= numbers[i];
  }
  double sum() const { return sums; }
};

/// Queens on a board: a task for each place, three rows deep.
struct Queens {
  static constexpr int kMost = 16, kDeep = 3;
  struct Board {
    signed char columns[kMost];
  };
  int rows;
  long found = 0;
  explicit Queens(int size) : rows(size >= 500 ? 10 : 7) {}
  bool fits(const Board &board, int row) const {
    for (int i = 0; i < row; ++i) {
      const int apart = board.columns[row] - board.columns[i];
      if (apart == 0 || apart == row - i || apart == i - row)
        return false;
    }
    return true;
  }
  long place(Board board, int row) const {
    if (row == rows)
      return 1;
    long counts[kMost] = {0}, all = 0;
    for (int column = 0; column < rows; ++column) {
      board.columns[row] = static_cast<signed char>(column);
      if (!fits(board, row))
        continue;
#pragma omp task firstprivate(board, column) shared(counts) if (row < kDeep)
      counts[column] = place(board, row + 1);
    }
#pragma omp taskwait
    for (const long count : counts)
      all += count;
    return all;
  }
  void step() {
#pragma omp parallel
#pragma omp single
    found += place(Board{}, 0);
  }
  double sum() const { return double(found); }
};

/// Cholesky's factors of a matrix in tiles: tasks wait for tiles.
struct Factors {
  static constexpr int kSide = 64;
  using Tile = std::vector<double>;
  int tiles;
  std::vector<Tile> matrix;
  double sums = 0;
  explicit Factors(int size)
      : tiles(std::max(size / 100, 3)), matrix(std::size_t(tiles) * std::size_t(tiles)) {
    for (Tile &tile : matrix)
      tile.resize(kSide * kSide);
  }
  Tile &at(int i, int j) { return matrix[std::size_t(i * tiles + j)]; }
  static void factor(double *a) {
    for (int k = 0; k < kSide; ++k) {
      a[k * kSide + k] = std::sqrt(a[k * kSide + k]);
      for (int i = k + 1; i < kSide; ++i)
        a[i * kSide + k] /= a[k * kSide + k];
      for (int i = k + 1; i < kSide; ++i)
        for (int j = k + 1; j <= i; ++j)
          a[i * kSide + j] -= a[i * kSide + k] * a[j * kSide + k];
    }
  }
  static void solve(const double *factors, double *a) {
    for (int i = 0; i < kSide; ++i)
      for (int j = 0; j < kSide; ++j) {
        for (int k = 0; k < j; ++k)
          a[i * kSide + j] -= a[i * kSide + k] * factors[j * kSide + k];
        a[i * kSide + j] /= factors[j * kSide + j];
      }
  }
  static void subtract(const double *a, const double *b, double *from) {
    for (int i = 0; i < kSide; ++i)
      for (int j = 0; j < kSide; ++j) {
        double product = 0;
        for (int k = 0; k < kSide; ++k)
          product += a[i * kSide + k] * b[j * kSide + k];
        from[i * kSide + j] -= product;
      }
  }
  void fill() {
    for (int i = 0; i < tiles * kSide; ++i)
      for (int j = 0; j < tiles * kSide; ++j)
        at(i / kSide, j / kSide)[std::size_t(i % kSide * kSide + j % kSide)] =
            i == j ? 2.0 * tiles * kSide : 1.0 / (1 + std::abs(i - j));
  }
  void step() {
    fill();
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < tiles; ++k) {
      double *diagonal = at(k, k).data();
#pragma omp task depend(inout : *diagonal)
      factor(diagonal);
      for (int i = k + 1; i < tiles; ++i) {
        double *below = at(i, k).data();
#pragma omp task depend(in : *diagonal) depend(inout : *below)
        solve(diagonal, below);
      }
      for (int i = k + 1; i < tiles; ++i)
        for (int j = k + 1; j <= i; ++j) {
          double *left = at(i, k).data(), *above = at(j, k).data(), *here = at(i, j).data();
#pragma omp task depend(in : *left, *above) depend(inout : *here)
          subtract(left, above, here);
        }
    }
    sums += at(tiles - 1, 0)[0] + at(tiles - 1, tiles - 1)[kSide * kSide - 1];
  }
  double sum() const { return sums; }
};

/// Rows that take more or less time, by taskloop.
struct Uneven {
  int size;
  std::vector<int> rounds;
  explicit Uneven(int n)
      : size(std::max(n / 4, 8)), rounds(std::size_t(size) * std::size_t(size)) {}
  void step() {
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        const double a = 3.0 * j / size - 2, b = 3.0 * i / size - 1.5;
        double x = 0, y = 0;
        int round = 0;
        for (; round < 300 && x * x + y * y < 4; ++round) {
          const double next = x * x - y * y + a;
          y = 2 * x * y + b;
          x = next;
        }
        rounds[std::size_t(i) * std::size_t(size) + std::size_t(j)] = round;
      }
  }
  double sum() const {
    double all = 0;
    for (const int each : rounds)
      all += each;
    return all;
  }
};

/// A tree of objects, walked by a task for each child; the end of the region waits for all.
struct Walk {
  struct Node {
    std::unique_ptr<Node> left, right;
    double value = 1;
  };
  std::unique_ptr<Node> root;
  explicit Walk(int size) : root(grown(size >= 500 ? 10 : 5)) {}
  static std::unique_ptr<Node> grown(int depth) {
    auto node = std::make_unique<Node>();
    if (depth > 0) {
      node->left = grown(depth - 1);
      node->right = grown(depth - 1);
    }
    return node;
  }
  static void visit(Node *node) {
    if (!node)
      return;
    Node *children[] = {node->left.get(), node->right.get()};
    for (Node *child : children) {
#pragma omp task firstprivate(child)
      visit(child);
    }
    for (int k = 0; k < 5000; ++k)
      node->value = std::sqrt(node->value + k);
  }
  static double sumOf(const Node *node) {
    return node ? node->value + sumOf(node->left.get()) + sumOf(node->right.get()) : 0;
  }
  void step() {
#pragma omp parallel
#pragma omp single
    visit(root.get());
  }
  double sum() const { return sumOf(root.get()); }
};

const Entry kStyles[] = {{"sorting", run<Sorting>},
                         {"queens", run<Queens>},
                         {"factors", run<Factors>},
                         {"uneven", run<Uneven>},
                         {"walk", run<Walk>}};

} // namespace

int main(int argc, char **argv) { return runStyle(kStyles, argc, argv); }
