// RegionMarks.cpp: prefix data, which the back end puts directly before a function's entry.
#include "RegionMarks.h"
#include "ompdsm/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

constexpr StringRef kForks[] = {"__kmpc_fork_call", "__kmpc_fork_call_if", "__kmpc_fork_teams"};
constexpr unsigned kRegionArgument = 2;

} // namespace

bool markRegions(Module &module) {
  static constexpr uint64_t kMark[] = OMPDSM_REGION_MARK;
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
      if (!region || region->isDeclaration() || region->hasPrefixData())
        continue;
      region->setPrefixData(ConstantDataArray::get(module.getContext(), ArrayRef(kMark)));
      changed = true;
    }
  }
  return changed;
}

} // namespace ompdsm
