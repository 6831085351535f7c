// CodeMarks.cpp: prefix data, which the back end puts directly before a function's entry.
#include "CodeMarks.h"
#include "ompdsm/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// A function of OpenMP's runtime that gets code to run, and which argument that is.
struct CodeTaker {
  StringRef name;
  unsigned argument;
};
constexpr CodeTaker kTakers[] = {{"__kmpc_fork_call", 2},
                                 {"__kmpc_fork_call_if", 2},
                                 {"__kmpc_fork_teams", 2},
                                 {"__kmpc_omp_task_alloc", 5},
                                 {"__kmpc_omp_target_task_alloc", 5}};

bool mark(Function &function) {
  static constexpr uint64_t kMark[] = OMPDSM_CODE_MARK;
  if (function.hasPrefixData())
    return false;
  function.setPrefixData(ConstantDataArray::get(function.getContext(), ArrayRef(kMark)));
  return true;
}

bool markRegionsAndTasks(Module &module) {
  bool changed = false;
  for (const CodeTaker &taker : kTakers) {
    Function *taking = module.getFunction(taker.name);
    if (!taking)
      continue;
    for (User *user : taking->users()) {
      auto *call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledOperand() != taking || call->arg_size() <= taker.argument)
        continue;
      auto *code = dyn_cast<Function>(call->getArgOperand(taker.argument)->stripPointerCasts());
      if (code && !code->isDeclaration())
        changed |= mark(*code);
    }
  }
  return changed;
}

} // namespace

bool markCode(Module &module, ArrayRef<Function *> instrumented) {
  bool changed = markRegionsAndTasks(module);
  for (Function *function : instrumented)
    if (!function->hasLocalLinkage())
      changed |= mark(*function);
  return changed;
}

} // namespace ompdsm
