#include "protocol/engine/ServedDigest.h"
#include <immintrin.h>
#include <xxh_x86dispatch.h>

namespace ompdsm {

namespace {
[[gnu::target("avx")]] void clearUpperHalves() { _mm256_zeroupper(); }
} // namespace

ServedDigest servedDigestOf(const std::byte *contents, std::size_t bytes) {
  const XXH128_hash_t hash = XXH3_128bits_dispatch(contents, bytes);
  // xxHash 0.8.1 leaves upper halves of vector registers in use. Then each instruction of code that
  // knows SSE only, as most of libm does, waits for the last one of its register, until code that
  // knows AVX happens to clear them: a program with fmod in its loops took four times as long.
  static const bool hasAvx = __builtin_cpu_supports("avx");
  if (hasAvx)
    clearUpperHalves();
  return {hash.low64, hash.high64};
}

} // namespace ompdsm
