// CheckBuilder.cpp: see CheckBuilder.h.
#include "CheckBuilder.h"
#include "ompdsm/abi.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace ompdsm {

namespace {
/// Weights of the branch: misses are so rare that the slow path belongs out of line.
constexpr unsigned kMissWeight = 1, kPassWeight = 1u << 20;
/// Not all of what lies outside of a run misses.
constexpr unsigned kInsideWeight = 64;
/// Addresses that are computed from each other.
constexpr unsigned kMaxDepth = 3;

/// Whether the code generator may compute the address where it is used, as a part of the
/// instruction that accesses it.
bool isOnlyAccessed(const Value &pointer, unsigned depth = 0) {
  return isa<GetElementPtrInst>(pointer) && !pointer.use_empty() && depth <= kMaxDepth &&
         all_of(pointer.uses(), [&](const Use &use) {
           const User &user = *use.getUser();
           return isa<LoadInst>(user) ||
                  (isa<StoreInst>(user) &&
                   use.getOperandNo() == StoreInst::getPointerOperandIndex()) ||
                  isOnlyAccessed(user, depth + 1);
         });
}

} // namespace

void CheckBuilder::keepAddresses(ArrayRef<Value *> pointers) {
  SmallVector<Value *, 16> work(pointers);
  SmallPtrSet<Value *, 16> visited;
  while (!work.empty()) {
    Value *pointer = work.pop_back_val();
    if (visited.insert(pointer).second && isOnlyAccessed(*pointer) &&
        keptAddresses_.insert(pointer).second)
      work.push_back(cast<GetElementPtrInst>(pointer)->getPointerOperand());
  }
}

Value *CheckBuilder::pointerFor(Value *pointer, Instruction *before) const {
  if (!keptAddresses_.contains(pointer))
    return pointer;
  auto *copy = cast<GetElementPtrInst>(cast<GetElementPtrInst>(pointer)->clone());
  copy->setOperand(copy->getPointerOperandIndex(), pointerFor(copy->getPointerOperand(), before));
  copy->insertBefore(before->getIterator());
  copy->setName(pointer->getName());
  return copy;
}

Value *CheckBuilder::loadStates(IRBuilderBase &builder, Value *address, Unit unit,
                                Type *type) const {
  const bool isLine = unit == Unit::Line;
  Value *entry = builder.CreateAdd(
      builder.CreateLShr(address, isLine ? OMPDSM_LINE_SHIFT : OMPDSM_GROUP_SHIFT),
      builder.getInt64(isLine ? OMPDSM_STATE_TABLE : OMPDSM_GROUP_TABLE));
  // The byte changes behind the optimiser's back, hence volatile. An optimiser that runs later
  // could still move the access itself above a volatile load, to where the permission was not yet
  // tested, but not above an acquire load (its partner is the runtime's release store of the
  // state). That costs an instruction, because the test does not fold into the load.
  LoadInst *state =
      builder.CreateAlignedLoad(type, builder.CreateIntToPtr(entry, builder.getPtrTy()), Align(1),
                                /*isVolatile=*/!moreOptimisation_);
  if (moreOptimisation_)
    state->setAtomic(AtomicOrdering::Acquire);
  state->setNoSanitizeMetadata();
  return state;
}

Value *CheckBuilder::stateOf(IRBuilderBase &builder, Value *address, Unit unit) const {
  return loadStates(builder, address, unit, builder.getInt8Ty());
}

Value *CheckBuilder::statesOf(IRBuilderBase &builder, Value *address, std::uint64_t bytes,
                              Unit unit) const {
  return builder.CreateOr(
      stateOf(builder, address, unit),
      stateOf(builder, builder.CreateAdd(address, builder.getInt64(bytes - 1)), unit));
}

Instruction *CheckBuilder::branchIfMiss(Instruction *before, Value *states, bool isWrite) const {
  IRBuilder<> builder(before);
  const unsigned bit = isWrite ? OMPDSM_WRITE_MISSES : OMPDSM_READ_MISSES;
  Type *type = states->getType();
  Value *bits = ConstantInt::get(type, type->isIntegerTy(8) ? bit : bit << 8 | bit);
  Value *misses = builder.CreateICmpNE(builder.CreateAnd(states, bits), ConstantInt::get(type, 0));
  return SplitBlockAndInsertIfThen(
      misses, before->getIterator(), /*Unreachable=*/false,
      MDBuilder(builder.getContext()).createBranchWeights(kMissWeight, kPassWeight));
}

void CheckBuilder::callMiss(Instruction *before, Value *pointer, Value *bytes, bool isWrite) const {
  IRBuilder<> builder(before);
  callees_.call(builder, isWrite ? Callee::__ompdsm_write_miss : Callee::__ompdsm_read_miss,
                {pointer, bytes});
}

void CheckBuilder::checkFixed(Instruction *before, Value *pointer, std::uint64_t bytes,
                              Align alignment, bool isWrite) const {
  IRBuilder<> builder(before);
  if (bytes > OMPDSM_LINE_BYTES)
    return checkRange(before, pointer, builder.getInt64(bytes), isWrite);
  if (Value *isInside = isWrite ? nullptr : runs_.test(builder, pointer, bytes)) {
    const DebugLoc place = before->getDebugLoc();
    before = SplitBlockAndInsertIfThen(
        builder.CreateNot(isInside), before->getIterator(), /*Unreachable=*/false,
        MDBuilder(builder.getContext()).createBranchWeights(1, kInsideWeight));
    before->setDebugLoc(place);
    builder.SetInsertPoint(before);
  }
  const auto addressFor = [&](Instruction *place) {
    return IRBuilder<>(place).CreatePtrToInt(pointerFor(pointer, place), builder.getInt64Ty());
  };
  const bool isInOne = alignment.value() >= bytes;
  Value *address = addressFor(before);
  Value *groups;
  if (isInOne)
    groups = stateOf(builder, address, Unit::Group);
  else if (moreOptimisation_) // No instruction acquires two bytes wherever they are.
    groups = statesOf(builder, address, bytes, Unit::Group);
  else // Its first group and the next by one load: half of the instructions of two.
    groups = loadStates(builder, address, Unit::Group, builder.getInt16Ty());
  Instruction *slow = branchIfMiss(before, groups, isWrite);
  slow->setDebugLoc(before->getDebugLoc());
  address = addressFor(slow);
  builder.SetInsertPoint(slow);
  slow = branchIfMiss(slow,
                      isInOne ? stateOf(builder, address, Unit::Line)
                              : statesOf(builder, address, bytes, Unit::Line),
                      isWrite);
  slow->setDebugLoc(before->getDebugLoc());
  callMiss(slow, pointerFor(pointer, slow), builder.getInt64(bytes), isWrite);
}

void CheckBuilder::checkRange(Instruction *before, Value *pointer, Value *length,
                              bool isWrite) const {
  IRBuilder<> builder(before);
  callees_.call(builder, isWrite ? Callee::__ompdsm_range_write : Callee::__ompdsm_range_read,
                {pointer, builder.CreateZExtOrTrunc(length, builder.getInt64Ty())});
}

void CheckBuilder::checkOverwrite(Instruction *before, Value *pointer, Value *length) const {
  IRBuilder<> builder(before);
  Value *none = builder.getInt64(0), *one = builder.getInt64(1);
  callees_.call(
      builder, Callee::__ompdsm_section_overwrite,
      {pointer, builder.CreateZExtOrTrunc(length, builder.getInt64Ty()), none, one, none, one});
}

} // namespace ompdsm
