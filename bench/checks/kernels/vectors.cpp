// vectors.cpp: std::vector with iterators, algorithms and lambdas: the pointers of the containers
// are themselves shared data.
//
// Explicit steps of a reaction and diffusion in one dimension (FitzHugh, Nagumo), then sorting by
// chunks and merging.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "kernel.h"

namespace {

struct State {
  std::vector<double> voltage, recovery;
};

// One row for each fibre; all fibres run alone.
using Tissue = std::vector<State>;

Tissue makeTissue(std::size_t fibres, std::size_t points) {
  Tissue tissue(fibres);
#pragma omp parallel for schedule(static)
  for (std::size_t f = 0; f < fibres; f++) {
    tissue[f].voltage.resize(points);
    tissue[f].recovery.assign(points, 0.0);
    uint64_t place = f * points;
    std::generate(tissue[f].voltage.begin(), tissue[f].voltage.end(),
                  [&] { return randomUnit(place++); });
  }
  return tissue;
}

void step(const State &now, State &next, double dt) {
  const auto react = [dt](double v, double w) { return v + dt * (v * (1 - v) * (v - 0.1) - w); };
  std::transform(now.voltage.begin(), now.voltage.end(), now.recovery.begin(), next.voltage.begin(),
                 react);
  std::transform(now.voltage.begin(), now.voltage.end(), now.recovery.begin(),
                 next.recovery.begin(),
                 [dt](double v, double w) { return w + dt * 0.01 * (v - 0.5 * w); });
  auto out = next.voltage.begin() + 1;
  for (auto v = now.voltage.begin() + 1; v + 1 != now.voltage.end(); ++v, ++out)
    *out += dt * 0.2 * (v[-1] - 2 * *v + v[1]);
  next.voltage.front() = next.voltage[1];
  next.voltage.back() = *(next.voltage.end() - 2);
}

/// Sorted values of all fibres: chunks by threads, then merged in rounds.
std::vector<double> sorted(const Tissue &tissue) {
  const std::size_t points = tissue.front().voltage.size(), fibres = tissue.size();
  std::vector<double> all(points * fibres);
#pragma omp parallel for schedule(static)
  for (std::size_t f = 0; f < fibres; f++) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(f * points);
    std::copy(tissue[f].voltage.begin(), tissue[f].voltage.end(), begin);
    std::sort(begin, begin + static_cast<std::ptrdiff_t>(points), std::less<>());
  }
  for (std::size_t width = points; width < all.size(); width *= 2) {
    std::vector<double> merged(all.size());
#pragma omp parallel for schedule(static)
    for (std::size_t left = 0; left < all.size(); left += 2 * width) {
      const auto at = [&](std::size_t place) {
        return all.cbegin() + static_cast<std::ptrdiff_t>(std::min(place, all.size()));
      };
      std::merge(at(left), at(left + width), at(left + width), at(left + 2 * width),
                 merged.begin() + static_cast<std::ptrdiff_t>(left));
    }
    all.swap(merged);
  }
  return all;
}

} // namespace

int main(int argc, char **argv) {
  const bool small = isSmall(argc, argv);
  const std::size_t fibres = small ? 16 : 64, points = small ? 100 : 4000;
  const int steps = small ? 10 : 900;
  Tissue now = makeTissue(fibres, points), next = makeTissue(fibres, points);
  for (int t = 0; t < steps; t++) {
#pragma omp parallel for schedule(static)
    for (std::size_t f = 0; f < fibres; f++)
      step(now[f], next[f], 0.1);
    std::swap(now, next);
  }
  const std::vector<double> all = sorted(now);
  const double sum = std::accumulate(all.begin(), all.end(), 0.0);
  double direct = 0;
  for (const State &state : now)
    direct = std::accumulate(state.voltage.begin(), state.voltage.end(), direct);
  const bool right = std::is_sorted(all.begin(), all.end()) &&
                     std::fabs(sum - direct) < 1e-7 * (1 + std::fabs(sum));
  return conclude(hashDoubles(all.data(), all.size()), right);
}
