// ArgumentCopies.cpp: see ArgumentCopies.h.
#include "ArgumentCopies.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ompdsm {

bool isForArgument(const MemTransferInst &copy) {
  const auto *place = dyn_cast<AllocaInst>(copy.getRawDest());
  if (!place)
    return false;
  bool isPassed = false;
  for (const Use &use : place->uses()) {
    const auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call)
      return false;
    const bool byValue =
        call->isArgOperand(&use) && call->isByValArgument(call->getArgOperandNo(&use));
    const auto *transfer = dyn_cast<MemTransferInst>(call);
    if (!byValue && !call->isLifetimeStartOrEnd() && !(transfer && transfer->getRawDest() == place))
      return false;
    isPassed |= byValue;
  }
  return isPassed;
}

} // namespace ompdsm
