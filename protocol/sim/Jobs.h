// Jobs.h: independent pieces of work on a few threads.
#pragma once
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace ompdsm::sim {

/// Calls work(i) for each i below `count`, on `jobs` threads; the order is not fixed, so each piece
/// must write only what is its own.
template <class Work> void runJobs(unsigned jobs, std::size_t count, Work work) {
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned j = 0; j < jobs; ++j)
    threads.emplace_back([&] {
      for (std::size_t i; (i = next.fetch_add(1)) < count;)
        work(i);
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace ompdsm::sim
