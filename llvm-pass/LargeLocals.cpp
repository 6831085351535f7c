// LargeLocals.cpp: see LargeLocals.h.
#include "LargeLocals.h"
#include "ModuleInstrumentation.h"
#include "PassOptions.h"
#include "RuntimeCallees.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Whether the value is where a local variable lies.
bool isPlace(const Value &value) {
  const auto *call = dyn_cast<CallBase>(&value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName() == RuntimeCallees::nameOf(Callee::__ompdsm_local_begin);
}

/// Follows an address through the module, also in local variables that hold it, as far as that is
/// easy: an object is right on the heap and on the stack.
class AddressUses {
public:
  explicit AddressUses(const TargetLibraryInfo &library) : library_(library) {}

  /// Whether somebody may get it who is no function of the module or of the C library.
  bool leave(const Value &address) {
    add(address, /*holds=*/false);
    while (!open_.empty()) {
      const Place place = open_.pop_back_val();
      for (const Use &use : place.getPointer()->uses())
        if (!follow(use, place.getInt()))
          return true;
    }
    return false;
  }

private:
  using Place = PointerIntPair<const Value *, 1, bool>; ///< And whether it holds the address.
  void add(const Value &value, bool holds) {
    if (const Place place(&value, holds); seen_.insert(place).second)
      open_.push_back(place);
  }

  /// Of the address, or, if it `holds`, of that of a local variable which has the address in it.
  /// False if it leaves.
  bool follow(const Use &use, bool holds) {
    const auto *user = cast<Instruction>(use.getUser());
    if (isa<ICmpInst, ReturnInst>(user)) // a function returns it to who has passed it
      return true;
    if (isa<LoadInst>(user)) {
      if (holds && user->getType()->isPointerTy())
        add(*user, /*holds=*/false);
      return true;
    }
    if (const auto *store = dyn_cast<StoreInst>(user)) {
      if (store->getValueOperand() != use.get())
        return true;
      const Value *variable = getUnderlyingObject(store->getPointerOperand());
      if (holds || !isa<AllocaInst>(variable))
        return false;
      add(*variable, /*holds=*/true);
      return true;
    }
    if (isa<GetElementPtrInst, BitCastInst, PHINode, SelectInst>(user)) {
      add(*user, holds);
      return true;
    }
    const auto *call = dyn_cast<CallBase>(user);
    return call && call->isArgOperand(&use) && pass(*call, call->getArgOperandNo(&use), holds);
  }

  bool pass(const CallBase &call, unsigned argument, bool holds) {
    const Function *callee = call.getCalledFunction();
    if (!callee)
      return false;
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
      return intrinsic->isAssumeLikeIntrinsic() || (isa<AnyMemIntrinsic>(intrinsic) && !holds);
    if (LibFunc function; callee->isDeclaration() && library_.getLibFunc(*callee, function))
      return !holds;
    if (!callee->hasExactDefinition() || argument >= callee->arg_size())
      return false;
    add(*callee->getArg(argument), holds);
    if (call.getType()->isPointerTy())
      add(call, holds);
    return !call.getType()->isAggregateType();
  }

  const TargetLibraryInfo &library_;
  SmallVector<Place, 16> open_;
  SmallDenseSet<Place, 16> seen_;
};

bool isMoved(const AllocaInst &local) {
  return any_of(local.users(), [](const User *user) { return isPlace(*user); });
}

/// A page: of what the runtime gives.
constexpr std::uint64_t kMostAlignment = 4096;

bool isLarge(const AllocaInst &local, const DataLayout &layout) {
  if (local.getAlign().value() > kMostAlignment)
    return false;
  if (!local.isStaticAlloca())
    return true;
  const std::optional<TypeSize> bytes = local.getAllocationSize(layout);
  return bytes && !bytes->isScalable() && bytes->getFixedValue() > OMPDSM_SMALL_OBJECT_BYTES;
}

class Mover {
public:
  explicit Mover(Function &function)
      : callees_(*function.getParent()), layout_(function.getParent()->getDataLayout()) {
    for (Instruction &instruction : instructions(function)) {
      if (isa<ReturnInst, ResumeInst>(instruction))
        exits_.push_back(&instruction);
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
          intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stackrestore)
        restores_.push_back(intrinsic);
    }
  }

  bool move(AllocaInst &local) {
    const bool isStatic = local.isStaticAlloca(), livesToEnd = isStatic || livesToEndOf(local);
    if (!livesToEnd && restores_.empty())
      return false; // of alloca, perhaps in a loop: nothing but its function's end would end it
    for (User *user : make_early_inc_range(local.users()))
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(user);
          intrinsic && intrinsic->isLifetimeStartOrEnd())
        intrinsic->eraseFromParent(); // only of what lies on the stack
    BasicBlock::iterator behind = std::next(local.getIterator());
    while (isStatic && isa<AllocaInst>(*behind))
      ++behind;
    IRBuilder<> builder(&*behind);
    CallInst *place = callees_.call(builder, Callee::__ompdsm_local_begin,
                                    {PoisonValue::get(local.getType()), bytesOf(local, builder)});
    local.replaceAllUsesWith(place);
    place->setArgOperand(0, &local);
    place->addFnAttr(Attribute::NoUnwind);
    place->addRetAttr(Attribute::NonNull);
    place->addRetAttr(Attribute::getWithAlignment(place->getContext(), local.getAlign()));
    if (!livesToEnd) {
      endDynamic();
      return true;
    }
    // The end gets it, so that all accesses stay before that.
    place->addRetAttr(Attribute::NoAlias);
    for (Instruction *exit : exits_) {
      IRBuilder<> end(exit);
      callees_.call(end, Callee::__ompdsm_local_end, {&local, place});
    }
    return true;
  }

private:
  /// Whether a variable of a size that is known at run time only is made once in a call and ends
  /// with it: an automatic array of Fortran.
  static bool livesToEndOf(const AllocaInst &local) {
    const BasicBlock &entry = local.getFunction()->getEntryBlock();
    return local.getParent() == &entry &&
           none_of(make_range(entry.begin(), local.getIterator()), [](const Instruction &before) {
             const auto *intrinsic = dyn_cast<IntrinsicInst>(&before);
             return intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stacksave;
           });
  }
  Value *bytesOf(const AllocaInst &local, IRBuilderBase &builder) const {
    const std::uint64_t each = layout_.getTypeAllocSize(local.getAllocatedType()).getFixedValue();
    Value *count =
        builder.CreateZExtOrTrunc(const_cast<Value *>(local.getArraySize()), builder.getInt64Ty());
    return builder.CreateMul(count, builder.getInt64(each));
  }
  /// What lies below a stack pointer ends when that comes back.
  void endDynamic() {
    if (std::exchange(endsDynamic_, true))
      return;
    for (IntrinsicInst *restore : restores_) {
      IRBuilder<> builder(restore);
      callees_.call(builder, Callee::__ompdsm_locals_end, {restore->getArgOperand(0)});
    }
  }

  RuntimeCallees callees_;
  const DataLayout &layout_;
  SmallVector<Instruction *, 4> exits_;
  SmallVector<IntrinsicInst *, 4> restores_;
  bool endsDynamic_ = false;
};

/// Whether nothing may stand between a call and its end, or its frame does not end there.
bool hasOtherEnds(const Function &function) {
  return function.isPresplitCoroutine() || any_of(function, [](const BasicBlock &block) {
           return block.getTerminatingMustTailCall();
         });
}

/// True if anything was changed.
bool moveLargeLocals(Function &function, const TargetLibraryInfo &library) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  SmallVector<AllocaInst *, 4> found;
  for (Instruction &instruction : instructions(function))
    if (auto *local = dyn_cast<AllocaInst>(&instruction);
        local && isLarge(*local, layout) && !isMoved(*local) && local->getAddressSpace() == 0 &&
        !local->isUsedWithInAlloca() && !local->isSwiftError() &&
        AddressUses(library).leave(*local))
      found.push_back(local);
  if (found.empty() || hasOtherEnds(function))
    return false;
  Mover mover(function);
  bool changed = false;
  for (AllocaInst *local : found)
    changed |= mover.move(*local);
  return changed;
}

} // namespace

PreservedAnalyses LargeLocalsPass::run(Module &module, ModuleAnalysisManager &analyses) {
  Expected<PassOptions> options = PassOptions::of(module);
  if (!options) { // the user is told by who instruments
    consumeError(options.takeError());
    return PreservedAnalyses::all();
  }
  auto &manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  bool changed = false;
  for (Function &function : module)
    if (!options->noLargeLocals && wantsInstrumentation(function))
      changed |= moveLargeLocals(function, manager.getResult<TargetLibraryAnalysis>(function));
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

std::uint64_t bytesOfLargeLocal(const Value &value) {
  const auto *bytes =
      isPlace(value) ? dyn_cast<ConstantInt>(cast<CallBase>(value).getArgOperand(1)) : nullptr;
  return bytes ? bytes->getZExtValue() : 0;
}

} // namespace ompdsm
