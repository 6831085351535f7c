// Foldings.cpp: visits and what is told about them.
#include "libompdsm/src/Foldings.h"
#include "libompdsm/src/SourceLocation.h"
#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>

namespace ompdsm {

namespace {
/// Nanoseconds.
constexpr std::uint64_t kWaking = 5'000;
} // namespace

std::uint64_t steadyNanoseconds() {
  return std::uint64_t(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

unsigned magnitudeOf(std::span<void *const> captures) {
  constexpr unsigned kBitsOfNumbers = 40; // Addresses have more.
  unsigned magnitude = 0;
  for (void *capture : captures)
    if (const int bits = std::bit_width(reinterpret_cast<std::uintptr_t>(capture));
        unsigned(bits) <= kBitsOfNumbers)
      magnitude += unsigned(bits);
  return magnitude;
}

Foldings::Visit::Visit(Foldings &foldings, Region &region, unsigned threads)
    : foldings_(foldings), region_(region), threads_(threads), begin_(steadyNanoseconds()) {
  ++region.visits;
  region.folded += threads != 0;
}

void Foldings::Visit::end(std::uint64_t useful) {
  const RegionTimes times{.duration = steadyNanoseconds() - begin_, .useful = useful};
  if (threads_ != 0)
    region_.work.noteFolded(times, foldings_.limit_);
  else
    region_.work.noteSpread(times, foldings_.nodes_);
}

RegionWork Foldings::firstGuess(const Key &key) const {
  const auto from = [&](const auto &entry) {
    return entry->second.work.ofSize(std::ldexp(1.0, int(key.second) - int(entry->first.second)));
  };
  const auto above = regions_.lower_bound(key);
  if (above != regions_.begin())
    if (const auto below = std::prev(above); below->first.first == key.first)
      return from(below);
  if (above != regions_.end() && above->first.first == key.first)
    return from(above);
  return {};
}

std::optional<Foldings::Visit> Foldings::begin(const Ident *location, Microtask microtask,
                                               std::span<void *const> captures, bool mayFold,
                                               unsigned threadsHere) {
  if (!mayFold || mode_ == Mode::Never) {
    wasFolded_ = false;
    return std::nullopt;
  }
  const Key key(reinterpret_cast<const void *>(microtask), magnitudeOf(captures));
  auto entry = regions_.find(key);
  if (entry == regions_.end())
    entry = regions_.emplace(key, Region{firstGuess(key), location}).first;
  Region &region = entry->second;
  unsigned threads = 0;
  if (mode_ == Mode::Always)
    threads = threadsHere;
  else if (region.work.folds(limit_, wasFolded_))
    // One thread does what takes it no longer than waking the others, and waiting for them.
    threads = region.work.alone() * threadsHere <= kWaking ? 1 : threadsHere;
  wasFolded_ = threads != 0;
  return Visit(*this, region, threads);
}

std::vector<FoldedLine> Foldings::lines() const {
  std::map<const void *, FoldedLine> sums;
  for (const auto &[key, region] : regions_) {
    FoldedLine &sum = sums[key.first];
    sum.place = sourceLine(region.location);
    sum.visits += region.visits;
    sum.folded += region.folded;
    const double weight = 1e-9 * double(region.folded);
    sum.spreadSeconds += weight * double(region.work.spreadDuration());
    sum.foldedSeconds += weight * double(region.work.foldedDuration());
  }
  std::vector<FoldedLine> lines;
  for (auto &[microtask, sum] : sums) {
    if (sum.folded == 0)
      continue;
    sum.spreadSeconds /= double(sum.folded);
    sum.foldedSeconds /= double(sum.folded);
    lines.push_back(std::move(sum));
  }
  std::ranges::sort(lines, [](const FoldedLine &a, const FoldedLine &b) {
    return a.folded != b.folded ? a.folded > b.folded : a.place < b.place;
  });
  return lines;
}

} // namespace ompdsm
