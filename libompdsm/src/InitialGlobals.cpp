// InitialGlobals.cpp: by mremap, which moves pages without copying them.
#include "libompdsm/src/InitialGlobals.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace ompdsm {

Status InitialGlobals::moveAway(AddressRange range) {
  constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  auto failed = [&](const char *what) {
    return Status::error(std::string("cannot move the initial values of global variables away: ") +
                         what + ": " + std::strerror(errno));
  };
  // The range may consist of several mappings (of the file, and of zeros): each page goes by itself
  // if the whole does not go at once.
  void *place = mmap(nullptr, range.bytes(), PROT_READ, kPrivate, -1, 0);
  if (place == MAP_FAILED)
    return failed("mmap");
  auto *contents = static_cast<std::byte *>(place);
  for (Address at = range.begin, step = range.bytes(); at < range.end;) {
    void *to = contents + (at - range.begin);
    if (mremap(reinterpret_cast<void *>(at), step, step, MREMAP_MAYMOVE | MREMAP_FIXED, to) == to)
      at += step;
    else if (step > kPageBytes && errno == EFAULT)
      step = kPageBytes;
    else
      return failed("mremap");
  }
  if (mmap(reinterpret_cast<void *>(range.begin), range.bytes(), PROT_READ | PROT_WRITE,
           kPrivate | MAP_FIXED, -1, 0) == MAP_FAILED)
    return failed("mmap");
  moved_.push_back({range, contents});
  return Status::ok();
}

const std::byte *InitialGlobals::find(const void *global, std::size_t bytes) const {
  const auto address = reinterpret_cast<Address>(global);
  for (const Moved &moved : moved_)
    if (moved.range.contains(address) && bytes <= moved.range.end - address)
      return moved.contents + (address - moved.range.begin);
  return nullptr;
}

} // namespace ompdsm
