// StopWatch.h: the time that a scope takes, for statistics.
#pragma once
#include "protocol/engine/SiteCounts.h"
#include <atomic>
#include <chrono>
#include <optional>

namespace ompdsm {

/// Adds the time between construction and destruction to one of a site's counters.
class SiteWatch {
public:
  SiteWatch(std::optional<SiteTable> &sites, SiteId site, std::uint64_t SiteCounts::*counter)
      : sites_(sites ? &*sites : nullptr), site_(site), counter_(counter) {
    if (sites_) [[unlikely]]
      begin_ = Clock::now();
  }
  ~SiteWatch() {
    if (sites_) [[unlikely]]
      sites_->count(site_, [&](SiteCounts &counts) {
        counts.*counter_ += std::uint64_t(std::chrono::nanoseconds(Clock::now() - begin_).count());
      });
  }
  SiteWatch(const SiteWatch &) = delete;
  SiteWatch &operator=(const SiteWatch &) = delete;

private:
  using Clock = std::chrono::steady_clock;
  SiteTable *sites_;
  SiteId site_;
  std::uint64_t SiteCounts::*counter_;
  Clock::time_point begin_{};
};

/// Adds the time between construction and destruction to a counter.
class StopWatch {
public:
  explicit StopWatch(std::atomic<std::uint64_t> &nanoseconds) : nanoseconds_(nanoseconds) {}
  ~StopWatch() {
    nanoseconds_.fetch_add(
        std::uint64_t(
            std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin_).count()),
        std::memory_order_relaxed);
  }
  StopWatch(const StopWatch &) = delete;
  StopWatch &operator=(const StopWatch &) = delete;

private:
  using Clock = std::chrono::steady_clock;
  std::atomic<std::uint64_t> &nanoseconds_;
  Clock::time_point begin_ = Clock::now();
};

} // namespace ompdsm
