// CoveringSections.cpp: see CoveringSections.h. Bounds may be too wide, what covers them is exact.
#include "CoveringSections.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Of one function: each access without a section is compared with all of them.
constexpr unsigned kMaxSections = 200;

/// Whether `step` times a number of iterations that is only known as a bound stays far below the
/// size of the address space: a larger product would wrap, and look like a small one.
bool isSmall(const SCEVConstant &repetitions, const SCEV &step) {
  const auto *constant = dyn_cast<SCEVConstant>(&step);
  return constant &&
         repetitions.getAPInt().getActiveBits() + constant->getAPInt().getSignificantBits() < 48;
}

} // namespace

void CoveringSections::add(const SectionCheck &one, Loop &outermost) {
  const auto *bytes = dyn_cast<SCEVConstant>(one.section.bytes);
  const std::int64_t least = bytes ? bytes->getAPInt().getSExtValue() : 0;
  sections_.widened(
      one.section, *one.access, loops_.getLoopFor(one.access->getParent()),
      [&](const Loop &loop, const Section &section) {
        // Under conditions, or in rows, it does not hold all that lies in it.
        if (outermost.contains(&loop) && section.dimensions.empty() && section.guards.empty())
          add({&loop, &outermost, evolution_.getPointerBase(section.begin), section.begin,
               evolution_.getAddExpr(section.begin, section.bytes), one.isWrite, least});
      });
}

void CoveringSections::add(const InIteration &added) {
  for (auto other = all_.begin(); other != all_.end(); ++other) {
    if (other->loop != added.loop || other->outermost != added.outermost ||
        other->isWrite != added.isWrite || other->base != added.base)
      continue;
    const auto *distance =
        dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(added.begin, other->begin));
    if (!distance)
      continue;
    const std::int64_t from = distance->getAPInt().getSExtValue();
    auto joined = from >= 0 ? join(*other, added, from) : std::nullopt;
    if (!joined && from <= 0)
      joined = join(added, *other, -from);
    if (joined) {
      all_.erase(other);
      return add(*joined);
    }
  }
  if (all_.size() < kMaxSections)
    all_.push_back(added);
}

std::optional<CoveringSections::InIteration>
CoveringSections::join(const InIteration &a, const InIteration &b, std::int64_t from) const {
  if (from > a.leastBytes)
    return std::nullopt;
  const auto *growth = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(b.end, a.end));
  if (!growth || growth->getAPInt().isNegative())
    return std::nullopt;
  InIteration both = a;
  both.end = b.end;
  both.leastBytes = std::max(a.leastBytes, from + b.leastBytes);
  return both;
}

Loop *CoveringSections::outermostAround(const Access &access) const {
  const SCEV *begin = evolution_.getSCEV(access.pointer);
  Bounds bounds{begin,
                evolution_.getAddExpr(begin, evolution_.getConstant(APInt(64, access.bytes)))};
  const SCEV *base = evolution_.getPointerBase(begin);
  Loop *best = nullptr;
  for (const Loop *loop = loops_.getLoopFor(access.instruction->getParent()); loop;
       loop = loop->getParentLoop()) {
    for (const InIteration &other : all_)
      if (other.loop == loop && other.base == base && other.isWrite >= access.isWrite &&
          (!best || other.outermost->contains(best)) && isIn(bounds, other))
        best = other.outermost;
    const auto wider = widened(bounds, *loop);
    if (!wider)
      break;
    bounds = *wider;
  }
  return best;
}

std::optional<CoveringSections::Bounds> CoveringSections::widened(const Bounds &bounds,
                                                                  const Loop &loop) const {
  ScalarEvolution &se = evolution_;
  const SCEV *repetitions = se.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(repetitions))
    repetitions = se.getConstantMaxBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(repetitions))
    return std::nullopt;
  // The first or the last value, whichever is the extreme one; null if that is not known.
  const auto extreme = [&](const SCEV *value, bool isLargest) -> const SCEV * {
    if (se.isLoopInvariant(value, &loop))
      return value;
    const auto *recurrence = dyn_cast<SCEVAddRecExpr>(value);
    if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine())
      return nullptr;
    const SCEV *step = recurrence->getStepRecurrence(se);
    const bool grows = se.isKnownNonNegative(step);
    if (!grows && !se.isKnownNegative(step))
      return nullptr;
    const SCEV *first = recurrence->getStart();
    if (grows != isLargest)
      return first;
    if (const auto *bound = dyn_cast<SCEVConstant>(repetitions); bound && !isSmall(*bound, *step))
      return nullptr;
    return se.getAddExpr(
        first, se.getMulExpr(step, se.getTruncateOrZeroExtend(repetitions, step->getType())));
  };
  const SCEV *begin = extreme(bounds.begin, /*isLargest=*/false);
  const SCEV *end = extreme(bounds.end, /*isLargest=*/true);
  return begin && end ? std::optional(Bounds{begin, end}) : std::nullopt;
}

bool CoveringSections::isIn(const Bounds &bounds, const InIteration &other) const {
  const auto isNotBefore = [&](const SCEV *a, const SCEV *b) {
    const auto *distance = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(a, b));
    return distance && distance->getAPInt().isNonNegative();
  };
  return isNotBefore(bounds.begin, other.begin) && isNotBefore(other.end, bounds.end);
}

} // namespace ompdsm
