// Sections.cpp: see Sections.h.
#include "Sections.h"
#include "LoopCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace ompdsm {

Section SectionAnalysis::of(const Instruction &access, Value *pointer, std::uint64_t bytes,
                            Loop *innermost) const {
  Type *size = Type::getInt64Ty(access.getContext());
  Section section, best;
  section.begin = evolution_.getSCEV(pointer);
  section.bytes = evolution_.getConstant(size, bytes);
  section.accessBytes = std::int64_t(bytes);
  for (Loop *loop = innermost, *inner = nullptr; loop; inner = loop, loop = loop->getParentLoop()) {
    best.stoppedBy = findGuards(access, inner, *loop, section);
    if (!best.stoppedBy)
      best.stoppedBy = widen(section, *loop);
    if (best.stoppedBy)
      break;
    section.loop = loop;
    best = section;
  }
  return best;
}

const char *SectionAnalysis::findGuards(const Instruction &access, const Loop *inner,
                                        const Loop &loop, Section &section) const {
  if (!quiet_.contains(&loop))
    return "the loop may synchronise";
  const BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader())
    return "the loop has several entries or back edges";
  // The access, or the whole inner loop that it is in, runs in each iteration, or in none: upwards
  // from it there are only conditions that do not vary, until something that always runs.
  const BasicBlock *block = inner ? inner->getLoopPreheader() : access.getParent();
  while (!dominators_.dominates(block, latch)) {
    const BasicBlock *before = block->getSinglePredecessor();
    const auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || !loop.contains(before) ||
        (branch->isConditional() && !loop.isLoopInvariant(branch->getCondition())))
      return inner ? "the inner loop may not run at all" : "the access is conditional";
    if (branch->isConditional())
      section.guards.push_back({branch->getCondition(), branch->getSuccessor(0) == block});
    block = before;
  }
  return nullptr;
}

const char *SectionAnalysis::widen(Section &section, Loop &loop) const {
  ScalarEvolution &se = evolution_;
  // What inner loops have contributed must be the same in all iterations.
  if (!se.isLoopInvariant(section.bytes, &loop) ||
      any_of(section.dimensions,
             [&](const SectionDimension &dimension) {
               return !se.isLoopInvariant(dimension.stride, &loop) ||
                      !se.isLoopInvariant(dimension.rows, &loop);
             }) ||
      any_of(section.guards,
             [&](const SectionGuard &guard) { return !loop.isLoopInvariant(guard.condition); }))
    return "its extent in the inner loop varies";
  const SCEV *repetitions = backedgeTakenCount(se, loop);
  if (isa<SCEVCouldNotCompute>(repetitions))
    return "the number of iterations is unknown";
  if (se.isLoopInvariant(section.begin, &loop))
    return nullptr;
  const auto *recurrence = dyn_cast<SCEVAddRecExpr>(section.begin);
  if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
    return "the address is no linear function of the iteration";
  Type *size = section.bytes->getType();
  repetitions = se.getTruncateOrZeroExtend(repetitions, size);
  const SCEV *step = recurrence->getStepRecurrence(se);
  if (step->getType() != size)
    return "the address is no linear function of the iteration";
  const SCEV *distance = step;
  section.begin = recurrence->getStart();
  if (const auto *constant = dyn_cast<SCEVConstant>(step);
      constant && constant->getAPInt().isNegative()) {
    distance = se.getNegativeSCEV(step);
    section.begin = se.getAddExpr(section.begin, se.getMulExpr(step, repetitions));
  }
  // Rows that touch or nearly touch are one, also where further ones lie apart from them all.
  const auto *gap = dyn_cast<SCEVConstant>(se.getMinusSCEV(distance, section.bytes));
  if (gap && gap->getAPInt().sle(kMaxGapBytes) &&
      (gap->getAPInt().isNonNegative() || se.isKnownNonNegative(distance))) {
    const std::int64_t between = gap->getAPInt().getSExtValue();
    const bool isOneAccess = section.bytes == se.getConstant(size, section.accessBytes);
    if (section.gap != between)
      section.gap = section.gap == 0 && isOneAccess ? std::optional(between) : std::nullopt;
    section.bytes = se.getAddExpr(se.getMulExpr(distance, repetitions), section.bytes);
    return nullptr;
  }
  if (section.dimensions.size() == Section::kMaxDimensions)
    return "its rows lie apart in more than two dimensions";
  section.dimensions.push_back({distance, se.getAddExpr(repetitions, se.getOne(size))});
  return nullptr;
}

} // namespace ompdsm
