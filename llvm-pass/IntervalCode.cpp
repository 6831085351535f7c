// IntervalCode.cpp: see IntervalCode.h.
#include "IntervalCode.h"

using namespace llvm;

namespace ompdsm {

IntervalCode::IntervalCode(Instruction *end)
    : builder_(end), wide_(builder_.getIntNTy(kWideBits)), isExact_(builder_.getTrue()) {}

Value *IntervalCode::constant(APInt value) {
  return ConstantInt::get(builder_.getContext(), std::move(value));
}

Value *IntervalCode::smaller(Value *one, Value *other) {
  return builder_.CreateSelect(builder_.CreateICmpSLT(one, other), one, other);
}
Value *IntervalCode::larger(Value *one, Value *other) {
  return builder_.CreateSelect(builder_.CreateICmpSLT(one, other), other, one);
}

Interval IntervalCode::join(const Interval &one, const Interval &other) {
  return {smaller(one.least, other.least), larger(one.most, other.most)};
}
Interval IntervalCode::plus(const Interval &one, const Interval &other) {
  return {builder_.CreateAdd(one.least, other.least), builder_.CreateAdd(one.most, other.most)};
}
Interval IntervalCode::times(const Interval &one, Value *factor) {
  requireSmall(one);
  requireSmall({factor, factor});
  Value *least = builder_.CreateMul(one.least, factor);
  Value *most = builder_.CreateMul(one.most, factor);
  return {smaller(least, most), larger(least, most)};
}

void IntervalCode::require(Value *condition) { isExact_ = builder_.CreateAnd(isExact_, condition); }

void IntervalCode::requireFits(const Interval &number, unsigned bits, bool isSigned) {
  const APInt least =
      isSigned ? APInt::getSignedMinValue(bits).sext(kWideBits) : APInt::getZero(kWideBits);
  const APInt most = isSigned ? APInt::getSignedMaxValue(bits).sext(kWideBits)
                              : APInt::getMaxValue(bits).zext(kWideBits);
  require(builder_.CreateICmpSGE(number.least, constant(least)));
  require(builder_.CreateICmpSLE(number.most, constant(most)));
}

void IntervalCode::requireSmall(const Interval &number) {
  requireFits(number, kFactorBits, /*isSigned=*/true);
}

Interval IntervalCode::exactly(Value *number, bool isSigned) {
  Value *wide = isSigned ? builder_.CreateSExt(number, wide_) : builder_.CreateZExt(number, wide_);
  return {wide, wide};
}

} // namespace ompdsm
