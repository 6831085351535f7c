// ReductionObjects.h: the objects of one reduction as bytes and back. Pure.
#pragma once
#include "libompdsm/src/LibompShim.h"
#include <cstddef>
#include <span>
#include <vector>

namespace ompdsm {

/// What __ompdsm_reduce got from the compiler.
struct ReductionCall {
  Ident *location = nullptr;
  std::int32_t gtid = 0;
  std::int32_t count = 0;           ///< Entries of data.
  void **data = nullptr;            ///< Pointers to this thread's private copies.
  ReduceFunction combine = nullptr; ///< combine(lhs array, rhs array).
  CriticalName *lock = nullptr;
  const std::size_t *sizes = nullptr; ///< Bytes of each object; 0: the entry itself is the value.
  bool nowait = false;
};

/// The objects of a reduction as a contiguous run of bytes.
std::vector<std::byte> packObjects(const ReductionCall &call);
/// A data array whose entries point into `bytes`; entries without a size are taken from `call`.
/// Objects are aligned as the allocator aligns, whatever their sizes.
class UnpackedObjects {
public:
  UnpackedObjects(const ReductionCall &call, std::span<const std::byte> bytes);
  void **data() { return data_.data(); }

private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> storage_;
  std::vector<void *> data_;
};

} // namespace ompdsm
