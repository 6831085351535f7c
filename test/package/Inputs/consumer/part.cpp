#include <numeric>
#include <vector>
extern "C" long sumOf(const int *values, int count) {
  std::vector<long> parts(6);
#pragma omp parallel for num_threads(6)
  for (int i = 0; i < count; i++)
#pragma omp atomic
    parts[static_cast<unsigned>(i) % 6] += values[i];
  return std::accumulate(parts.begin(), parts.end(), 0L);
}
