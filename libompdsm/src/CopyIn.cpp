// CopyIn.cpp: which captures of a region are thread-local.
#include "libompdsm/src/CopyIn.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/ThreadLocalStorage.h"
#include <algorithm>

namespace ompdsm {
namespace {

/// Below the least address that the kernel gives out, and the middle of what is taken for it: the
/// use may be of a member, or of an element before. Checks find nothing missing there.
constexpr Address kNowhere = 0x6800, kReach = 0x800;

} // namespace

void reportForeignThreadLocal(const siginfo_t &info) {
  const auto fault = reinterpret_cast<Address>(info.si_addr);
  const RegionFrame *frame = enclosingSpreadFrame();
  if (info.si_code <= 0 || !frame || fault < kNowhere - kReach || fault >= kNowhere + kReach)
    return;
  fatalWithCode(
      128 + SIGSEGV,
      "the parallel region at %s shares a thread-local variable of the thread that starts it by a "
      "reference or pointer, and OpenMP thread %u of another node uses it, which is not "
      "supported on more than one node; run with -n 1",
      sourceLine(frame->region->location).c_str(), frame->globalThread);
}

std::vector<void *> CopyIns::forOtherNodes(const Ident *location, std::vector<void *> arguments) {
  const std::vector<AddressRange> threadLocals = ownThreadLocals();
  for (void *&argument : arguments) {
    if (!isIn(threadLocals, argument))
      continue;
    const auto variable =
        std::find_if(announced_.begin(), announced_.end(),
                     [&](const Variable &known) { return known.address == argument; });
    argument = variable == announced_.end()
                   ? reinterpret_cast<void *>(kNowhere)
                   : copies_.add(location, variable->address, variable->bytes);
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
