// CodeMarks.cpp: prefix data, which the back end puts directly before a function's entry.
#include "CodeMarks.h"
#include "ompdsm/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

constexpr StringRef kForks[] = {"__kmpc_fork_call", "__kmpc_fork_call_if", "__kmpc_fork_teams"};
constexpr unsigned kRegionArgument = 2;

bool mark(Function &function) {
  static constexpr uint64_t kMark[] = OMPDSM_CODE_MARK;
  if (function.hasPrefixData())
    return false;
  function.setPrefixData(ConstantDataArray::get(function.getContext(), ArrayRef(kMark)));
  return true;
}

bool markRegions(Module &module) {
  bool changed = false;
  for (StringRef name : kForks) {
    Function *fork = module.getFunction(name);
    if (!fork)
      continue;
    for (User *user : fork->users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledOperand() != fork || call->arg_size() <= kRegionArgument)
        continue;
      auto *region = dyn_cast<Function>(call->getArgOperand(kRegionArgument)->stripPointerCasts());
      if (region && !region->isDeclaration())
        changed |= mark(*region);
    }
  }
  return changed;
}

} // namespace

bool markCode(Module &module, ArrayRef<Function *> instrumented) {
  bool changed = markRegions(module);
  for (Function *function : instrumented)
    if (!function->hasLocalLinkage())
      changed |= mark(*function);
  return changed;
}

} // namespace ompdsm
