// AttentionPolls.cpp: see AttentionPolls.h.
#include "AttentionPolls.h"
#include "RepeatedQuestions.h"
#include "ompdsm/abi.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Weights of the branch: another node waits for far less than one look in a million.
constexpr unsigned kWantedWeight = 1, kOnWeight = 1u << 20;

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

/// Inner loops of fewer iterations, as those that the vectoriser leaves, are short.
constexpr unsigned kFewIterations = 16;

/// Finds the loops whose iterations are long enough, each or, in the outermost ones, some.
class LongLoops {
public:
  LongLoops(const DominatorTree &dominators, ScalarEvolution &evolution)
      : dominators_(dominators), evolution_(evolution) {}

  bool contains(const Loop &loop, ArrayRef<BasicBlock *> latches) const {
    const bool isOutermost = isOutermostOfProgram(loop);
    const auto counts = [&](const BasicBlock *block) {
      return isOutermost || all_of(latches, [&](const BasicBlock *latch) {
               return dominators_.dominates(block, latch);
             });
    };
    return any_of(loop.getSubLoops(),
                  [&](const Loop *inner) {
                    return (isOutermost || isLong(*inner)) && counts(inner->getHeader());
                  }) ||
           any_of(loop.blocks(), [&](const BasicBlock *block) {
             return any_of(*block, [](const Instruction &each) { return asCall(each); }) &&
                    counts(block);
           });
  }

private:
  /// The search for something is mostly short, unless each step has a loop of its own.
  bool isLong(const Loop &loop) const {
    if (!loop.isInnermost())
      return true;
    if (isa<SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop)))
      return false;
    const unsigned most = evolution_.getSmallConstantMaxTripCount(&loop);
    return most == 0 || most >= kFewIterations;
  }

  const DominatorTree &dominators_;
  ScalarEvolution &evolution_;
};

} // namespace

SmallVector<Instruction *, 8> placesOfPolls(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  SmallVector<Instruction *, 8> places;
  if (callsItself(function))
    places.push_back(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  if (loops.empty())
    return places;
  const LongLoops longLoops(analyses.getResult<DominatorTreeAnalysis>(function),
                            analyses.getResult<ScalarEvolutionAnalysis>(function));
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 4> latches;
    loop->getLoopLatches(latches);
    if (longLoops.contains(*loop, latches))
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
        MDBuilder(builder.getContext()).createBranchWeights(kWantedWeight, kOnWeight));
    end->setDebugLoc(place->getDebugLoc());
    builder.SetInsertPoint(end);
    callees.call(builder, Callee::__ompdsm_attend, {});
  }
}

} // namespace ompdsm
