// UncheckedClones.cpp: see UncheckedClones.h.
#include "UncheckedClones.h"
#include "CoveredAccesses.h"
#include "ModuleInstrumentation.h"
#include "QuietFunctions.h"
#include "QuietLoops.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Of a function: the name of its clone. Of a clone: empty.
constexpr const char *kCloneAttribute = "ompdsm-unchecked-clone";
/// A larger function is called for more than what a few checks cost.
constexpr unsigned kMaxInstructions = 500;

bool isClone(const Function &function) {
  return function.hasFnAttribute(kCloneAttribute) &&
         function.getFnAttribute(kCloneAttribute).getValueAsString().empty();
}

/// Whether it points into what a function's caller can name: a variable, or what it has given to
/// the function itself (but not a copy of that, on the callee's stack).
bool isNamedByCallers(const Value &pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(&pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  return all_of(objects, [](const Value *object) {
    auto *argument = dyn_cast<Argument>(object);
    return argument ? !argument->hasByValAttr() : isa<GlobalVariable>(object);
  });
}

/// Of one that does not return something may synchronise.
bool keepsPermissions(const Function &function) {
  return function.hasFnAttribute(Attribute::NoSync) ||
         (isQuietFunction(function) && function.doesNotThrow());
}

bool mayHaveClone(const Function &function) {
  return wantsInstrumentation(function) && function.hasExactDefinition() && !function.isVarArg() &&
         !function.hasFnAttribute(Attribute::NoDuplicate) &&
         !function.hasFnAttribute(kCloneAttribute) && keepsPermissions(function) &&
         !function.doesNotAccessMemory() && function.getInstructionCount() <= kMaxInstructions;
}

/// What is on the way back to the caller. The rest checks for itself: it may come after something
/// that synchronises.
SmallVector<Access, 32> returningAccesses(Function &function, const TargetLibraryInfo &library) {
  const auto returning = blocksThatReturn(function);
  auto accesses = uncoveredAccesses(function, library);
  erase_if(accesses, [&](const Access &access) {
    return !returning.contains(access.instruction->getParent());
  });
  return accesses;
}

/// Whether all that it accesses is in variables and in the objects that its arguments point into.
bool accessesNamedObjectsOnly(Function &function, FunctionAnalysisManager &analyses) {
  return mayHaveClone(function) &&
         all_of(returningAccesses(function, analyses.getResult<TargetLibraryAnalysis>(function)),
                [](const Access &access) { return isNamedByCallers(*access.pointer); });
}

/// Whether the callee may go without checks, too: what it gets are objects that the caller of the
/// calling function has asked about, or that need no check.
bool passesNamedObjectsOnly(const CallBase &call) {
  SharedPointerAnalysis shared;
  return all_of(uncheckedCloneOf(call)->args(), [&](const Argument &parameter) {
    if (!parameter.getType()->isPointerTy() || parameter.hasAttribute(Attribute::ReadNone))
      return true;
    const Value &given = *call.getArgOperand(parameter.getArgNo());
    return isNamedByCallers(given) || shared.whyPrivate(&given);
  });
}

bool isCalledInLoop(const Function &function, FunctionAnalysisManager &analyses) {
  return any_of(function.users(), [&](const User *user) {
    auto *call = dyn_cast<CallBase>(user);
    return call && call->getCalledFunction() == &function &&
           analyses.getResult<LoopAnalysis>(*const_cast<Function *>(call->getFunction()))
               .getLoopFor(call->getParent());
  });
}

Function *cloneWithoutChecks(Function &function, FunctionAnalysisManager &analyses) {
  ValueToValueMapTy values;
  Function *clone = CloneFunction(&function, values);
  clone->setName(function.getName() + ".unchecked");
  clone->setLinkage(GlobalValue::InternalLinkage);
  clone->setComdat(nullptr);
  clone->addFnAttr(kCloneAttribute);
  function.addFnAttr(kCloneAttribute, clone->getName());
  for (const Access &access :
       returningAccesses(*clone, analyses.getResult<TargetLibraryAnalysis>(function)))
    markCovered(*access.instruction);
  return clone;
}

} // namespace

PreservedAnalyses UncheckedClonesPass::run(Module &module, ModuleAnalysisManager &analyses) {
  if (isHoistingSwitchedOff(module))
    return PreservedAnalyses::all();
  auto &functionAnalyses =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SetVector<Function *> functions;
  for (Function &function : module)
    if (isCalledInLoop(function, functionAnalyses) &&
        accessesNamedObjectsOnly(function, functionAnalyses))
      functions.insert(&function);
  if (functions.empty())
    return PreservedAnalyses::all();
  for (std::size_t i = 0; i < functions.size(); ++i)
    for (Instruction &instruction : instructions(*functions[i]))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction();
            callee && accessesNamedObjectsOnly(*callee, functionAnalyses))
          functions.insert(callee);
  SmallVector<Function *, 8> clones;
  for (Function *function : functions)
    clones.push_back(cloneWithoutChecks(*function, functionAnalyses));
  for (Function *clone : clones) {
    const auto returning = blocksThatReturn(*clone);
    for (Instruction &instruction : instructions(*clone))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && returning.contains(call->getParent()))
        if (Function *callee = uncheckedCloneOf(*call); callee && passesNamedObjectsOnly(*call))
          call->setCalledFunction(callee);
  }
  // Their callers will ask what they access (CalleeSections.h).
  FunctionPassManager forms;
  forms.addPass(LoopSimplifyPass());
  forms.addPass(LCSSAPass());
  for (Function *clone : clones)
    forms.run(*clone, functionAnalyses);
  return PreservedAnalyses::none();
}

Function *uncheckedCloneOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || !callee->hasFnAttribute(kCloneAttribute) || isClone(*callee))
    return nullptr;
  return const_cast<Module *>(call.getModule())
      ->getFunction(callee->getFnAttribute(kCloneAttribute).getValueAsString());
}

void VariablesOfClones::add(const Function &clone) {
  if (!seen_.insert(&clone).second)
    return;
  for (const Instruction &instruction : instructions(clone)) {
    if (auto *call = dyn_cast<CallBase>(&instruction)) {
      if (const Function *callee = call->getCalledFunction(); callee && isClone(*callee))
        add(*callee);
    } else if (const Value *pointer = getLoadStorePointerOperand(&instruction);
               pointer && isCovered(instruction)) {
      SmallVector<const Value *, 4> objects;
      getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
      for (const Value *object : objects)
        if (auto *variable = dyn_cast<GlobalVariable>(object))
          isWritten_[const_cast<GlobalVariable *>(variable)] |= isa<StoreInst>(instruction);
    }
  }
}

bool unmarkClones(Module &module) {
  bool changed = false;
  for (Function &function : module)
    if (function.hasFnAttribute(kCloneAttribute)) {
      function.removeFnAttr(kCloneAttribute);
      changed = true;
    }
  return changed;
}

} // namespace ompdsm
