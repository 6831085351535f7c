// AtomicLowering.cpp: see AtomicLowering.h.
#include "AtomicLowering.h"
#include "AtomicCalls.h"
#include "AtomicLoops.h"
#include "LibatomicCalls.h"
#include "SharedPointerAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/AtomicOrdering.h"

using namespace llvm;

namespace ompdsm {

namespace {

class Lowering {
public:
  Lowering(const RuntimeCallees &callees, SharedPointerAnalysis &shared,
           InstrumentationReport &report)
      : callees_(callees), calls_(callees), shared_(shared), report_(report) {}

  bool lower(Instruction &instruction) {
    if (auto *fence = dyn_cast<FenceInst>(&instruction))
      return lowerFence(*fence);
    if (auto *call = dyn_cast<CallInst>(&instruction))
      return lowerLibatomicCall(*call, calls_, shared_, report_);
    Value *pointer = getPointerOperand(&instruction);
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      pointer = update->getPointerOperand();
    else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      pointer = exchange->getPointerOperand();
    if (std::optional<Omission> why = shared_.whyPrivate(pointer)) {
      report_.omitted(instruction, *why);
      return false;
    }
    report_.inserted(instruction, Insertion::Atomic);
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      replace(*load, calls_.load(load, pointer, load->getType(), load->getAlign(),
                                 order(*load, load->getOrdering())));
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      lowerStore(*store);
    else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
      lowerUpdate(*update);
    else
      lowerExchange(cast<AtomicCmpXchgInst>(instruction));
    return true;
  }

private:
  static Value *order(Instruction &instruction, AtomicOrdering ordering) {
    return ConstantInt::get(Type::getInt32Ty(instruction.getContext()), unsigned(toCABI(ordering)));
  }

  static void replace(Instruction &instruction, Value *value) {
    instruction.replaceAllUsesWith(value);
    instruction.eraseFromParent();
  }

  void lowerStore(StoreInst &store) {
    calls_.store(&store, store.getPointerOperand(), store.getValueOperand(), store.getAlign(),
                 order(store, store.getOrdering()));
    store.eraseFromParent();
  }

  void lowerUpdate(AtomicRMWInst &update) {
    if (!AtomicCalls::isKnown(update.getOperation()))
      return report_.unsupported(
          update, "atomic operation '" + AtomicRMWInst::getOperationName(update.getOperation()) +
                      "' is not supported; use a critical section");
    if (update.use_empty() && update.getOrdering() == AtomicOrdering::Monotonic &&
        calls_.updateOnly(&update, update.getOperation(), update.getPointerOperand(),
                          update.getValOperand(), update.getAlign())) {
      update.eraseFromParent();
      return;
    }
    replace(update, calls_.update(&update, update.getOperation(), update.getPointerOperand(),
                                  update.getValOperand(), update.getAlign(),
                                  order(update, update.getOrdering())));
  }

  void lowerExchange(AtomicCmpXchgInst &exchange) {
    AtomicCalls::Exchanged result =
        calls_.compareExchange(&exchange, exchange.getPointerOperand(),
                               exchange.getCompareOperand(), exchange.getNewValOperand(),
                               exchange.getAlign(), order(exchange, exchange.getSuccessOrdering()),
                               order(exchange, exchange.getFailureOrdering()));
    IRBuilder<> builder(&exchange);
    Value *pair = builder.CreateInsertValue(PoisonValue::get(exchange.getType()), result.found, 0);
    replace(exchange, builder.CreateInsertValue(pair, result.succeeded, 1));
  }

  bool lowerFence(FenceInst &fence) {
    // A fence against signal handlers of the same thread concerns no other thread.
    if (fence.getSyncScopeID() == SyncScope::SingleThread)
      return false;
    IRBuilder<> builder(fence.getNextNode());
    builder.SetCurrentDebugLocation(fence.getDebugLoc());
    callees_.call(builder, Callee::__ompdsm_fence, {order(fence, fence.getOrdering())});
    report_.inserted(fence, Insertion::Fence);
    return true;
  }

  const RuntimeCallees &callees_;
  AtomicCalls calls_;
  SharedPointerAnalysis &shared_;
  InstrumentationReport &report_;
};

} // namespace

bool lowerAtomics(Function &function, const RuntimeCallees &callees,
                  InstrumentationReport &report) {
  SharedPointerAnalysis shared;
  bool changed = replaceAtomicLoops(function, callees, shared, report);
  SmallVector<Instruction *, 16> candidates;
  for (Instruction &instruction : instructions(function))
    if (instruction.isAtomic() || isa<FenceInst>(instruction) || isLibatomicCall(instruction))
      candidates.push_back(&instruction);
  Lowering lowering(callees, shared, report);
  for (Instruction *instruction : candidates)
    changed |= lowering.lower(*instruction);
  return changed;
}

} // namespace ompdsm
