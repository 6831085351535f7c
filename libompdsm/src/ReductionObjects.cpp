// ReductionObjects.cpp: packing and unpacking.
#include "libompdsm/src/ReductionObjects.h"
#include "fabric/Check.h"
#include <cstring>

namespace ompdsm {

std::vector<std::byte> packObjects(const ReductionCall &call) {
  std::vector<std::byte> bytes;
  for (std::int32_t i = 0; i < call.count; ++i) {
    auto *object = static_cast<const std::byte *>(call.data[i]);
    bytes.insert(bytes.end(), object, object + call.sizes[i]);
  }
  return bytes;
}

UnpackedObjects::UnpackedObjects(const ReductionCall &call, std::span<const std::byte> bytes) {
  std::size_t lines = 0;
  for (std::int32_t i = 0; i < call.count; ++i)
    lines += (call.sizes[i] + sizeof(Line) - 1) / sizeof(Line);
  storage_.resize(lines);
  data_.resize(std::size_t(call.count));
  std::size_t line = 0, offset = 0;
  for (std::int32_t i = 0; i < call.count; ++i) {
    std::size_t size = call.sizes[i];
    if (size == 0) {
      data_[i] = call.data[i];
      continue;
    }
    OMPDSM_CHECK(offset + size <= bytes.size());
    data_[i] = &storage_[line];
    std::memcpy(data_[i], bytes.data() + offset, size);
    offset += size;
    line += (size + sizeof(Line) - 1) / sizeof(Line);
  }
  OMPDSM_CHECK(offset == bytes.size());
}

} // namespace ompdsm
