// ThreadPrivates.cpp: each thread's copies by the address of the original.
#include "libompdsm/src/ThreadPrivates.h"
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include <cstring>
#include <memory>

namespace ompdsm {
namespace {

struct Copy {
  void *memory = nullptr;
  std::size_t bytes = 0;
};
using Copies = std::unordered_map<const void *, Copy>;
// A thread's own state, as ThreadContext.
thread_local constinit Copies *copies __attribute__((tls_model("initial-exec"))) = nullptr;

} // namespace

std::vector<std::byte> ThreadPrivates::initialContents(const void *original, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  std::vector<std::byte> &contents = initial_[original];
  if (contents.empty()) {
    // On node 0 nobody has written the original yet: compiled code asks before it does. On the
    // other nodes it is kept since the start.
    const std::byte *source = runtime_.initialGlobals.find(original, bytes);
    if (!source)
      source = static_cast<const std::byte *>(original);
    contents.assign(source, source + bytes);
  }
  return contents;
}

void *ThreadPrivates::copyOf(const Ident *location, void *original, std::size_t bytes) {
  if (!copies)
    copies = new Copies;
  Copy &copy = (*copies)[original];
  if (copy.memory && copy.bytes != bytes)
    fatal("the threadprivate variable at %s has %zu bytes there and %zu elsewhere: declare it with "
          "the same size in all units",
          sourceLine(location).c_str(), bytes, copy.bytes);
  if (copy.memory)
    return copy.memory;
  const std::vector<std::byte> initial = initialContents(original, bytes);
  // The original of node 0's initial thread is noted above, before that thread may write it.
  copy.bytes = bytes;
  copy.memory = currentThread.initial
                    ? original
                    : allocateMemory(HeapKind::Application, bytes, 64, /*zeroed=*/false);
  if (!copy.memory)
    fatal("there is no memory for a thread's copy of %zu bytes of the threadprivate variable at %s",
          bytes, sourceLine(location).c_str());
  if (copy.memory != original) {
    ensureWrite(copy.memory, bytes);
    std::memcpy(copy.memory, initial.data(), bytes);
  }
  return copy.memory;
}

void freeThreadPrivateCopies() {
  if (!copies)
    return;
  for (const auto &[original, copy] : *copies)
    if (copy.memory != original)
      freeMemory(copy.memory);
  delete copies;
  copies = nullptr;
}

} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void *__kmpc_threadprivate_cached(Ident *location, std::int32_t gtid, void *original,
                                                std::size_t bytes, void ***cache) {
  return jobIsSpread()
             ? team().threadPrivates().copyOf(location, original, bytes)
             : libomp().__kmpc_threadprivate_cached(location, gtid, original, bytes, cache);
}

OMPDSM_EXPORT void *__kmpc_threadprivate(Ident *location, std::int32_t gtid, void *original,
                                         std::size_t bytes) {
  return jobIsSpread() ? team().threadPrivates().copyOf(location, original, bytes)
                       : libomp().__kmpc_threadprivate(location, gtid, original, bytes);
}

OMPDSM_EXPORT void __kmpc_threadprivate_register(Ident *location, void *original, void *construct,
                                                 void *copyConstruct, void *destroy) {
  // The other nodes run no initialisers of the program, so they would not know of the constructor.
  if (jobIsSpread())
    fatal(
        "the threadprivate object at %s has a constructor or destructor, which is not supported on "
        "more than one node without thread-local storage: compile without -fnoopenmp-use-tls, or "
        "run with -n 1",
        sourceLine(location).c_str());
  libomp().__kmpc_threadprivate_register(location, original, construct, copyConstruct, destroy);
}
