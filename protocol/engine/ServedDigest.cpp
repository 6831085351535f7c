#include "protocol/engine/ServedDigest.h"
#include <xxh_x86dispatch.h>

namespace ompdsm {

ServedDigest servedDigestOf(const std::byte *contents, std::size_t bytes) {
  const XXH128_hash_t hash = XXH3_128bits_dispatch(contents, bytes);
  return {hash.low64, hash.high64};
}

} // namespace ompdsm
