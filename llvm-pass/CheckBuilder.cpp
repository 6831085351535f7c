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
} // namespace

Value *CheckBuilder::stateOf(IRBuilderBase &builder, Value *address) const {
  Value *entry = builder.CreateAdd(builder.CreateLShr(address, OMPDSM_LINE_SHIFT),
                                   builder.getInt64(OMPDSM_STATE_TABLE));
  // The byte changes behind the optimiser's back, hence volatile. An optimiser that runs later
  // could still move the access itself above a volatile load, to where the permission was not yet
  // tested, but not above an acquire load (its partner is the runtime's release store of the
  // state). That costs an instruction, because the test does not fold into the load.
  LoadInst *state = builder.CreateAlignedLoad(
      builder.getInt8Ty(), builder.CreateIntToPtr(entry, builder.getPtrTy()), Align(1),
      /*isVolatile=*/!moreOptimisation_);
  if (moreOptimisation_)
    state->setAtomic(AtomicOrdering::Acquire);
  state->setNoSanitizeMetadata();
  return state;
}

Instruction *CheckBuilder::branchIfMiss(Instruction *before, Value *states, bool isWrite) const {
  IRBuilder<> builder(before);
  Value *bit = builder.getInt8(isWrite ? OMPDSM_WRITE_MISSES : OMPDSM_READ_MISSES);
  Value *misses = builder.CreateICmpNE(builder.CreateAnd(states, bit), builder.getInt8(0));
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
  Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  Value *states = stateOf(builder, address);
  // What is aligned to its size or more lies in one line.
  if (alignment.value() < bytes)
    states = builder.CreateOr(
        states, stateOf(builder, builder.CreateAdd(address, builder.getInt64(bytes - 1))));
  Instruction *slow = branchIfMiss(before, states, isWrite);
  slow->setDebugLoc(before->getDebugLoc());
  callMiss(slow, pointer, builder.getInt64(bytes), isWrite);
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
