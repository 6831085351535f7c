// Ordered.cpp: which flags are raised and awaited.
#include "libompdsm/src/Ordered.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/Team.h"
#include <optional>
#include <utility>

namespace ompdsm {

namespace {

FlaggedLoop orderedLoop(const RegionFrame &frame) {
  return {FlaggedLoop::Kind::Ordered, frame.ordered.loop};
}

void pass(RegionFrame &frame) {
  OrderedCursor &cursor = frame.ordered;
  if (++cursor.next < cursor.chunkEnd)
    return;
  cursor.mayEnter = false;
  team().iterationFlags().raise(frame, orderedLoop(frame), cursor.chunkEnd - 1);
}

/// Steps from the dimension's first value to `value`; none if the loop does not have that value.
std::optional<std::uint64_t> stepsTo(const DoacrossDimension &dimension, std::int64_t value) {
  const auto [lower, upper, stride] = dimension;
  if (stride > 0 ? value < lower || value > upper : value > lower || value < upper)
    return std::nullopt;
  // As unsigned numbers, because the distance may be larger than any signed one.
  return stride > 0 ? (std::uint64_t(value) - std::uint64_t(lower)) / std::uint64_t(stride)
                    : (std::uint64_t(lower) - std::uint64_t(value)) / (0 - std::uint64_t(stride));
}

/// The iteration's place in the nest's order.
std::optional<std::uint64_t> numberOf(const DoacrossCursor &cursor, const std::int64_t *vector) {
  unsigned __int128 number = 0;
  for (const DoacrossDimension &dimension : cursor.dimensions) {
    const std::optional<std::uint64_t> steps = stepsTo(dimension, *vector++);
    if (!steps)
      return std::nullopt;
    number = number * (*stepsTo(dimension, dimension.upper) + 1) + *steps;
    if (number > UINT64_MAX)
      fatal("a doacross loop nest has more than 2^64 iterations; give ordered a smaller argument");
  }
  return std::uint64_t(number);
}

FlaggedLoop doacrossLoop(const RegionFrame &frame) {
  return {FlaggedLoop::Kind::Doacross, frame.doacross->number};
}

} // namespace

void enterOrdered(RegionFrame &frame) {
  OrderedCursor &cursor = frame.ordered;
  if (!cursor.mayEnter && cursor.next != 0)
    team().iterationFlags().wait(frame, orderedLoop(frame), cursor.next - 1);
  cursor.mayEnter = true;
}

void leaveOrdered(RegionFrame &frame) {
  pass(frame);
  frame.ordered.passed = true;
}

void endOrderedIteration(RegionFrame &frame) {
  if (!std::exchange(frame.ordered.passed, false)) {
    enterOrdered(frame);
    pass(frame);
  }
}

void beginDoacross(RegionFrame &frame, const DoacrossDimension *dimensions, unsigned count) {
  frame.doacross = new DoacrossCursor{frame.doacrossMet++, {dimensions, dimensions + count}};
}

void postIteration(const RegionFrame &frame, const std::int64_t *vector) {
  if (const std::optional<std::uint64_t> number = numberOf(*frame.doacross, vector))
    team().iterationFlags().raise(frame, doacrossLoop(frame), *number);
}

void awaitIteration(const RegionFrame &frame, const std::int64_t *vector) {
  if (const std::optional<std::uint64_t> number = numberOf(*frame.doacross, vector))
    team().iterationFlags().wait(frame, doacrossLoop(frame), *number);
}

void endDoacross(RegionFrame &frame) {
  team().iterationFlags().releaseRaised();
  delete std::exchange(frame.doacross, nullptr);
}

} // namespace ompdsm
