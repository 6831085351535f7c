// IterationRanges.cpp: comparisons of recurrences, solved for the number of the iteration.
#include "IterationRanges.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// A counter and what it is compared with: `counter predicate bound`.
struct Comparison {
  const SCEVAddRecExpr *counter;
  const SCEV *bound;
  CmpInst::Predicate predicate;
  bool falls; ///< By one in each iteration; else it grows by one.
};

std::optional<Comparison> comparisonOf(Value &condition, bool outcome, const Loop &loop,
                                       ScalarEvolution &se) {
  auto *compare = dyn_cast<ICmpInst>(&condition);
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  const SCEV *left = se.getSCEV(compare->getOperand(0)),
             *right = se.getSCEV(compare->getOperand(1));
  CmpInst::Predicate predicate = outcome ? compare->getPredicate() : compare->getInversePredicate();
  if (!isa<SCEVAddRecExpr>(left)) {
    std::swap(left, right);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const auto *counter = dyn_cast<SCEVAddRecExpr>(left);
  if (!counter || counter->getLoop() != &loop || !counter->isAffine() ||
      !se.isLoopInvariant(right, &loop) || se.getTypeSizeInBits(right->getType()) > 64)
    return std::nullopt;
  const SCEV *step = counter->getStepRecurrence(se);
  if (!step->isOne() && !step->isAllOnesValue())
    return std::nullopt;
  return Comparison{counter, right, predicate, step->isAllOnesValue()};
}

const SCEV *lastValueOf(const SCEVAddRecExpr &counter, const SCEV &repetitions,
                        ScalarEvolution &se) {
  return counter.evaluateAtIteration(se.getNoopOrZeroExtend(&repetitions, counter.getType()), se);
}

bool neverWraps(const Comparison &comparison, bool isSigned, const Loop &loop,
                const SCEV &repetitions, ScalarEvolution &se) {
  const SCEVAddRecExpr &counter = *comparison.counter;
  if (isSigned ? counter.hasNoSignedWrap() : counter.hasNoUnsignedWrap())
    return true;
  // Else it would be back at smaller values before it gets to its last one.
  if (repetitions.getType() != counter.getType())
    return false;
  const auto predicate =
      isSigned ? comparison.falls ? CmpInst::ICMP_SGE : CmpInst::ICMP_SLE : CmpInst::ICMP_ULE;
  return se.isLoopEntryGuardedByCond(&loop, predicate, counter.getStart(),
                                     lastValueOf(counter, repetitions, se));
}

/// The counter has no value twice, so the comparison is about the first or the last iteration: it
/// holds in that one, or in all others.
std::optional<IterationRange> atAnEnd(const Comparison &comparison, const SCEV &repetitions,
                                      Type *wide, ScalarEvolution &se) {
  const SCEVAddRecExpr &counter = *comparison.counter;
  if (se.getTypeSizeInBits(repetitions.getType()) > se.getTypeSizeInBits(counter.getType()))
    return std::nullopt;
  const SCEV *none = se.getZero(wide), *one = se.getOne(wide);
  const SCEV *allButOne = se.getNoopOrZeroExtend(&repetitions, wide);
  const bool isOne = comparison.predicate == CmpInst::ICMP_EQ;
  if (comparison.bound == counter.getStart())
    return isOne ? IterationRange{none, one} : IterationRange{one, allButOne};
  if (se.getMinusSCEV(comparison.bound, lastValueOf(counter, repetitions, se))->isZero())
    return isOne ? IterationRange{allButOne, one} : IterationRange{none, allButOne};
  return std::nullopt;
}

} // namespace

std::optional<IterationRange> iterationsWith(Value &condition, bool outcome, const Loop &loop,
                                             const SCEV &repetitions, ScalarEvolution &se) {
  const auto comparison = comparisonOf(condition, outcome, loop, se);
  if (!comparison || se.getTypeSizeInBits(repetitions.getType()) > 64)
    return std::nullopt;
  Type *wide = Type::getInt64Ty(condition.getContext());
  const SCEV *none = se.getZero(wide), *one = se.getOne(wide);
  const SCEV *count = se.getAddExpr(se.getNoopOrZeroExtend(&repetitions, wide), one);
  const CmpInst::Predicate predicate = comparison->predicate;
  if (ICmpInst::isEquality(predicate))
    return atAnEnd(*comparison, repetitions, wide, se);
  const bool isSigned = CmpInst::isSigned(predicate);
  if (comparison->falls && !isSigned)
    return std::nullopt;
  if (!neverWraps(*comparison, isSigned, loop, repetitions, se))
    return std::nullopt;
  // The counter is below the bound, or it is not: as iterations, before a place or from it on.
  const bool falls = comparison->falls,
             isBelow = ICmpInst::isLT(predicate) || ICmpInst::isLE(predicate);
  const SCEV *bound = comparison->bound;
  const bool isNext = ICmpInst::isLE(predicate) || ICmpInst::isGT(predicate);
  const bool isNarrow = se.getTypeSizeInBits(bound->getType()) < 64;
  if (isNext != falls) { // The first value on the other side, as the counter goes.
    const auto operation = falls ? Instruction::Sub : Instruction::Add;
    if (!isNarrow && !se.willNotOverflow(operation, isSigned, bound, se.getOne(bound->getType())))
      return std::nullopt;
  }
  const auto widened = [&](const SCEV *value) {
    return isSigned ? se.getNoopOrSignExtend(value, wide) : se.getNoopOrZeroExtend(value, wide);
  };
  const auto larger = [&](const SCEV *a, const SCEV *b) {
    return isSigned || isNarrow ? se.getSMaxExpr(a, b) : se.getUMaxExpr(a, b);
  };
  const SCEV *begin = widened(comparison->counter->getStart());
  bound = widened(bound);
  if (isNext != falls)
    bound = falls ? se.getMinusSCEV(bound, one) : se.getAddExpr(bound, one);
  const SCEV *place = falls ? se.getMinusSCEV(larger(begin, bound), bound)
                            : se.getMinusSCEV(larger(begin, bound), begin);
  place = se.getUMinExpr(place, count);
  return isBelow != falls ? IterationRange{none, place}
                          : IterationRange{place, se.getMinusSCEV(count, place)};
}

IterationRange intersect(const IterationRange &a, const IterationRange &b, ScalarEvolution &se) {
  const SCEV *first = se.getUMaxExpr(a.first, b.first);
  const SCEV *end =
      se.getUMinExpr(se.getAddExpr(a.first, a.length), se.getAddExpr(b.first, b.length));
  return {first, se.getMinusSCEV(se.getUMaxExpr(first, end), first)};
}

} // namespace ompdsm
