// CopyIn.cpp: which captures of a region are thread-local.
#include "libompdsm/src/CopyIn.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/ThreadLocalStorage.h"
#include <algorithm>

namespace ompdsm {

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
    argument = copies_.add(location, variable->address, variable->bytes);
  }
  return arguments;
}

void CopyIns::release() {
  announced_.clear();
  copies_.clear();
}

} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void __ompdsm_capture_thread_local(void *variable, std::size_t bytes) {
  if (jobIsSpread() && startsSpreadRegion())
    team().copyIns().announce(variable, bytes);
}
