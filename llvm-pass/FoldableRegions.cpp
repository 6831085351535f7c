// FoldableRegions.cpp: what a region and all that it calls may do.
#include "FoldableRegions.h"
#include "OpenMPEntries.h"
#include "QuietFunctions.h"
#include "RuntimeCallees.h"
#include "SynchronisationPoints.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Arguments of __ompdsm_reduce.
constexpr unsigned kCombiner = 5, kSizes = 7, kNowait = 8;

/// Regions have numbers of the thread before what they capture.
bool mayBeRegion(const Function &function) {
  return function.hasExactDefinition() && function.hasAddressTaken() &&
         function.getReturnType()->isVoidTy() && function.arg_size() >= 2 &&
         function.getArg(0)->getType()->isPointerTy() &&
         function.getArg(1)->getType()->isPointerTy();
}

bool namesThreadLocal(const Value *value, unsigned depth = 0) {
  if (auto *variable = dyn_cast<GlobalVariable>(value))
    return variable->isThreadLocal();
  auto *constant = dyn_cast<Constant>(value);
  if (!constant || isa<GlobalValue>(constant))
    return false;
  constexpr unsigned kDeepest = 4;
  return depth == kDeepest || any_of(constant->operands(), [&](const Use &operand) {
           return namesThreadLocal(operand, depth + 1);
         });
}

/// A load may wait in a loop for what another thread will store. The pass's own ones are marked.
bool mayWaitForValue(const Instruction &instruction) {
  if (instruction.hasMetadata(LLVMContext::MD_nosanitize))
    return false;
  if (auto *call = dyn_cast<CallBase>(&instruction); call && call->isInlineAsm())
    return true;
  return instruction.isVolatile() || (instruction.isAtomic() && !isa<AtomicRMWInst>(instruction) &&
                                      !isa<StoreInst>(instruction));
}

/// What changes nothing, or takes what is there, may be how a thread looks whether another one has
/// come: __sync_fetch_and_add(&arrived, 0) in a loop.
bool mayAwait(const CallBase &update) {
  auto *operand = dyn_cast<ConstantInt>(update.getArgOperand(1));
  auto *operation = dyn_cast<ConstantInt>(update.getArgOperand(2));
  return !update.use_empty() && (!operation || operation->getZExtValue() == OMPDSM_ATOMIC_XCHG ||
                                 (operand && (operand->isZero() || operand->isMinusOne())));
}

/// Whether it is a function of the runtime that waits for other nodes at most, and that does not
/// get what a program may wait for.
bool isPatientRuntimeFunction(const Function &callee) {
  const bool isOfRuntime = StringSwitch<bool>(callee.getName())
#define OMPDSM_ABI(result, name, parameters, convention) .Case(#name, true)
#define OMPDSM_ALLOC(name)
#define OMPDSM_TWIN(name)
#include "ompdsm/abi.def"
#undef OMPDSM_ABI
#undef OMPDSM_ALLOC
#undef OMPDSM_TWIN
                               .Default(false);
  return isOfRuntime &&
         none_of(ArrayRef({Callee::__ompdsm_atomic_load, Callee::__ompdsm_atomic_load_sized,
                           Callee::__ompdsm_atomic_cmpxchg, Callee::__ompdsm_atomic_cmpxchg_sized,
                           Callee::__ompdsm_fence, Callee::__ompdsm_waited_single}),
                 [&](Callee other) { return callee.getName() == RuntimeCallees::nameOf(other); });
}

/// Whether what it combines are the bytes of the objects: it follows no pointer in them to memory
/// that ends with a thread's part.
bool combinesBytes(const Value &combiner) {
  auto *function = dyn_cast<Function>(combiner.stripPointerCasts());
  if (!function || !function->hasExactDefinition())
    return false;
  const auto isOfArguments = [](const Value *pointer) {
    const Value *object = getUnderlyingObject(pointer);
    if (auto *load = dyn_cast<LoadInst>(object)) // Without optimisation arguments lie in memory.
      object = isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand())) ? object : nullptr;
    return object && (isa<Argument>(object) || isa<AllocaInst>(object) || isa<LoadInst>(object));
  };
  return all_of(instructions(*function), [&](const Instruction &instruction) {
    if (isa<IntToPtrInst>(instruction))
      return false;
    if (auto *load = dyn_cast<LoadInst>(&instruction); load && load->getType()->isPointerTy())
      return isOfArguments(load->getPointerOperand());
    return !isa<CallBase>(instruction) || isa<IntrinsicInst>(instruction);
  });
}

bool foldsReduction(const CallBase &call) {
  auto *nowait = dyn_cast<ConstantInt>(call.getArgOperand(kNowait));
  return nowait && nowait->isOne() &&
         (isa<ConstantPointerNull>(call.getArgOperand(kSizes)->stripPointerCasts()) ||
          combinesBytes(*call.getArgOperand(kCombiner)));
}

/// Whether nothing follows that anybody could notice.
bool isLastOfFunction(const Instruction &barrier) {
  SmallPtrSet<const BasicBlock *, 8> seen;
  SmallVector<BasicBlock::const_iterator, 8> work{std::next(barrier.getIterator())};
  while (!work.empty()) {
    BasicBlock::const_iterator at = work.pop_back_val();
    const BasicBlock *block = at->getParent();
    for (; at != block->end(); ++at)
      if (!at->isDebugOrPseudoInst() && !at->isLifetimeStartOrEnd() &&
          (at->mayReadOrWriteMemory() || at->mayThrow()))
        return false;
    for (const BasicBlock *next : successors(block))
      if (seen.insert(next).second)
        work.push_back(next->begin());
  }
  return true;
}

class Look {
public:
  using Libraries = function_ref<const TargetLibraryInfo &(Function &)>;

  Look(Function &region, Libraries libraryOf) : region_(region), libraryOf_(libraryOf) {}

  bool isFoldable() {
    reach(region_);
    while (!work_.empty())
      if (Function *function = work_.pop_back_val();
          function->hasFnAttribute(Attribute::ReturnsTwice) || !isFoldable(*function))
        return false;
    return true;
  }

private:
  void reach(Function &function) {
    if (seen_.insert(&function).second)
      work_.push_back(&function);
  }

  bool isFoldable(Function &function) {
    const TargetLibraryInfo &library = libraryOf_(function);
    return allOnWayBack(function, [&](const Instruction &instruction) {
      return none_of(instruction.operands(),
                     [](const Use &operand) { return namesThreadLocal(operand); }) &&
             !mayWaitForValue(instruction) && isFoldable(instruction, library);
    });
  }

  bool isFoldable(const Instruction &instruction, const TargetLibraryInfo &library) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call)
      return !isa<FenceInst>(instruction);
    if (isa<IntrinsicInst>(call))
      return !maySynchronise(instruction, library);
    Function *callee = call->getCalledFunction();
    if (!callee)
      return false;
    if (callee->hasExactDefinition()) {
      reach(*callee);
      return true;
    }
    if (callee->getName() == RuntimeCallees::nameOf(Callee::__ompdsm_reduce))
      return foldsReduction(*call);
    if (callee->getName() == RuntimeCallees::nameOf(Callee::__ompdsm_atomic_rmw))
      return !mayAwait(*call);
    if (isTeamBarrier(*call))
      return call->getFunction() == &region_ && isLastOfFunction(*call);
    return isFoldableOpenMPEntry(*call) || isPatientRuntimeFunction(*callee) ||
           !maySynchronise(instruction, library);
  }

  Function &region_;
  const Libraries libraryOf_;
  SmallPtrSet<const Function *, 16> seen_;
  SmallVector<Function *, 8> work_;
};

} // namespace

SmallPtrSet<const Function *, 16>
foldableRegions(Module &module, function_ref<const TargetLibraryInfo &(Function &)> libraryOf) {
  SmallPtrSet<const Function *, 16> found;
  for (Function &function : module)
    if (mayBeRegion(function) && Look(function, libraryOf).isFoldable())
      found.insert(&function);
  return found;
}

} // namespace ompdsm
