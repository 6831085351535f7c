// Loops as C++ programs write them: iterators, data(), operator(), lambdas, collapse, characters. No check stays in any of
// them but in the last one, which follows a list.
// REQUIRES: llvm=22
// RUN: %clangxx -O3 -march=haswell -fopenmp -fplugin=%plugin -Rpass=ompdsm -Rpass-missed=ompdsm -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="check stays"
// CHECK-COUNT-22: remark: {{check moved|no check}}
// CHECK-COUNT-2: check stays in the loop: the number of iterations is unknown
#include <array>
#include <cstddef>
#include <numeric>
#include <vector>
struct Point {
  double x, y, z;
};
class Grid {
public:
  Grid(std::size_t rows, std::size_t columns)
      : columns_(columns), values_(rows * columns) {}
  double &operator()(std::size_t i, std::size_t j) {
    return values_[i * columns_ + j];
  }
  double operator()(std::size_t i, std::size_t j) const {
    return values_[i * columns_ + j];
  }

private:
  std::size_t columns_;
  std::vector<double> values_;
};
void iterators(std::vector<double> &a, const std::vector<double> &b) {
  auto from = b.begin();
  for (auto to = a.begin(); to != a.end(); ++to, ++from)
    *to = *from + 1;
}
double rangeFor(const std::vector<double> &a) {
  double s = 0;
  for (double v : a)
    s += v;
  return s;
}
void data(std::vector<float> &a, const std::vector<float> &b) {
  float *to = a.data();
  const float *from = b.data();
  const std::size_t n = a.size();
#pragma omp parallel for
  for (std::size_t i = 0; i < n; i++)
    to[i] = from[i] * 2;
}
void indexed(std::vector<double> &a, const std::vector<double> &b) {
#pragma omp parallel for
  for (std::size_t i = 0; i < a.size(); i++)
    a[i] = b[i] * 2;
}
void members(std::vector<Point> &a) {
#pragma omp parallel for
  for (std::size_t i = 0; i < a.size(); i++)
    a[i].x = a[i].y + a[i].z;
}
double algorithm(const std::vector<double> &a) {
  return std::accumulate(a.begin(), a.end(), 0.0);
}
void grid(Grid &to, const Grid &from, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 1; i < n; i++)
    for (std::size_t j = 1; j < n; j++)
      to(i, j) = from(i - 1, j) + from(i, j - 1);
}
void collapsed(double *a, const double *b, int n, int m) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = b[j * n + i];
}
void characters(char *to, const char *from, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    to[i] = (char)(from[i] ^ 0x20);
}
void captured(double *a, long n) {
  double *second = a + n;
  auto work = [&](long i) { second[i] = a[i] + 1; };
#pragma omp parallel for
  for (long i = 0; i < n; i++)
    work(i);
}
void arrays(std::array<double, 64> *a, long n) {
  for (long i = 0; i < n; i++)
    for (std::size_t k = 0; k < 64; k++)
      a[i][k] *= 2;
}
struct Element {
  double value;
  Element *next;
};
double list(const Element *at) {
  double s = 0;
  for (; at; at = at->next)
    s += at->value;
  return s;
}
