// Sections.cpp: see Sections.h.
#include "Sections.h"
#include "LoopCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ompdsm {
namespace {

/// Whether the object's life begins anew in each iteration.
bool beginsIn(const AllocaInst &object, const Loop &loop) {
  return any_of(object.users(), [&](const User *user) {
    auto *marker = dyn_cast<Instruction>(user);
    return marker && marker->isLifetimeStartOrEnd() && loop.contains(marker);
  });
}

/// Whether a section is of one loop, each of whose few iterations accesses memory of its own, as of
/// an array of planes: a question about such rows costs more than a test of each.
bool isOfFewRowsApart(const Section &section, const Loop *innermost) {
  constexpr std::uint64_t kFewRows = 32;
  if (section.loop != innermost || section.dimensions.size() != 1)
    return false;
  const auto *rows = dyn_cast<SCEVConstant>(section.dimensions.front().rows);
  const auto *bytes = dyn_cast<SCEVConstant>(section.bytes);
  return rows && bytes && rows->getAPInt().ule(kFewRows) &&
         bytes->getAPInt() == std::uint64_t(section.accessBytes);
}

} // namespace

Section SectionAnalysis::of(const Instruction &access, Value *pointer, std::uint64_t bytes,
                            Loop *innermost) const {
  Section found = widened(ofOne(*pointer, bytes), access, innermost);
  if (innermost && isOfFewRowsApart(found, innermost)) {
    found = ofOne(*pointer, bytes);
    found.stoppedBy = "its few rows lie apart";
  }
  if (found.stoppedBy)
    if (auto whole = ofOwnObject(*pointer, innermost))
      return *whole;
  return found;
}

Section SectionAnalysis::ofOne(Value &pointer, std::uint64_t bytes) const {
  Section section;
  section.begin = evolution_.getSCEV(&pointer);
  section.bytes = evolution_.getConstant(Type::getInt64Ty(pointer.getContext()), bytes);
  section.accessBytes = std::int64_t(bytes);
  return section;
}

Section
SectionAnalysis::widened(Section section, const Instruction &access, Loop *innermost,
                         function_ref<void(const Loop &, const Section &)> inIteration) const {
  Section best = section;
  for (Loop *loop = innermost, *inner = nullptr; loop; inner = loop, loop = loop->getParentLoop()) {
    best.stoppedBy = findGuards(access, inner, *loop, section);
    if (!best.stoppedBy && inIteration)
      inIteration(*loop, section);
    if (!best.stoppedBy)
      best.stoppedBy = widen(section, *loop);
    if (best.stoppedBy)
      break;
    section.loop = loop;
    best = section;
  }
  return best;
}

std::optional<Section> SectionAnalysis::ofOwnObject(const Value &pointer, Loop *innermost) const {
  auto *object = dyn_cast<AllocaInst>(getUnderlyingObject(&pointer, /*MaxLookup=*/0));
  if (!object || !object->isStaticAlloca())
    return std::nullopt;
  const auto bytes = object->getAllocationSize(object->getDataLayout());
  if (!bytes || bytes->isScalable() || bytes->getFixedValue() > kMaxObjectBytes)
    return std::nullopt;
  Loop *outermost = nullptr;
  for (Loop *loop = innermost;
       loop && quiet_.contains(loop) && loop->getLoopPreheader() && !beginsIn(*object, *loop);
       loop = loop->getParentLoop())
    outermost = loop;
  if (!outermost)
    return std::nullopt;
  Section section;
  section.begin = evolution_.getSCEV(const_cast<AllocaInst *>(object));
  section.bytes =
      evolution_.getConstant(Type::getInt64Ty(object->getContext()), bytes->getFixedValue());
  section.gap = std::nullopt;
  section.loop = outermost;
  return section;
}

const char *SectionAnalysis::findGuards(const Instruction &access, const Loop *inner,
                                        const Loop &loop, Section &section) const {
  if (!quiet_.contains(&loop))
    return "the loop may synchronise";
  const BasicBlock *latch = loop.getLoopLatch();
  if (!latch || !loop.getLoopPreheader())
    return "the loop has several entries or back edges";
  // The access, or the whole inner loop that it is in, runs in each iteration, or in none, or in
  // some first or last ones: upwards from it there are only conditions that say so, until something
  // that always runs.
  const BasicBlock *block = inner ? inner->getLoopPreheader() : access.getParent();
  while (!dominators_.dominates(block, latch)) {
    const BasicBlock *before = block->getSinglePredecessor();
    const auto *branch = before ? dyn_cast<BranchInst>(before->getTerminator()) : nullptr;
    if (!branch || !loop.contains(before) ||
        (branch->isConditional() &&
         !addGuard(*branch->getCondition(), branch->getSuccessor(0) == block, loop, section)))
      return inner ? "the inner loop may not run at all" : "the access is conditional";
    block = before;
  }
  return nullptr;
}

bool SectionAnalysis::addGuard(Value &condition, bool outcome, const Loop &loop,
                               Section &section) const {
  if (loop.isLoopInvariant(&condition)) {
    section.guards.push_back({&condition, outcome});
    return true;
  }
  // Both must hold; the second one is looked at only if the first one does.
  Value *first = nullptr, *second = nullptr;
  if (outcome ? match(&condition, m_LogicalAnd(m_Value(first), m_Value(second)))
              : match(&condition, m_LogicalOr(m_Value(first), m_Value(second))))
    return addGuard(*second, outcome, loop, section) && addGuard(*first, outcome, loop, section);
  const SCEV *repetitions = backedgeTakenCount(evolution_, loop);
  if (isa<SCEVCouldNotCompute>(repetitions))
    return false;
  const auto found = iterationsWith(condition, outcome, loop, *repetitions, evolution_);
  if (!found)
    return false;
  // Of several conditions the inner ones are evaluated only where the outer ones hold.
  for (SectionGuard &guard : section.guards)
    if (guard.loop == &loop)
      guard.iterations = intersect(*guard.iterations, *found, evolution_);
  section.guards.push_back({nullptr, true, found, &loop});
  return true;
}

const char *SectionAnalysis::widen(Section &section, Loop &loop) const {
  ScalarEvolution &se = evolution_;
  // What inner loops have contributed must be the same in all iterations.
  const auto isInvariant = [&](const SCEV *value) { return se.isLoopInvariant(value, &loop); };
  if (!isInvariant(section.bytes) ||
      !all_of(section.dimensions,
              [&](const SectionDimension &dimension) {
                return isInvariant(dimension.stride) && isInvariant(dimension.rows);
              }) ||
      !all_of(section.guards, [&](const SectionGuard &guard) {
        if (guard.comparison)
          return isInvariant(guard.comparison->left) && isInvariant(guard.comparison->right);
        return guard.iterations
                   ? isInvariant(guard.iterations->first) && isInvariant(guard.iterations->length)
                   : loop.isLoopInvariant(guard.condition);
      }))
    return "its extent in the inner loop varies";
  const SCEV *repetitions = backedgeTakenCount(se, loop);
  if (isa<SCEVCouldNotCompute>(repetitions))
    return "the number of iterations is unknown";
  // The innermost condition holds in no more iterations than those around it.
  const auto *guard =
      find_if(section.guards, [&](const SectionGuard &guard) { return guard.loop == &loop; });
  const bool isPart = guard != section.guards.end();
  if (isPart)
    section.gap = std::nullopt; // Nothing is overwritten whole.
  if (se.isLoopInvariant(section.begin, &loop))
    return nullptr;
  const auto *recurrence = dyn_cast<SCEVAddRecExpr>(section.begin);
  if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
    return "the address is no linear function of the iteration";
  Type *size = section.bytes->getType();
  repetitions = se.getTruncateOrZeroExtend(repetitions, size);
  if (isPart)
    repetitions = se.getMinusSCEV(guard->iterations->length, se.getOne(size));
  const SCEV *step = recurrence->getStepRecurrence(se);
  if (step->getType() != size)
    return "the address is no linear function of the iteration";
  const SCEV *distance = step;
  section.begin = recurrence->getStart();
  if (isPart)
    section.begin = se.getAddExpr(section.begin, se.getMulExpr(step, guard->iterations->first));
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
