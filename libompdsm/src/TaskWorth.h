// TaskWorth.h: whether tasks of a kind take long enough to be given to another node.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace ompdsm {

/// What tasks of the same code at the same depth take, their descendants included where these are
/// executed at once. A table of fixed size: of two kinds with one place the latter is kept. Any
/// thread.
class TaskWorth {
public:
  using Duration = std::chrono::nanoseconds;
  /// To hand a task over and hear of its end costs two releases and two messages.
  static constexpr Duration kLeast = std::chrono::microseconds(30);

  /// Whether this one is to be measured: the first ones, and then one of sixteen.
  bool isDue(const void *code, unsigned depth) const {
    const Kind &kind = kindOf(code, depth);
    const std::uint32_t seen = kind.seen.fetch_add(1, std::memory_order_relaxed);
    return seen < kFirst || seen % kEvery == 0;
  }
  void note(const void *code, unsigned depth, Duration taken) {
    Kind &kind = kinds_[indexOf(code, depth)];
    const std::uint64_t name = nameOf(code, depth), now = std::uint64_t(taken.count());
    if (kind.name.exchange(name, std::memory_order_relaxed) != name)
      return kind.mean.store(now, std::memory_order_relaxed);
    const std::uint64_t before = kind.mean.load(std::memory_order_relaxed);
    kind.mean.store(before - before / 4 + now / 4, std::memory_order_relaxed);
  }
  /// True of kinds that are not known.
  bool isWorth(const void *code, unsigned depth) const {
    const Kind &kind = kindOf(code, depth);
    return kind.name.load(std::memory_order_relaxed) != nameOf(code, depth) ||
           kind.mean.load(std::memory_order_relaxed) >= std::uint64_t(kLeast.count());
  }

private:
  static constexpr unsigned kKinds = 1024, kFirst = 4, kEvery = 16, kMostDepth = 255;
  struct Kind {
    std::atomic<std::uint64_t> name{0}, mean{0}; ///< In nanoseconds.
    mutable std::atomic<std::uint32_t> seen{0};
  };
  static std::uint64_t nameOf(const void *code, unsigned depth) {
    return (reinterpret_cast<std::uint64_t>(code) << 8) | (depth < kMostDepth ? depth : kMostDepth);
  }
  static std::size_t indexOf(const void *code, unsigned depth) {
    return (nameOf(code, depth) * 0x9e3779b97f4a7c15) >> 54;
  }
  const Kind &kindOf(const void *code, unsigned depth) const {
    return kinds_[indexOf(code, depth)];
  }

  std::array<Kind, kKinds> kinds_;
};

} // namespace ompdsm
