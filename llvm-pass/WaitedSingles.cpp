// WaitedSingles.cpp: looks at what comes first behind a single construct, where the thread that
// executes it and those that do not meet again.
#include "WaitedSingles.h"
#include "RuntimeCallees.h"
#include "llvm/Frontend/OpenMP/OMPConstants.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// Where the threads go on that do not execute the construct; null if the call's result is not what
/// decides that.
const BasicBlock *behind(const CallInst &single) {
  if (!single.hasOneUse())
    return nullptr;
  const auto *executes = dyn_cast<ICmpInst>(*single.user_begin());
  if (!executes || !executes->isEquality() || !executes->hasOneUse() ||
      !isa<ConstantInt>(executes->getOperand(1)) ||
      !cast<ConstantInt>(executes->getOperand(1))->isZero())
    return nullptr;
  const auto *branch = dyn_cast<BranchInst>(*executes->user_begin());
  if (!branch || !branch->isConditional())
    return nullptr;
  return branch->getSuccessor(executes->getPredicate() == ICmpInst::ICMP_EQ ? 0 : 1);
}

/// The first call of a block and of those that it alone leads to; null if there is none.
const CallBase *firstCall(const BasicBlock *block) {
  for (unsigned blocks = 0; block && blocks < 8; block = block->getSingleSuccessor(), ++blocks)
    for (const Instruction &instruction : *block)
      if (const auto *call = dyn_cast<CallBase>(&instruction); call && !isa<IntrinsicInst>(call))
        return call;
  return nullptr;
}

bool isBarrierOfSingle(const CallBase &call) {
  const auto *location =
      call.arg_empty() ? nullptr : dyn_cast<GlobalVariable>(call.getArgOperand(0));
  if (!location || !location->hasInitializer())
    return false;
  const auto *fields = dyn_cast<ConstantStruct>(location->getInitializer());
  const auto *flags = fields && fields->getNumOperands() > 1
                          ? dyn_cast<ConstantInt>(fields->getOperand(1))
                          : nullptr;
  using omp::IdentFlag;
  constexpr auto kMask = std::uint64_t(IdentFlag::OMP_IDENT_FLAG_BARRIER_IMPL_MASK),
                 kSingle = std::uint64_t(IdentFlag::OMP_IDENT_FLAG_BARRIER_IMPL_SINGLE);
  return flags && (flags->getZExtValue() & kMask) == kSingle;
}

bool isWaited(const CallInst &single) {
  const CallBase *call = firstCall(behind(single));
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee)
    return false;
  return callee->getName() == "__kmpc_copyprivate" ||
         (callee->getName() == "__kmpc_barrier" && isBarrierOfSingle(*call));
}

} // namespace

bool markWaitedSingles(Module &module) {
  Function *function = module.getFunction("__kmpc_single");
  if (!function || !function->isDeclaration())
    return false;
  const RuntimeCallees callees(module);
  bool changed = false;
  for (User *user : make_early_inc_range(function->users()))
    if (auto *call = dyn_cast<CallInst>(user);
        call && call->getCalledOperand() == function && isWaited(*call)) {
      call->setCalledFunction(callees.get(Callee::__ompdsm_waited_single));
      changed = true;
    }
  return changed;
}

} // namespace ompdsm
