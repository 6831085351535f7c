// TwinRedirect.cpp: see TwinRedirect.h.
#include "TwinRedirect.h"
#include "RuntimeCallees.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"

#define DEBUG_TYPE "ompdsm"

using namespace llvm;

STATISTIC(NumRedirected, "Calls redirected to a twin in the runtime");

namespace ompdsm {

bool redirectToTwins(Module &module) {
  bool changed = false;
  for (StringRef name : RuntimeCallees::functionsWithTwins()) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      continue;
    SmallVector<CallBase *, 16> calls;
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user);
          call && call->getCalledOperand() == function &&
          call->getFunctionType() == function->getFunctionType())
        calls.push_back(call);
    if (calls.empty())
      continue;
    // The declaration's attributes (noalias, allocsize, ...) are as true of the twin.
    FunctionCallee twin = module.getOrInsertFunction(
        RuntimeCallees::twinOf(name), function->getFunctionType(), function->getAttributes());
    for (CallBase *call : calls)
      call->setCalledFunction(twin);
    NumRedirected += calls.size();
    changed = true;
  }
  return changed;
}

} // namespace ompdsm
