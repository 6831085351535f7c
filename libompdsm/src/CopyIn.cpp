// CopyIn.cpp: copies of thread-local variables in the pinned heap.
#include "libompdsm/src/CopyIn.h"
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include <algorithm>
#include <cstring>

namespace ompdsm {

void *CopyIns::copyOf(const Ident *location, const Variable &variable,
                      const std::vector<AddressRange> &threadLocals) {
  auto *copy =
      static_cast<char *>(allocateMemory(HeapKind::Pinned, variable.bytes, 64, /*zeroed=*/false));
  if (!copy)
    fatal("there is no memory for a copy of %zu bytes that the parallel region at %s copies in",
          variable.bytes, sourceLine(location).c_str());
  copies_.push_back(copy);
  ensureWrite(copy, variable.bytes);
  std::memcpy(copy, variable.address, variable.bytes);
  // A pointer of the object into itself (a short std::string has one) points into the copy.
  auto *object = static_cast<char *>(variable.address);
  for (std::size_t at = 0; at + sizeof(char *) <= variable.bytes; at += sizeof(char *)) {
    char *pointer = nullptr;
    std::memcpy(&pointer, copy + at, sizeof pointer);
    if (!isIn(threadLocals, pointer))
      continue;
    if (pointer < object || pointer >= object + variable.bytes)
      fatal(
          "the parallel region at %s copies in a pointer to a thread-local variable, which is not "
          "supported on more than one node; run with -n 1",
          sourceLine(location).c_str());
    pointer = copy + (pointer - object);
    std::memcpy(copy + at, &pointer, sizeof pointer);
  }
  return copy;
}

std::vector<void *> CopyIns::forOtherNodes(const Ident *location, std::vector<void *> arguments) {
  const std::vector<AddressRange> threadLocals = ownThreadLocals();
  for (void *&argument : arguments) {
    if (!isIn(threadLocals, argument))
      continue;
    const auto variable =
        std::find_if(announced_.begin(), announced_.end(),
                     [&](const Variable &known) { return known.address == argument; });
    if (variable == announced_.end())
      fatal("the parallel region at %s shares a thread-local variable by a reference or pointer, "
            "which "
            "is not supported on more than one node; run with -n 1",
            sourceLine(location).c_str());
    argument = copyOf(location, *variable, threadLocals);
  }
  return arguments;
}

void CopyIns::release() {
  announced_.clear();
  for (void *copy : copies_)
    freeMemory(copy);
  copies_.clear();
}

} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void __ompdsm_capture_thread_local(void *variable, std::size_t bytes) {
  if (jobIsSpread() && startsSpreadRegion())
    team().copyIns().announce(variable, bytes);
}
