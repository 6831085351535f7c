// FrozenQuotients.cpp: see FrozenQuotients.h.
#include "FrozenQuotients.h"
#include "ModuleInstrumentation.h"
#include "QuietLoops.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// A division by what is no constant, in a loop around others.
bool isQuotientOfNest(const Instruction &instruction, const LoopInfo &loops) {
  if (instruction.getOpcode() != Instruction::UDiv && instruction.getOpcode() != Instruction::URem)
    return false;
  const Loop *around = loops.getLoopFor(instruction.getParent());
  return around && !around->isInnermost() && instruction.getType()->isIntegerTy() &&
         !isa<Constant>(instruction.getOperand(1));
}

} // namespace

PreservedAnalyses FrozenQuotientsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty() || !wantsInstrumentation(function) ||
      isHoistingSwitchedOff(*function.getParent()))
    return PreservedAnalyses::all();
  SmallVector<Instruction *, 4> quotients;
  for (Instruction &instruction : instructions(function))
    if (isQuotientOfNest(instruction, loops))
      quotients.push_back(&instruction);
  for (Instruction *quotient : quotients) {
    IRBuilder<> builder(quotient->getNextNode());
    auto *frozen = cast<Instruction>(builder.CreateFreeze(quotient));
    quotient->replaceUsesWithIf(frozen, [&](const Use &use) { return use.getUser() != frozen; });
  }
  if (quotients.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace ompdsm
