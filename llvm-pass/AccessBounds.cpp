// AccessBounds.cpp: see AccessBounds.h.
#include "AccessBounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace ompdsm {
namespace {

/// Loops do not repeat as often as 2 to the power of this.
constexpr unsigned kCountBits = 44;
/// Values that the addresses of one loop may be computed by.
constexpr unsigned kMostValues = 256;

} // namespace

AccessBounds::AccessBounds(const Loop &loop, Instruction *end, ScalarEvolution &evolution,
                           SCEVExpander &expander)
    : IntervalCode(end), loop_(loop), evolution_(evolution), expander_(expander), end_(end) {
  builder_.SetCurrentDebugLocation(loop.getStartLoc());
}

std::optional<OffsetBounds> AccessBounds::of(ArrayRef<BoundedAccess> accesses,
                                             ArrayRef<Value *> origins) {
  origins_ = origins;
  known_.clear();
  isExact_ = builder_.getTrue();
  MaybeInterval all;
  for (const BoundedAccess &access : accesses) {
    MaybeInterval bounds = boundsOf(*access.pointer);
    if (!bounds)
      return std::nullopt;
    bounds->most = builder_.CreateAdd(bounds->most, ConstantInt::get(wide_, access.bytes));
    all = all ? join(*all, *bounds) : *bounds;
  }
  if (!all)
    return std::nullopt;
  requireSmall(*all);
  const auto offset = [&](Value *number, const APInt &otherwise) {
    return builder_.CreateSelect(isExact_, builder_.CreateTrunc(number, builder_.getInt64Ty()),
                                 constant(otherwise));
  };
  return OffsetBounds{offset(all->least, APInt::getSignedMinValue(64)),
                      offset(all->most, APInt::getSignedMaxValue(64))};
}

MaybeInterval AccessBounds::ofInvariant(Value &value) {
  if (isa<UndefValue>(value))
    return std::nullopt;
  if (value.getType()->isIntegerTy())
    return exactly(&value);
  if (!loop_.isLoopInvariant(origins_.front()))
    return std::nullopt;
  const auto address = [&](Value *pointer) {
    return exactly(builder_.CreatePtrToInt(pointer, builder_.getInt64Ty()), /*isSigned=*/false);
  };
  Value *const distance =
      builder_.CreateSub(address(&value).least, address(origins_.front()).least);
  return Interval{distance, distance};
}

/// Null if that could trap, or is not known in front of the loop.
Value *AccessBounds::expand(const SCEV *number) {
  if (isa<SCEVCouldNotCompute>(number) || !evolution_.isLoopInvariant(number, &loop_) ||
      !number->getType()->isIntegerTy() || !expander_.isSafeToExpandAt(number, end_))
    return nullptr;
  return expander_.expandCodeFor(number, number->getType(), end_->getIterator());
}

MaybeInterval AccessBounds::boundsOf(Value &value) {
  const auto [found, isNew] = known_.try_emplace(&value);
  if (!isNew || known_.size() > kMostValues)
    return found->second;
  const MaybeInterval bounds = compute(value);
  known_[&value] = bounds;
  return bounds;
}

MaybeInterval AccessBounds::compute(Value &value) {
  Type *const type = value.getType();
  if (!type->isPointerTy() && !(type->isIntegerTy() && type->getIntegerBitWidth() <= 64))
    return std::nullopt;
  if (is_contained(origins_, &value)) {
    Value *const zero = constant(APInt::getZero(kWideBits));
    return Interval{zero, zero};
  }
  if (loop_.isLoopInvariant(&value))
    return ofInvariant(value);
  if (auto *phi = dyn_cast<PHINode>(&value))
    return ofPhi(*phi);
  if (auto *operation = dyn_cast<BinaryOperator>(&value))
    return ofOperation(*operation);
  if (isa<GetElementPtrInst>(value))
    return ofElement(value);
  if (auto *either = dyn_cast<SelectInst>(&value)) {
    const MaybeInterval one = boundsOf(*either->getTrueValue());
    const MaybeInterval other = one ? boundsOf(*either->getFalseValue()) : MaybeInterval();
    return other ? join(*one, *other) : MaybeInterval();
  }
  if (auto *one = dyn_cast<MinMaxIntrinsic>(&value)) {
    const MaybeInterval left = boundsOf(*one->getLHS());
    const MaybeInterval right = left ? boundsOf(*one->getRHS()) : MaybeInterval();
    if (!right)
      return std::nullopt;
    for (const Interval &each : {*left, *right})
      requireFits(each, type->getIntegerBitWidth(), one->isSigned());
    const bool isLargest = ICmpInst::isGT(one->getPredicate());
    const auto choose = [&](Value *a, Value *b) {
      return isLargest ? larger(a, b) : smaller(a, b);
    };
    return Interval{choose(left->least, right->least), choose(left->most, right->most)};
  }
  if (auto *frozen = dyn_cast<FreezeInst>(&value)) {
    // Which is poison only if its operands are (FrozenQuotients.h).
    auto *quotient = dyn_cast<BinaryOperator>(frozen->getOperand(0));
    return quotient && quotient->isIntDivRem() && !quotient->hasPoisonGeneratingFlags()
               ? boundsOf(*quotient)
               : MaybeInterval();
  }
  if (!isa<SExtInst, ZExtInst, TruncInst>(value))
    return std::nullopt;
  Value &narrow = *cast<CastInst>(value).getOperand(0);
  const MaybeInterval operand = boundsOf(narrow);
  if (operand && isa<SExtInst, ZExtInst>(value))
    requireFits(*operand, narrow.getType()->getIntegerBitWidth(), isa<SExtInst>(value));
  return operand;
}

MaybeInterval AccessBounds::ofOperation(BinaryOperator &operation) {
  Value &left = *operation.getOperand(0), &right = *operation.getOperand(1);
  const APInt *number;
  switch (operation.getOpcode()) {
  case Instruction::Sub:
    if (const MaybeInterval remainder = ofRemainder(operation))
      return remainder;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Or: {
    auto *disjoint = dyn_cast<PossiblyDisjointInst>(&operation);
    if (operation.getOpcode() == Instruction::Or && !(disjoint && disjoint->isDisjoint()))
      return std::nullopt;
    const MaybeInterval one = boundsOf(left), other = one ? boundsOf(right) : MaybeInterval();
    if (!other)
      return std::nullopt;
    if (operation.getOpcode() != Instruction::Sub)
      return plus(*one, *other);
    return plus(*one, {builder_.CreateNeg(other->most), builder_.CreateNeg(other->least)});
  }
  case Instruction::Mul: {
    Value *const factor = loop_.isLoopInvariant(&left) ? &left : &right;
    if (!loop_.isLoopInvariant(factor))
      return std::nullopt;
    const MaybeInterval other = boundsOf(factor == &left ? right : left);
    return other ? times(*other, exactly(factor).least) : MaybeInterval();
  }
  case Instruction::Shl: {
    const MaybeInterval one = match(&right, m_APInt(number)) ? boundsOf(left) : MaybeInterval();
    if (!one || number->uge(kFactorBits - 1))
      return std::nullopt;
    return times(*one, constant(APInt::getOneBitSet(kWideBits, unsigned(number->getZExtValue()))));
  }
  case Instruction::AShr:
  case Instruction::LShr: {
    const MaybeInterval one = match(&right, m_APInt(number)) ? boundsOf(left) : MaybeInterval();
    if (!one)
      return std::nullopt;
    requireFits(*one, operation.getType()->getIntegerBitWidth(),
                operation.getOpcode() == Instruction::AShr);
    Value *const bits = constant(number->zextOrTrunc(kWideBits));
    return Interval{builder_.CreateAShr(one->least, bits), builder_.CreateAShr(one->most, bits)};
  }
  case Instruction::And:
    if (match(&right, m_APInt(number)) && number->isNonNegative())
      return Interval{constant(APInt::getZero(kWideBits)), constant(number->zext(kWideBits))};
    return std::nullopt;
  case Instruction::SDiv:
  case Instruction::UDiv:
    return ofQuotient(operation, operation.getOpcode() == Instruction::SDiv, /*isRemainder=*/false);
  case Instruction::SRem:
  case Instruction::URem:
    return ofQuotient(operation, operation.getOpcode() == Instruction::SRem, /*isRemainder=*/true);
  default:
    return std::nullopt;
  }
}

/// Or remainder, of what is divided by a positive invariant number.
MaybeInterval AccessBounds::ofQuotient(BinaryOperator &operation, bool isSigned, bool isRemainder) {
  if (!loop_.isLoopInvariant(operation.getOperand(1)))
    return std::nullopt;
  const MaybeInterval one = boundsOf(*operation.getOperand(0));
  if (!one)
    return std::nullopt;
  requireFits(*one, operation.getType()->getIntegerBitWidth(), isSigned);
  requireSmall(*one); // so that numbers of 64 bits will do below
  Value *const zero = constant(APInt::getZero(kWideBits)), *const unit = constant({kWideBits, 1});
  Value *divisor = exactly(operation.getOperand(1), isSigned).least;
  require(builder_.CreateICmpSGT(divisor, zero));
  requireSmall({divisor, divisor});
  divisor = larger(divisor, unit); // Nothing traps where the loop may not divide.
  if (isRemainder) {
    Value *const most = builder_.CreateSub(divisor, unit);
    return Interval{builder_.CreateSelect(builder_.CreateICmpSLT(one->least, zero),
                                          builder_.CreateNeg(most), zero),
                    most};
  }
  const auto divide = [&](Value *number) {
    Type *const narrow = builder_.getInt64Ty();
    return builder_.CreateSExt(builder_.CreateSDiv(builder_.CreateTrunc(number, narrow),
                                                   builder_.CreateTrunc(divisor, narrow)),
                               wide_);
  };
  return Interval{divide(one->least), divide(one->most)};
}

/// x - x / d * d, as collapsed loops compute the inner counter.
MaybeInterval AccessBounds::ofRemainder(BinaryOperator &difference) {
  Value *const number = difference.getOperand(0);
  Value *divisor, *quotient;
  if (!match(difference.getOperand(1),
             m_c_Mul(m_CombineAnd(m_Value(quotient), m_IDiv(m_Specific(number), m_Value(divisor))),
                     m_Deferred(divisor))))
    return std::nullopt;
  auto *division = dyn_cast<BinaryOperator>(quotient);
  return division ? ofQuotient(*division, division->getOpcode() == Instruction::SDiv,
                               /*isRemainder=*/true)
                  : MaybeInterval();
}

MaybeInterval AccessBounds::ofElement(Value &element) {
  auto &address = cast<GetElementPtrInst>(element);
  const DataLayout &layout = address.getModule()->getDataLayout();
  MaybeInterval sum = boundsOf(*address.getPointerOperand());
  for (auto at = gep_type_begin(address), end = gep_type_end(address); sum && at != end; ++at) {
    if (StructType *members = at.getStructTypeOrNull()) {
      const auto member = unsigned(cast<ConstantInt>(at.getOperand())->getZExtValue());
      const std::uint64_t offset = layout.getStructLayout(members)->getElementOffset(member);
      Value *const bytes = ConstantInt::get(wide_, offset);
      sum = plus(*sum, {bytes, bytes});
      continue;
    }
    const TypeSize size = at.getSequentialElementStride(layout);
    const MaybeInterval index = size.isScalable() ? MaybeInterval() : boundsOf(*at.getOperand());
    if (!index)
      return std::nullopt;
    requireFits(*index, at.getOperand()->getType()->getIntegerBitWidth(), /*isSigned=*/true);
    sum = plus(*sum, times(*index, ConstantInt::get(wide_, size.getFixedValue())));
  }
  return sum;
}

MaybeInterval AccessBounds::ofPhi(PHINode &phi) {
  for (const Loop *around = &loop_; around;) { // the one whose header it may be in
    if (phi.getParent() == around->getHeader())
      return ofRecurrence(phi, *around);
    const Loop *next = nullptr;
    for (const Loop *inner : *around)
      if (inner->contains(phi.getParent()))
        next = inner;
    around = next;
  }
  MaybeInterval all;
  for (Value *value : phi.incoming_values()) {
    const MaybeInterval one = boundsOf(*value);
    if (!one)
      return std::nullopt;
    all = all ? join(*all, *one) : *one;
  }
  return all;
}

MaybeInterval AccessBounds::ofRecurrence(PHINode &phi, const Loop &around) {
  const BasicBlock *const entry = around.getLoopPreheader();
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(evolution_.getSCEV(&phi));
  if (!entry || !recurrence || recurrence->getLoop() != &around || !recurrence->isAffine())
    return std::nullopt;
  const MaybeInterval start = boundsOf(*phi.getIncomingValueForBlock(entry));
  const SCEV *const step = recurrence->getStepRecurrence(evolution_);
  if (!start)
    return std::nullopt;
  if (Value *const count = expand(evolution_.getSymbolicMaxBackedgeTakenCount(&around))) {
    Value *const bytes = expand(step);
    if (!bytes || count->getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    const Interval repetitions = exactly(count, /*isSigned=*/false);
    requireFits(repetitions, kCountBits, /*isSigned=*/false);
    const Interval way = times(repetitions, exactly(bytes).least);
    Value *const zero = constant(APInt::getZero(kWideBits));
    return plus(*start, {smaller(way.least, zero), larger(way.most, zero)});
  }
  // How often an inner loop runs may differ; then it has a limit.
  return phi.getType()->isIntegerTy() ? ofLimit(*recurrence, *start) : MaybeInterval();
}

/// Of what rises (or falls) by a constant from `start` together with a counter, until that is at a
/// limit, without wrapping before.
MaybeInterval AccessBounds::ofLimit(const SCEVAddRecExpr &recurrence, const Interval &start) {
  const Loop &around = *recurrence.getLoop();
  const BasicBlock *const latch = around.getLoopLatch();
  const auto *step = dyn_cast<SCEVConstant>(recurrence.getStepRecurrence(evolution_));
  if (!step || !latch || around.getExitingBlock() != latch)
    return std::nullopt;
  auto *branch = dyn_cast<BranchInst>(latch->getTerminator());
  auto *comparison =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!comparison || comparison->getOperand(0)->getType() != recurrence.getType())
    return std::nullopt;
  CmpInst::Predicate ends = around.contains(branch->getSuccessor(0))
                                ? comparison->getInversePredicate()
                                : comparison->getPredicate();
  Value *counted = comparison->getOperand(0), *limit = comparison->getOperand(1);
  if (around.isLoopInvariant(counted)) {
    std::swap(counted, limit);
    ends = CmpInst::getSwappedPredicate(ends);
  }
  const SCEV *const all = evolution_.getSCEV(counted);
  const auto *counter = dyn_cast<SCEVAddRecExpr>(all);
  const auto *ahead = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(all, &recurrence));
  if (!counter || counter->getLoop() != &around || !ahead || !around.isLoopInvariant(limit))
    return std::nullopt;
  const APInt &bytes = step->getAPInt();
  const bool meets = ends == CmpInst::ICMP_EQ && bytes.abs().isOne();
  if (!meets && !(bytes.isNegative() ? ICmpInst::isLT(ends) || ICmpInst::isLE(ends)
                                     : ICmpInst::isGT(ends) || ICmpInst::isGE(ends)))
    return std::nullopt;
  const bool isSigned = meets ? counter->hasNoSignedWrap() : CmpInst::isSigned(ends);
  if (!(isSigned ? counter->hasNoSignedWrap() : counter->hasNoUnsignedWrap()))
    return std::nullopt;
  const MaybeInterval last = boundsOf(*limit);
  if (!last)
    return std::nullopt;
  const auto shifted = [&](const Interval &number, const APInt &distance) {
    Value *const more = constant(distance.sext(kWideBits));
    return plus(number, {more, more});
  };
  const unsigned bits = bytes.getBitWidth();
  requireFits(shifted(start, ahead->getAPInt()), bits, isSigned);
  requireFits(*last, bits, isSigned);
  // Where the loop goes on below the limit, the counter is at most one step more the next time.
  return join(start, shifted(*last, (meets ? APInt::getZero(bits) : bytes) - ahead->getAPInt()));
}

} // namespace ompdsm
