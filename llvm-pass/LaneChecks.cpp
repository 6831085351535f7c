// LaneChecks.cpp: one test for all lanes of a vector; lane by lane only on the slow path.
//
// An inactive lane's address is replaced by 0, whose line never misses, before its state is looked
// up. So the tests need no branches of their own.
#include "LaneChecks.h"
#include "Compat.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ompdsm {

namespace {

using Unit = CheckBuilder::Unit;

class LaneEmitter {
public:
  LaneEmitter(const Access &access, const CheckBuilder &checks)
      : access_(access), checks_(checks), before_(access.instruction), builder_(before_) {}

  void emitMaskedRun() {
    assert(access_.bytes <= OMPDSM_LINE_BYTES && "elements of a masked vector are scalars");
    // Within one line's size, first and last active lane name all lines that active lanes touch.
    unsigned lanesOfRun = OMPDSM_LINE_BYTES / access_.bytes;
    if (std::optional<BitVector> active = constantMask())
      return emitConstantRuns(*active, lanesOfRun);
    Value *bits = maskBits();
    for (unsigned lane = 0; lane < access_.lanes; lane += lanesOfRun) {
      builder_.SetInsertPoint(before_);
      unsigned lanes = std::min(lanesOfRun, access_.lanes - lane);
      Value *run = lane == 0 ? bits : builder_.CreateLShr(bits, lane);
      emitRun(builder_.CreateTrunc(run, builder_.getIntNTy(lanes)), lane);
    }
  }

  void emitCompressed() {
    // A count of n lanes fits into n bits.
    Value *count = builder_.CreateUnaryIntrinsic(Intrinsic::ctpop, maskBits());
    Value *length = builder_.CreateMul(builder_.CreateZExtOrTrunc(count, builder_.getInt64Ty()),
                                       builder_.getInt64(access_.bytes));
    if (access_.bytes * access_.lanes > OMPDSM_LINE_BYTES)
      return checks_.checkRange(before_, access_.pointer, length, access_.isWrite);
    emitSpan(access_.pointer, length);
  }

  void emitScattered() {
    Value *states = builder_.getInt8(0);
    for (unsigned lane = 0; lane < access_.lanes; ++lane) {
      Value *active = builder_.CreateExtractElement(access_.mask, std::uint64_t(lane));
      if (auto *constant = dyn_cast<ConstantInt>(active); constant && constant->isZero())
        continue;
      Value *pointer = builder_.CreateExtractElement(access_.pointer, std::uint64_t(lane));
      Value *address = activeAddress(active, addressOf(pointer));
      states = builder_.CreateOr(states, checks_.stateOf(builder_, address, Unit::Group));
      if (access_.alignment.value() < access_.bytes)
        states = builder_.CreateOr(
            states, checks_.stateOf(builder_, lastByte(address, builder_.getInt64(access_.bytes)),
                                    Unit::Group));
    }
    Instruction *slow = checks_.branchIfMiss(before_, states, access_.isWrite);
    slow->setDebugLoc(before_->getDebugLoc());
    auto [body, lane] = insertLoop(builder_.getInt64(access_.lanes), slow);
    body->setDebugLoc(before_->getDebugLoc());
    builder_.SetInsertPoint(body);
    Value *active = builder_.CreateExtractElement(access_.mask, lane);
    Instruction *ask =
        SplitBlockAndInsertIfThen(active, body->getIterator(), /*Unreachable=*/false);
    builder_.SetInsertPoint(ask);
    checks_.checkFixed(ask, builder_.CreateExtractElement(access_.pointer, lane), access_.bytes,
                       access_.alignment, access_.isWrite);
  }

private:
  Value *maskBits() {
    return builder_.CreateBitCast(access_.mask, builder_.getIntNTy(access_.lanes));
  }
  Value *addressOf(Value *pointer) {
    return builder_.CreatePtrToInt(pointer, builder_.getInt64Ty());
  }
  Value *activeAddress(Value *active, Value *address) {
    return builder_.CreateSelect(active, address, builder_.getInt64(0));
  }
  Value *lastByte(Value *address, Value *bytes) {
    return builder_.CreateAdd(address, builder_.CreateSub(bytes, builder_.getInt64(1)));
  }

  /// The active lanes, if they are known now.
  std::optional<BitVector> constantMask() const {
    auto *mask = dyn_cast<Constant>(access_.mask);
    BitVector active(access_.lanes);
    for (unsigned lane = 0; lane < access_.lanes; ++lane) {
      auto *bit = mask ? dyn_cast_or_null<ConstantInt>(mask->getAggregateElement(lane)) : nullptr;
      if (!bit)
        return std::nullopt;
      active[lane] = bit->isOne();
    }
    return active;
  }

  void emitConstantRuns(const BitVector &active, unsigned lanesOfRun) {
    if (active.all())
      return checks_.checkFixed(before_, access_.pointer, access_.bytes * access_.lanes,
                                access_.alignment, access_.isWrite);
    for (unsigned lane = 0; lane < access_.lanes; lane += lanesOfRun) {
      int first = active.find_first_in(lane, std::min(lane + lanesOfRun, access_.lanes));
      if (first < 0)
        continue;
      int last = active.find_last_in(lane, std::min(lane + lanesOfRun, access_.lanes));
      builder_.SetInsertPoint(before_);
      Value *begin = first == 0 ? access_.pointer
                                : builder_.CreatePtrAdd(access_.pointer,
                                                        builder_.getInt64(first * access_.bytes));
      checks_.checkFixed(before_, begin, (last - first + 1) * access_.bytes, Align(1),
                         access_.isWrite);
    }
  }

  /// At most a line's size of lanes from `lane` on; `bits` are their masks.
  void emitRun(Value *bits, unsigned lane) {
    // Counting zeros in 64 bits: the result of a narrow count would not fit into few bits.
    Value *wideBits = builder_.CreateZExt(bits, builder_.getInt64Ty());
    Value *poisonIfZero = builder_.getFalse();
    Value *first = builder_.CreateBinaryIntrinsic(Intrinsic::cttz, wideBits, poisonIfZero);
    Value *leading = builder_.CreateBinaryIntrinsic(Intrinsic::ctlz, wideBits, poisonIfZero);
    Value *end = builder_.CreateSub(builder_.getInt64(64), leading);
    Value *element = builder_.getInt64(access_.bytes);
    Value *active = builder_.CreateICmpNE(wideBits, builder_.getInt64(0));
    Value *length = builder_.CreateSelect(
        active, builder_.CreateMul(builder_.CreateSub(end, first), element), builder_.getInt64(0));
    if (lane != 0)
      first = builder_.CreateAdd(first, builder_.getInt64(lane));
    emitSpan(builder_.CreatePtrAdd(access_.pointer, builder_.CreateMul(first, element)), length);
  }

  /// At most a line's size of bytes, or none.
  void emitSpan(Value *pointer, Value *length) {
    Value *active = builder_.CreateICmpNE(length, builder_.getInt64(0));
    Value *address = addressOf(pointer);
    Value *first = activeAddress(active, address);
    Value *last = activeAddress(active, lastByte(address, length));
    Instruction *slow = before_;
    for (const Unit unit : {Unit::Group, Unit::Line}) {
      builder_.SetInsertPoint(slow);
      Value *states = builder_.CreateOr(checks_.stateOf(builder_, first, unit),
                                        checks_.stateOf(builder_, last, unit));
      slow = checks_.branchIfMiss(slow, states, access_.isWrite);
      slow->setDebugLoc(before_->getDebugLoc());
    }
    checks_.callMiss(slow, pointer, length, access_.isWrite);
  }

  const Access &access_;
  const CheckBuilder &checks_;
  Instruction *before_;
  IRBuilder<> builder_;
};

} // namespace

void emitLaneCheck(const Access &access, const CheckBuilder &checks) {
  LaneEmitter emitter(access, checks);
  switch (access.shape) {
  case Access::Shape::MaskedRun:
    return emitter.emitMaskedRun();
  case Access::Shape::Compressed:
    return emitter.emitCompressed();
  case Access::Shape::Scattered:
    return emitter.emitScattered();
  case Access::Shape::Fixed:
  case Access::Shape::Range:
    break;
  }
  llvm_unreachable("not an access by lanes");
}

} // namespace ompdsm
