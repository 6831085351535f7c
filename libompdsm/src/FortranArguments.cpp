// FortranArguments.cpp: permissions for what flang's runtime gets: variables, texts and the arrays
// behind descriptors (CFI_cdesc_t of ISO_Fortran_binding.h, Fortran 2018, section 18.5).
//
// Components of derived types that are allocated for themselves are not followed.
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Runtime.h"
#include <algorithm>
#include <cstdlib>

namespace ompdsm {
namespace {

struct Dimension {
  std::int64_t lowerBound, extent, byteStride;
};
struct Descriptor {
  std::byte *base;
  std::uint64_t elementBytes;
  std::int32_t version;
  std::uint8_t rank;
  std::int8_t type;
  std::uint8_t attribute;
  std::uint8_t extra;
  Dimension dimensions[15];
};
constexpr std::size_t kHeadBytes = offsetof(Descriptor, dimensions);
constexpr std::uint8_t kMaxRank = std::size(Descriptor{}.dimensions);
/// CFI_VERSION of flang 22 and of those before 20.
constexpr std::int32_t kVersions[] = {20240719, 20180515};
/// The largest scalar: COMPLEX(16).
constexpr std::size_t kScalarBytes = 32;
constexpr std::size_t kMaxTextBytes = 1 << 20;
/// Elements that lie closer are asked for with what is between them.
constexpr std::int64_t kNearBytes = 1024;

void ensureArea(std::byte *begin, std::size_t bytes, bool write) {
  if (write)
    ensureWrite(begin, bytes);
  else
    ensureRead(begin, bytes);
}

bool isDescriptor(const void *p) {
  const auto address = reinterpret_cast<Address>(p);
  // A scalar at the end of what is mapped must not be read beyond.
  if (address % alignof(Descriptor) != 0 ||
      (pageOf(address) != pageOf(address + kHeadBytes - 1) && !runtime()->addressMap.find(address)))
    return false;
  ensureRead(p, kHeadBytes);
  const auto *descriptor = static_cast<const Descriptor *>(p);
  return std::find(std::begin(kVersions), std::end(kVersions), descriptor->version) !=
             std::end(kVersions) &&
         descriptor->rank <= kMaxRank;
}

/// The elements of dimensions [0, rank) from `base` on.
void ensureElements(const Descriptor &array, std::byte *base, unsigned rank, bool write) {
  // What lies without gaps, or nearly so, is one range.
  std::int64_t low = 0, high = static_cast<std::int64_t>(array.elementBytes);
  unsigned inner = 0;
  for (; inner < rank; ++inner) {
    const Dimension &dimension = array.dimensions[inner];
    if (std::abs(dimension.byteStride) > high - low + kNearBytes)
      break;
    const std::int64_t span = (dimension.extent - 1) * dimension.byteStride;
    (span < 0 ? low : high) += span;
  }
  if (inner == rank)
    return ensureArea(base + low, static_cast<std::size_t>(high - low), write);
  const Dimension &outermost = array.dimensions[rank - 1];
  for (std::int64_t i = 0; i < outermost.extent; ++i)
    ensureElements(array, base + i * outermost.byteStride, rank - 1, write);
}

/// Of a pointer, whose elements are in one piece.
void ensureFooter(const Descriptor &array) {
  std::size_t elements = 1;
  for (unsigned i = 0; i < array.rank; ++i)
    elements *= std::size_t(std::max<std::int64_t>(array.dimensions[i].extent, 0));
  if (array.base)
    ensureRead(array.base + elements * array.elementBytes, kFortranFooterBytes);
}

void ensureDescribed(Descriptor &array, bool write) {
  ensureArea(reinterpret_cast<std::byte *>(&array), kHeadBytes + array.rank * sizeof(Dimension),
             write);
  const bool empty = std::any_of(array.dimensions, array.dimensions + array.rank,
                                 [](const Dimension &d) { return d.extent <= 0; });
  if (array.base && array.elementBytes && !empty)
    ensureElements(array, array.base, array.rank, write);
}

} // namespace
} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void __ompdsm_fortran_argument(void *p, std::size_t bytes, int write) {
  Runtime *job = runtime();
  if (!p || !job || !job->engine || job->ended.load(std::memory_order_relaxed))
    return;
  if (isDescriptor(p)) {
    auto &array = *static_cast<Descriptor *>(p);
    ensureDescribed(array, write != 0);
    if (write == 2)
      ensureFooter(array);
  } else {
    ensureArea(static_cast<std::byte *>(p), bytes ? std::min(bytes, kMaxTextBytes) : kScalarBytes,
               write != 0);
  }
}
