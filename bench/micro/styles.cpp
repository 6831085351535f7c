// styles.cpp: the same step of five points (and other steps) as different people write it.
#include "styles.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace {

/// Cells at the border keep their values, so that both fields begin alike.
double startValue(int i, int j) { return (i * 31 + j * 7) % 11; }
double fivePoints(double centre, double above, double below, double left, double right) {
  return centre + 0.1 * (above + below + left + right - 4 * centre);
}

/// Two fields of size * size cells in one piece each.
struct Plain {
  int size;
  std::vector<double> now, next;
  explicit Plain(int n) : size(n), now(std::size_t(n) * std::size_t(n)), next(now.size()) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        now[std::size_t(i) * std::size_t(n) + std::size_t(j)] = startValue(i, j);
    next = now;
  }
  void swap() { now.swap(next); }
  double sum() const {
    double all = 0;
    for (double value : now)
      all += value;
    return all;
  }
};

/// Members and an accessor with indices of type int.
struct Accessor : Plain {
  using Plain::Plain;
  double &at(int i, int j) { return now[i * size + j]; }
  double &to(int i, int j) { return next[i * size + j]; }
  void step() {
#pragma omp parallel for
    for (int i = 1; i < size - 1; ++i)
      for (int j = 1; j < size - 1; ++j)
        to(i, j) = fivePoints(at(i, j), at(i - 1, j), at(i + 1, j), at(i, j - 1), at(i, j + 1));
    swap();
  }
};

/// Rows that are allocated one by one.
struct Rows {
  int size;
  std::vector<std::vector<double>> now, next;
  explicit Rows(int n) : size(n), now(std::size_t(n), std::vector<double>(std::size_t(n))) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        now[i][j] = startValue(i, j);
    next = now;
  }
  void step() {
#pragma omp parallel for
    for (int i = 1; i < size - 1; ++i)
      for (int j = 1; j < size - 1; ++j)
        next[i][j] =
            fivePoints(now[i][j], now[i - 1][j], now[i + 1][j], now[i][j - 1], now[i][j + 1]);
    now.swap(next);
  }
  double sum() const {
    double all = 0;
    for (const std::vector<double> &row : now)
      for (double value : row)
        all += value;
    return all;
  }
};

/// The same, which is zero but at one side for as long as warmth has not come, and is collapsed.
struct Warming : Rows {
  explicit Warming(int n) : Rows(n) {
    for (int i = 0; i < n; ++i)
      std::fill(now[i].begin(), now[i].end(), i == 0 ? 100.0 : 0.0);
    next = now;
  }
  void step() {
    const int n = size;
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        next[i][j] =
            fivePoints(now[i][j], now[i - 1][j], now[i + 1][j], now[i][j - 1], now[i][j + 1]);
    now.swap(next);
  }
};

/// Cells that take part.
struct Masked : Plain {
  std::vector<char> mask;
  explicit Masked(int n) : Plain(n), mask(now.size()) {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        mask[std::size_t(i * n + j)] = i * j % 5 != 0;
  }
  void step() {
    const int n = size;
#pragma omp parallel for
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (const int k = i * n + j; mask[k])
          next[k] = fivePoints(now[k], now[k - n], now[k + n], now[k - 1], now[k + 1]);
    swap();
  }
};

/// One counter for all cells, and the border treated apart.
struct Flat : Plain {
  using Plain::Plain;
  void step() {
    const int n = size;
#pragma omp parallel for
    for (int k = 0; k < n * n; ++k) {
      const int i = k / n, j = k % n;
      if (i == 0 || j == 0 || i == n - 1 || j == n - 1)
        next[k] = now[k];
      else
        next[k] = fivePoints(now[k], now[k - n], now[k + n], now[k - 1], now[k + 1]);
    }
    swap();
  }
};

struct Collapsed : Plain {
  using Plain::Plain;
  void step() {
    const int n = size;
#pragma omp parallel for collapse(2)
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < n - 1; ++j)
        next[i * n + j] = fivePoints(now[i * n + j], now[(i - 1) * n + j], now[(i + 1) * n + j],
                                     now[i * n + j - 1], now[i * n + j + 1]);
    swap();
  }
};

struct Unsigned : Plain {
  using Plain::Plain;
  void step() {
    const unsigned n = unsigned(size);
#pragma omp parallel for
    for (unsigned i = 1; i < n - 1; ++i)
      for (unsigned j = 1; j < n - 1; ++j)
        next[i * n + j] = fivePoints(now[i * n + j], now[(i - 1) * n + j], now[(i + 1) * n + j],
                                     now[i * n + j - 1], now[i * n + j + 1]);
    swap();
  }
};

struct Tiles : Plain {
  using Plain::Plain;
  void step() {
    constexpr int tile = 64;
    const int n = size;
#pragma omp parallel for collapse(2)
    for (int top = 1; top < n - 1; top += tile)
      for (int left = 1; left < n - 1; left += tile)
        for (int i = top; i < std::min(top + tile, n - 1); ++i)
          for (int j = left; j < std::min(left + tile, n - 1); ++j)
            next[i * n + j] = fivePoints(now[i * n + j], now[(i - 1) * n + j], now[(i + 1) * n + j],
                                         now[i * n + j - 1], now[i * n + j + 1]);
    swap();
  }
};

/// In place, tile behind tile: each waits for those above and to the left (a doacross loop).
struct Wavefront : Plain {
  using Plain::Plain;
  void step() {
    constexpr int tile = 64;
    const int n = size, tiles = (n - 2 + tile - 1) / tile;
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int row = 0; row < tiles; ++row)
      for (int column = 0; column < tiles; ++column) {
        const int top = 1 + row * tile, left = 1 + column * tile;
#pragma omp ordered depend(sink : row - 1, column) depend(sink : row, column - 1)
        for (int i = top; i < std::min(top + tile, n - 1); ++i)
          for (int j = left; j < std::min(left + tile, n - 1); ++j)
            now[i * n + j] = fivePoints(now[i * n + j], now[(i - 1) * n + j], now[(i + 1) * n + j],
                                        now[i * n + j - 1], now[i * n + j + 1]);
#pragma omp ordered depend(source)
      }
  }
};

/// A sparse matrix by rows, times a vector.
struct Sparse : Plain {
  std::vector<int> begins{0}, columns;
  std::vector<double> factors;
  explicit Sparse(int n) : Plain(n) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const bool inner = i > 0 && j > 0 && i < n - 1 && j < n - 1;
        for (int distance : {-n, -1, 0, 1, n})
          if (inner || distance == 0) {
            columns.push_back(i * n + j + distance);
            factors.push_back(!inner ? 1 : distance == 0 ? 0.6 : 0.1);
          }
        begins.push_back(int(columns.size()));
      }
  }
  void step() {
#pragma omp parallel for
    for (int row = 0; row < size * size; ++row) {
      double sum = 0;
      for (int e = begins[row]; e < begins[row + 1]; ++e)
        sum += factors[e] * now[columns[e]];
      next[row] = sum;
    }
    swap();
  }
};

/// Edges of a mesh add to both of their ends. In whole numbers, so that the order does not matter.
struct Mesh {
  int size;
  std::vector<int> from, to;
  std::vector<long> places, forces;
  explicit Mesh(int n) : size(n), places(std::size_t(n) * std::size_t(n)), forces(places.size()) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        places[std::size_t(i * n + j)] = i * j % 101;
        for (int distance : {1, n})
          if (distance == 1 ? j < n - 1 : i < n - 1) {
            from.push_back(i * n + j);
            to.push_back(i * n + j + distance);
          }
      }
  }
  void step() {
#pragma omp parallel for
    for (int e = 0; e < int(from.size()); ++e) {
      const long force = (places[to[e]] - places[from[e]]) / 8;
#pragma omp atomic
      forces[from[e]] += force;
#pragma omp atomic
      forces[to[e]] -= force;
    }
#pragma omp parallel for
    for (int i = 0; i < size * size; ++i) {
      places[i] += forces[i];
      forces[i] = 0;
    }
  }
  double sum() const {
    double all = 0;
    for (std::size_t i = 0; i < places.size(); ++i)
      all += double(places[i] * long(i % 7));
    return all;
  }
};

/// Each number is counted in one of many bins.
struct Histogram {
  int size;
  std::vector<long> bins;
  unsigned long round = 0;
  explicit Histogram(int n) : size(n), bins(std::size_t(n) * std::size_t(n) / 8 + 1) {}
  void step() {
    const unsigned long first = ++round * bins.size();
#pragma omp parallel for
    for (int i = 0; i < size * size / 16; ++i) {
      unsigned long bits = (first + std::size_t(i)) * 0x9e3779b97f4a7c15; // splitmix64
      bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
      long &bin = bins[(bits ^ bits >> 27) % bins.size()];
#pragma omp atomic
      ++bin;
    }
  }
  double sum() const {
    double all = 0;
    for (std::size_t i = 0; i < bins.size(); ++i)
      all += double(bins[i] * long(i % 7));
    return all;
  }
};

/// Both fields are local variables, of a quarter of the cells: a stack has 8 MiB.
int runLocal(int size, int steps) {
  const std::size_t n = std::size_t(size) / 2;
  double first[n * n], second[n * n], *now = first, *next = second;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      now[i * n + j] = next[i * n + j] = startValue(int(i), int(j));
  double start = 0;
  for (int step = 0; step < steps; ++step) {
    if (step == steps / 2)
      start = omp_get_wtime();
#pragma omp parallel for
    for (std::size_t i = 1; i < n - 1; ++i)
      for (std::size_t j = 1; j < n - 1; ++j)
        next[i * n + j] = fivePoints(now[i * n + j], now[(i - 1) * n + j], now[(i + 1) * n + j],
                                     now[i * n + j - 1], now[i * n + j + 1]);
    std::swap(now, next);
  }
  const double seconds = omp_get_wtime() - start;
  double sum = 0;
  for (std::size_t k = 0; k < n * n; ++k)
    sum += now[k];
  std::printf("%.6f %.12g\n", seconds, sum);
  return 0;
}

/// A breadth-first search: who comes first takes a point, by atomic operations.
struct Search {
  int size;
  std::vector<int> steps, next, waiting;
  explicit Search(int n)
      : size(n * n / 256 + 1), steps(std::size_t(size)), next(steps), waiting(steps) {}
  static unsigned neighbour(unsigned point, unsigned which) {
    unsigned bits = point * 6 + which;
    bits = (bits ^ bits >> 16) * 0x7feb352d;
    return bits ^ bits >> 15;
  }
  void step() {
    std::fill(steps.begin(), steps.end(), -1);
    int count = 1, level = 0;
    waiting[0] = steps[0] = 0;
    while (count != 0) {
      int found = 0;
      ++level;
#pragma omp parallel for schedule(static, 256)
      for (int i = 0; i < count; ++i)
        for (unsigned which = 0; which < 6; ++which) {
          const unsigned point = neighbour(unsigned(waiting[i]), which) % unsigned(size);
          int known, place;
#pragma omp atomic read
          known = steps[point];
          if (known >= 0)
            continue;
#pragma omp atomic capture
          {
            known = steps[point];
            steps[point] = level;
          }
          if (known >= 0)
            continue;
#pragma omp atomic capture
          place = found++;
          next[place] = int(point);
        }
      waiting.swap(next);
      count = found;
    }
  }
  double sum() const {
    double all = 0;
    for (int each : steps)
      all += each;
    return all;
  }
};

const Entry kStyles[] = {
    {"accessor", run<Accessor>}, {"rows", run<Rows>},    {"warming", run<Warming>},
    {"masked", run<Masked>},     {"flat", run<Flat>},    {"collapsed", run<Collapsed>},
    {"unsigned", run<Unsigned>}, {"tiles", run<Tiles>},  {"wavefront", run<Wavefront>},
    {"sparse", run<Sparse>},     {"mesh", run<Mesh>},    {"histogram", run<Histogram>},
    {"local", runLocal},         {"search", run<Search>}};

} // namespace

int main(int argc, char **argv) { return runStyle(kStyles, argc, argv); }
