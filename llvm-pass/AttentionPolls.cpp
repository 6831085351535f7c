// AttentionPolls.cpp: see AttentionPolls.h.
#include "AttentionPolls.h"
#include "ompdsm/abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Weights of the branch: another node waits for far less than one look in a million.
constexpr unsigned kWantedWeight = 1, kPassWeight = 1u << 20;

const CallBase *asCall(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) && !call->isInlineAsm() ? call : nullptr;
}

bool callsItself(Function &function) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    const CallBase *call = asCall(instruction);
    return call && call->getCalledFunction() == &function;
  });
}

bool isWorthALook(const Loop &loop) {
  return !loop.isInnermost() || any_of(loop.blocks(), [](const BasicBlock *block) {
    return any_of(*block, [](const Instruction &instruction) { return asCall(instruction); });
  });
}

} // namespace

SmallVector<Instruction *, 8> placesOfPolls(Function &function, const LoopInfo &loops) {
  SmallVector<Instruction *, 8> places;
  if (callsItself(function))
    places.push_back(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (isWorthALook(*loop)) {
      SmallVector<BasicBlock *, 4> latches;
      loop->getLoopLatches(latches);
      for (BasicBlock *latch : latches)
        places.push_back(latch->getTerminator());
    }
  return places;
}

void emitPolls(ArrayRef<Instruction *> places, const RuntimeCallees &callees,
               InstrumentationReport &report) {
  for (Instruction *place : places) {
    report.inserted(*place, Insertion::Poll);
    IRBuilder<> builder(place);
    Value *flag = builder.CreateIntToPtr(builder.getInt64(OMPDSM_ATTENTION), builder.getPtrTy());
    // Other nodes set it.
    LoadInst *wanted =
        builder.CreateAlignedLoad(builder.getInt8Ty(), flag, Align(1), /*isVolatile=*/true);
    wanted->setNoSanitizeMetadata();
    Instruction *end = SplitBlockAndInsertIfThen(
        builder.CreateICmpNE(wanted, builder.getInt8(0)), place->getIterator(),
        /*Unreachable=*/false,
        MDBuilder(builder.getContext()).createBranchWeights(kWantedWeight, kPassWeight));
    end->setDebugLoc(place->getDebugLoc());
    builder.SetInsertPoint(end);
    callees.call(builder, Callee::__ompdsm_attend, {});
  }
}

} // namespace ompdsm
