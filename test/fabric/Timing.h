// Timing.h: what the programs that measure share.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace ompdsm::test {

using Clock = std::chrono::steady_clock;

inline double microsecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// The value below which that fraction of `values`, at least one, lies.
inline double percentile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(fraction * static_cast<double>(values.size() - 1))];
}

} // namespace ompdsm::test
