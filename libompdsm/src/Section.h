// Section.h: the part of memory that a nest of loops accesses: runs of bytes, repeated along up to
// two dimensions.
#pragma once
#include "protocol/engine/Engine.h"
#include <cstddef>
#include <utility>

namespace ompdsm {

/// `rows` repetitions, `stride` bytes apart.
struct Dimension {
  std::ptrdiff_t stride;
  std::size_t rows;
};
constexpr Dimension kOneRow{0, 1};

/// A section: runs of `bytes`, `inner.rows` of them in each of `outer.rows`.
struct Section {
  const std::byte *begin;
  std::size_t bytes;
  Access access;
  Dimension inner = kOneRow, outer = kOneRow;

  bool isEmpty() const { return bytes == 0 || inner.rows == 0 || outer.rows == 0; }
  /// The first and the last byte of a section that is not empty.
  std::pair<Address, Address> ends() const {
    Address first = reinterpret_cast<Address>(begin), last = first + bytes - 1;
    for (const Dimension &dimension : {inner, outer})
      (dimension.stride < 0 ? first : last) += reach(dimension);
    return {first, last};
  }
  /// Of a section that is not empty: strides are not negative, and rows that are near are one.
  /// Rows that no block of `blockBytes` fits into are only written.
  void simplify(std::size_t blockBytes) {
    pointForwards(inner);
    pointForwards(outer);
    joinRows();
    if (storesToAll(access) && !isWorthBlocks(blockBytes)) {
      access = Access::Write;
      joinRows();
    }
  }
  /// From the first byte to the last, once simplified.
  std::size_t extent() const { return reach(inner) + reach(outer) + bytes; }
  std::size_t rows() const { return inner.rows * outer.rows; }
  bool isOneRun() const { return inner.rows == 1 && outer.rows == 1; }
  /// Of one that is not one run, along its outer dimension if it has two.
  std::pair<Section, Section> halves() const {
    const auto along = outer.rows > 1 ? &Section::outer : &Section::inner;
    Section low = *this, high = *this;
    const std::size_t half = (this->*along).rows / 2;
    (low.*along).rows = half;
    (high.*along).rows -= half;
    high.begin += (this->*along).stride * std::ptrdiff_t(half);
    return {low, high};
  }

private:
  /// Rows that are this near are asked for as one: what lies between them is in the same blocks.
  /// But it is not overwritten.
  std::ptrdiff_t maxGapBytes() const { return storesToAll(access) ? 0 : 256; }
  /// Whether blocks lie wholly in a row; of rows that would else be one, many: all that is won is
  /// their twins.
  bool isWorthBlocks(std::size_t blockBytes) const {
    return bytes >= (access == Access::Rewrite && !isOneRun() ? 8 * blockBytes : blockBytes);
  }
  static std::size_t reach(const Dimension &dimension) {
    return std::size_t(dimension.stride) * (dimension.rows - 1);
  }
  void pointForwards(Dimension &dimension) {
    if (dimension.stride >= 0)
      return;
    begin += dimension.stride * std::ptrdiff_t(dimension.rows - 1);
    dimension.stride = -dimension.stride;
  }
  void joinRows() {
    joinIfNear(inner);
    if (inner.rows == 1)
      joinIfNear(outer);
  }
  void joinIfNear(Dimension &dimension) {
    if (dimension.stride - std::ptrdiff_t(bytes) > maxGapBytes())
      return;
    bytes += reach(dimension);
    dimension.rows = 1;
  }
};

} // namespace ompdsm
