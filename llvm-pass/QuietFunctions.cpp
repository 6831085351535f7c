// QuietFunctions.cpp: one look at each function, and then what follows for its callers.
#include "QuietFunctions.h"
#include "SynchronisationPoints.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

constexpr const char *kQuietAttribute = "ompdsm-quiet";

/// A definition that another one may replace synchronises where that one does. A coroutine that is
/// not split yet returns in its middle.
bool mayBeQuiet(const Function &function) {
  return function.hasExactDefinition() && !function.hasFnAttribute(Attribute::Naked) &&
         !function.hasFnAttribute(Attribute::ReturnsTwice) && !function.isPresplitCoroutine();
}

/// Whether the instruction may end the function so that its caller goes on. In a function that does
/// not unwind no exception does that; an invoke may, which need not catch all.
bool mayReturn(const Instruction &instruction) {
  return isa<ReturnInst>(instruction) ||
         (instruction.mayThrow() && !instruction.getFunction()->doesNotThrow());
}

class Marker {
public:
  using Libraries = function_ref<const TargetLibraryInfo &(Function &)>;

  void look(Function &function, const TargetLibraryInfo &library) {
    const bool hasOnlyCalls = allOnWayBack(function, [&](const Instruction &instruction) {
      if (!maySynchronise(instruction, library))
        return true;
      auto *call = dyn_cast<CallBase>(&instruction);
      Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !mayBeQuiet(*callee))
        return false;
      callers_[callee].push_back(&function);
      return true;
    });
    (hasOnlyCalls ? looked_ : loud_).push_back(&function);
  }

  bool mark() {
    while (!loud_.empty()) {
      Function *function = loud_.pop_back_val();
      if (isLoud_.insert(function).second)
        append_range(loud_, callers_.lookup(function));
    }
    bool changed = false;
    for (Function *function : looked_)
      if (!isLoud_.contains(function)) {
        function->addFnAttr(kQuietAttribute);
        changed = true;
      }
    return changed;
  }

private:
  SmallVector<Function *, 16> looked_; ///< Quiet if all that they call is.
  SmallVector<Function *, 16> loud_;
  SmallPtrSet<const Function *, 16> isLoud_;
  DenseMap<const Function *, SmallVector<Function *, 4>> callers_;
};

} // namespace

bool markQuietFunctions(Module &module,
                        function_ref<const TargetLibraryInfo &(Function &)> libraryOf) {
  bool changed = unmarkQuietFunctions(module);
  Marker marker;
  for (Function &function : module)
    if (mayBeQuiet(function))
      marker.look(function, libraryOf(function));
  changed |= marker.mark();
  return changed;
}

bool unmarkQuietFunctions(Module &module) {
  bool changed = false;
  for (Function &function : module)
    if (function.hasFnAttribute(kQuietAttribute)) {
      function.removeFnAttr(kQuietAttribute);
      changed = true;
    }
  return changed;
}

bool isQuietFunction(const Function &function) { return function.hasFnAttribute(kQuietAttribute); }

bool allOnWayBack(const Function &function, function_ref<bool(const Instruction &)> isSo) {
  const auto returning = blocksThatReturn(function);
  for (const BasicBlock &block : function) {
    bool returns = any_of(successors(&block),
                          [&](const BasicBlock *next) { return returning.contains(next); });
    for (const Instruction &instruction : reverse(block)) {
      returns |= mayReturn(instruction);
      if (returns && !isSo(instruction))
        return false;
    }
  }
  return true;
}

SmallPtrSet<const BasicBlock *, 16> blocksThatReturn(const Function &function) {
  SmallPtrSet<const BasicBlock *, 16> found;
  SmallVector<const BasicBlock *, 16> work;
  for (const BasicBlock &block : function)
    if (any_of(block, mayReturn))
      work.push_back(&block);
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (found.insert(block).second)
      append_range(work, predecessors(block));
  }
  return found;
}

PreservedAnalyses QuietFunctionsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  auto &functionAnalyses =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  markQuietFunctions(module, [&](Function &function) -> const TargetLibraryInfo & {
    return functionAnalyses.getResult<TargetLibraryAnalysis>(function);
  });
  return PreservedAnalyses::all(); // No analysis knows the mark.
}

} // namespace ompdsm
