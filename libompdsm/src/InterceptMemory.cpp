// InterceptMemory.cpp: memcpy and its family, for libraries (in instrumented code the pass asks
// before) and for the functions that are not intrinsics of the compiler.
//
// The runtime's own calls do not come here: the linker (--wrap) sends them to the functions at the
// end of this file, because the protocol touches shared memory that it must not ask for.
#include "libompdsm/src/Interception.h"
#include <algorithm>

using namespace ompdsm;

OMPDSM_INTERPOSE(void *, memcpy, (void *to, const void *from, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(from, bytes);
    ensureOverwrite(to, bytes);
  }
  return real_memcpy.get()(to, from, bytes);
}

OMPDSM_INTERPOSE(void *, memmove, (void *to, const void *from, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(from, bytes);
    ensureOverwrite(to, bytes);
  }
  return real_memmove.get()(to, from, bytes);
}

OMPDSM_INTERPOSE(void *, mempcpy, (void *to, const void *from, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(from, bytes);
    ensureOverwrite(to, bytes);
  }
  return real_mempcpy.get()(to, from, bytes);
}

OMPDSM_INTERPOSE(void *, memset, (void *to, int value, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureOverwrite(to, bytes);
  return real_memset.get()(to, value, bytes);
}

OMPDSM_INTERPOSE(void, bzero, (void *to, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureOverwrite(to, bytes);
  real_bzero.get()(to, bytes);
}

OMPDSM_INTERPOSE(int, memcmp, (const void *a, const void *b, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(a, bytes);
    ensureRead(b, bytes);
  }
  return real_memcmp.get()(a, b, bytes);
}

OMPDSM_INTERPOSE(int, bcmp, (const void *a, const void *b, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(a, bytes);
    ensureRead(b, bytes);
  }
  return real_bcmp.get()(a, b, bytes);
}

// The range may be larger than the object if the byte is found before, so this asks as it goes.
OMPDSM_INTERPOSE(void *, memchr, (const void *p, int value, std::size_t bytes)) {
  if (!mustAsk(OMPDSM_CALLER))
    return real_memchr.get()(p, value, bytes);
  const char *at = static_cast<const char *>(p);
  while (bytes != 0) {
    const std::size_t inLine =
        OMPDSM_LINE_BYTES - reinterpret_cast<Address>(at) % OMPDSM_LINE_BYTES;
    const std::size_t chunk = std::min(bytes, inLine);
    ensureRead(at, chunk);
    if (void *found = real_memchr.get()(at, value, chunk))
      return found;
    at += chunk;
    bytes -= chunk;
  }
  return nullptr;
}

// --- The runtime's own calls (see CMakeLists.txt, --wrap).

extern "C" {
void *__wrap_memcpy(void *to, const void *from, std::size_t bytes) {
  return real_memcpy.get()(to, from, bytes);
}
void *__wrap_memmove(void *to, const void *from, std::size_t bytes) {
  return real_memmove.get()(to, from, bytes);
}
void *__wrap_memset(void *to, int value, std::size_t bytes) {
  return real_memset.get()(to, value, bytes);
}
int __wrap_memcmp(const void *a, const void *b, std::size_t bytes) {
  return real_memcmp.get()(a, b, bytes);
}
int __wrap_bcmp(const void *a, const void *b, std::size_t bytes) {
  return real_bcmp.get()(a, b, bytes);
}
void *__wrap_memchr(const void *p, int value, std::size_t bytes) {
  return real_memchr.get()(p, value, bytes);
}
}

namespace ompdsm {

std::size_t ensureString(const char *text, std::size_t most) {
  std::size_t length = 0;
  while (length < most) {
    const char *at = text + length;
    const std::size_t inLine =
        OMPDSM_LINE_BYTES - reinterpret_cast<Address>(at) % OMPDSM_LINE_BYTES;
    const std::size_t chunk = std::min(most - length, inLine);
    ensureRead(at, chunk);
    if (const void *end = real_memchr.get()(at, 0, chunk))
      return length + static_cast<std::size_t>(static_cast<const char *>(end) - at);
    length += chunk;
  }
  return most;
}

void ensureWriteUpTo(void *p, std::size_t most) {
  const Address begin = reinterpret_cast<Address>(p);
  if (const Area *area = runtime()->addressMap.find(begin))
    ensureWrite(p, std::min<std::size_t>(most, area->end - begin));
}

} // namespace ompdsm
