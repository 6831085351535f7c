// LoopCounts.cpp: see LoopCounts.h.
#include "LoopCounts.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// The larger one of recurrences that never wrap and have the same step is the recurrence that
/// begins with the larger beginning: max({a,+,s}, {b,+,s}) = {max(a, b),+,s}.
class MaximumOfBeginnings : public SCEVRewriteVisitor<MaximumOfBeginnings> {
public:
  MaximumOfBeginnings(ScalarEvolution &evolution, const Loop &loop)
      : SCEVRewriteVisitor(evolution), loop_(loop) {
    trustBounds();
  }

  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *maximum) {
    return maximumOf(visited(*maximum), /*isSigned=*/true);
  }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *maximum) {
    return maximumOf(visited(*maximum), /*isSigned=*/false);
  }

private:
  /// The sum that the loop's end is compared with does not wrap if the instruction says so: the
  /// loop branches on it. Scalar Evolution does not look that far in longer loops.
  void trustBounds() {
    const BasicBlock *latch = loop_.getLoopLatch();
    if (!latch || loop_.getExitingBlock() != latch)
      return;
    const ICmpInst *comparison = loop_.getLatchCmpInst();
    if (!comparison)
      return;
    for (Value *bound : comparison->operands()) {
      auto *sum = dyn_cast<BinaryOperator>(bound);
      if (!sum || sum->getOpcode() != Instruction::Add || !loop_.isLoopInvariant(sum))
        continue;
      for (unsigned i : {0, 1})
        if (const auto *from = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(sum->getOperand(i)));
            from && SE.isLoopInvariant(SE.getSCEV(sum->getOperand(1 - i)), from->getLoop()))
          trusted_[SE.getSCEV(sum)] = ScalarEvolution::maskFlags(
              from->getNoWrapFlags(), (sum->hasNoSignedWrap() ? SCEV::FlagNSW : 0) |
                                          (sum->hasNoUnsignedWrap() ? SCEV::FlagNUW : 0));
    }
  }

  using Terms = SmallVector<const SCEV *, 4>;

  bool neverWraps(const SCEVAddRecExpr &recurrence, SCEV::NoWrapFlags flag) const {
    return ScalarEvolution::hasFlags(
        ScalarEvolution::setFlags(recurrence.getNoWrapFlags(), trusted_.lookup(&recurrence)), flag);
  }

  Terms visited(const SCEVMinMaxExpr &maximum) {
    Terms terms;
    for (const SCEV *term : maximum.operands())
      terms.push_back(visit(term));
    return terms;
  }

  const SCEV *maximumOf(Terms terms, bool isSigned) {
    const auto flag = isSigned ? SCEV::FlagNSW : SCEV::FlagNUW;
    const auto *model = dyn_cast<SCEVAddRecExpr>(terms.front());
    if (!model || !model->isAffine() || !all_of(terms, [&](const SCEV *term) {
          const auto *recurrence = dyn_cast<SCEVAddRecExpr>(term);
          return recurrence && recurrence->getLoop() == model->getLoop() &&
                 recurrence->isAffine() && neverWraps(*recurrence, flag) &&
                 recurrence->getStepRecurrence(SE) == model->getStepRecurrence(SE);
        }))
      return knownMaximum(terms, isSigned);
    Terms beginnings;
    for (const SCEV *term : terms)
      beginnings.push_back(cast<SCEVAddRecExpr>(term)->getStart());
    return SE.getAddRecExpr(maximumOf(beginnings, isSigned), model->getStepRecurrence(SE),
                            model->getLoop(), flag);
  }

  const SCEV *knownMaximum(Terms &terms, bool isSigned) {
    for (const SCEV *candidate : terms)
      if (all_of(terms, [&](const SCEV *other) {
            return candidate == other || isNoLess(candidate, other, isSigned);
          }))
        return candidate;
    return isSigned ? SE.getSMaxExpr(terms) : SE.getUMaxExpr(terms);
  }
  bool isNoLess(const SCEV *a, const SCEV *b, bool isSigned) {
    const auto predicate = isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE;
    if (SE.isLoopEntryGuardedByCond(&loop_, predicate, a, b))
      return true;
    // Terms that both have are in the way there.
    return isSigned && SE.willNotOverflow(Instruction::Sub, /*Signed=*/true, a, b) &&
           SE.isLoopEntryGuardedByCond(&loop_, predicate, SE.getMinusSCEV(a, b),
                                       SE.getZero(a->getType()));
  }

  const Loop &loop_;
  DenseMap<const SCEV *, SCEV::NoWrapFlags> trusted_; ///< Besides those of the expression.
};

} // namespace

const SCEV *backedgeTakenCount(ScalarEvolution &evolution, const Loop &loop) {
  const SCEV *count = evolution.getBackedgeTakenCount(&loop);
  if (isa<SCEVCouldNotCompute>(count))
    return count;
  return MaximumOfBeginnings(evolution, loop).visit(count);
}

} // namespace ompdsm
