// AtomicCalls.cpp: 1, 2, 4 and 8 aligned bytes travel as integers, everything else in stack slots.
#include "AtomicCalls.h"
#include "AtomicWords.h"
#include "Compat.h"
#include "ompdsm/abi.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/Support/AtomicOrdering.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

using namespace llvm;

namespace ompdsm {

namespace {

constexpr unsigned kRelaxedOrder = 0;

/// What __ompdsm_atomic_rmw calls the operation, if it can do it on the type.
std::optional<unsigned> operationOf(AtomicRMWInst::BinOp operation, Type *type) {
  bool isFloat = type->isHalfTy() || type->isFloatTy() || type->isDoubleTy();
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return OMPDSM_ATOMIC_XCHG;
#define OMPDSM_RMW(llvmName, name, condition)                                                      \
  case AtomicRMWInst::llvmName:                                                                    \
    return condition ? std::optional<unsigned>(OMPDSM_ATOMIC_##name) : std::nullopt;
    OMPDSM_RMW(Add, ADD, true)
    OMPDSM_RMW(Sub, SUB, true)
    OMPDSM_RMW(And, AND, true)
    OMPDSM_RMW(Nand, NAND, true)
    OMPDSM_RMW(Or, OR, true)
    OMPDSM_RMW(Xor, XOR, true)
    OMPDSM_RMW(Max, MAX, true)
    OMPDSM_RMW(Min, MIN, true)
    OMPDSM_RMW(UMax, UMAX, true)
    OMPDSM_RMW(UMin, UMIN, true)
    OMPDSM_RMW(FAdd, FADD, isFloat)
    OMPDSM_RMW(FSub, FSUB, isFloat)
    OMPDSM_RMW(FMax, FMAX, isFloat)
    OMPDSM_RMW(FMin, FMIN, isFloat)
    OMPDSM_RMW(UIncWrap, UINC_WRAP, true)
    OMPDSM_RMW(UDecWrap, UDEC_WRAP, true)
#define OMPDSM_LATER_RMW(llvmName, name) OMPDSM_RMW(llvmName, name, true)
    OMPDSM_LATER_ATOMIC_UPDATES(OMPDSM_LATER_RMW)
#undef OMPDSM_LATER_RMW
#undef OMPDSM_RMW
  default:
    return std::nullopt;
  }
}

/// LLVM's name of a C11 memory_order; the strongest if it is known only at run time.
AtomicOrdering orderingOf(Value *order) {
  auto *constant = dyn_cast<ConstantInt>(order);
  if (!constant || !isValidAtomicOrderingCABI(constant->getZExtValue()))
    return AtomicOrdering::SequentiallyConsistent;
  switch (AtomicOrderingCABI(constant->getZExtValue())) {
  case AtomicOrderingCABI::relaxed:
    return AtomicOrdering::Monotonic;
  case AtomicOrderingCABI::consume:
  case AtomicOrderingCABI::acquire:
    return AtomicOrdering::Acquire;
  case AtomicOrderingCABI::release:
    return AtomicOrdering::Release;
  case AtomicOrderingCABI::acq_rel:
    return AtomicOrdering::AcquireRelease;
  case AtomicOrderingCABI::seq_cst:
    return AtomicOrdering::SequentiallyConsistent;
  }
  llvm_unreachable("a valid order");
}

/// One operation at one place.
class Emitter {
public:
  Emitter(Instruction *before, Type *type, Align alignment)
      : builder(before), type_(type),
        bytes_(before->getDataLayout().getTypeStoreSize(type).getFixedValue()),
        isWord_(bytes_ <= 8 && isPowerOf2_64(bytes_) && alignment.value() >= bytes_) {}

  IRBuilder<> builder;

  bool isWord() const { return isWord_; }
  Value *bytes32() { return builder.getInt32(unsigned(bytes_)); }
  Value *bytes64() { return builder.getInt64(bytes_); }

  Value *toBits(Value *value) { return toWord(builder, value); }
  Value *fromBits(Value *bits) { return fromWord(builder, bits, type_); }

  /// A stack slot for an operand or result that does not travel in a register.
  AllocaInst *slot(Value *contents = nullptr) {
    BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
    IRBuilder<> entryBuilder(&entry, entry.getFirstInsertionPt());
    AllocaInst *slot = entryBuilder.CreateAlloca(type_);
    slot->setAlignment(Align(16));
    if (contents)
      builder.CreateStore(contents, slot);
    return slot;
  }
  Value *contentsOf(AllocaInst *slot) { return builder.CreateLoad(type_, slot); }

private:
  Type *type_;
  std::uint64_t bytes_;
  bool isWord_;
};

/// Whether __ompdsm_atomic_rmw does it; vectors are combined by their elements.
bool isOneCall(const Emitter &emitter, AtomicRMWInst::BinOp operation, Type *type) {
  return operationOf(operation, type) && emitter.isWord() &&
         (!type->isVectorTy() || operation == AtomicRMWInst::Xchg);
}

/// The runtime is done with the slots when the call returns, so they stay private.
CallInst *keepPrivate(CallInst *call) {
  for (unsigned i = 0; i < call->arg_size(); ++i)
    if (isa<AllocaInst>(call->getArgOperand(i)))
      call->addParamAttr(i, capturesNothing(call->getContext()));
  return call;
}

} // namespace

Value *AtomicCalls::load(Instruction *before, Value *pointer, Type *type, Align alignment,
                         Value *order) const {
  Emitter emitter(before, type, alignment);
  if (emitter.isWord())
    return emitter.fromBits(callees_.call(emitter.builder, Callee::__ompdsm_atomic_load,
                                          {pointer, emitter.bytes32(), order}));
  AllocaInst *result = emitter.slot();
  keepPrivate(callees_.call(emitter.builder, Callee::__ompdsm_atomic_load_sized,
                            {emitter.bytes64(), pointer, result, order}));
  return emitter.contentsOf(result);
}

void AtomicCalls::store(Instruction *before, Value *pointer, Value *value, Align alignment,
                        Value *order) const {
  Emitter emitter(before, value->getType(), alignment);
  if (emitter.isWord())
    callees_.call(emitter.builder, Callee::__ompdsm_atomic_store,
                  {pointer, emitter.toBits(value), emitter.bytes32(), order});
  else
    keepPrivate(callees_.call(emitter.builder, Callee::__ompdsm_atomic_store_sized,
                              {emitter.bytes64(), pointer, emitter.slot(value), order}));
}

bool AtomicCalls::isKnown(AtomicRMWInst::BinOp operation) {
  return operation >= AtomicRMWInst::FIRST_BINOP && operation <= kLastAtomicUpdate;
}

std::optional<AtomicRMWInst::BinOp> AtomicCalls::instructionOf(unsigned operation, Type *type) {
  for (unsigned each = AtomicRMWInst::FIRST_BINOP; each <= unsigned(kLastAtomicUpdate); ++each)
    if (const auto known = AtomicRMWInst::BinOp(each); operationOf(known, type) == operation)
      return known;
  return std::nullopt;
}

Value *AtomicCalls::update(Instruction *before, AtomicRMWInst::BinOp operation, Value *pointer,
                           Value *operand, Align alignment, Value *order) const {
  Type *type = operand->getType();
  Emitter emitter(before, type, alignment);
  if (isOneCall(emitter, operation, type))
    return emitter.fromBits(callees_.call(emitter.builder, Callee::__ompdsm_atomic_rmw,
                                          {pointer, emitter.toBits(operand),
                                           emitter.builder.getInt32(*operationOf(operation, type)),
                                           emitter.bytes32(), order}));
  if (operation == AtomicRMWInst::Xchg) {
    AllocaInst *result = emitter.slot();
    keepPrivate(callees_.call(emitter.builder, Callee::__ompdsm_atomic_exchange_sized,
                              {emitter.bytes64(), pointer, emitter.slot(operand), result, order}));
    return emitter.contentsOf(result);
  }
  Value *relaxed = emitter.builder.getInt32(kRelaxedOrder);
  Value *first = load(before, pointer, type, alignment, relaxed);
  BasicBlock *head = before->getParent();
  BasicBlock *loop = head->splitBasicBlock(before->getIterator(), "ompdsm.atomic");
  BasicBlock *done = loop->splitBasicBlock(before->getIterator(), "ompdsm.atomic.done");
  Instruction *end = loop->getTerminator();
  IRBuilder<> builder(end);
  builder.SetCurrentDebugLocation(before->getDebugLoc());
  PHINode *old = builder.CreatePHI(type, 2);
  Value *desired = buildAtomicRMWValue(operation, builder, old, operand);
  Exchanged exchanged = compareExchange(end, pointer, old, desired, alignment, order, relaxed);
  builder.SetInsertPoint(end);
  builder.CreateCondBr(exchanged.succeeded, done, loop);
  end->eraseFromParent();
  old->addIncoming(first, head);
  old->addIncoming(exchanged.found, loop);
  return exchanged.found;
}

bool AtomicCalls::updateOnly(Instruction *before, AtomicRMWInst::BinOp operation, Value *pointer,
                             Value *operand, Align alignment) const {
  Type *type = operand->getType();
  Emitter emitter(before, type, alignment);
  if (operation == AtomicRMWInst::Xchg || !isOneCall(emitter, operation, type))
    return false;
  callees_.call(emitter.builder, Callee::__ompdsm_atomic_update,
                {pointer, emitter.toBits(operand),
                 emitter.builder.getInt32(*operationOf(operation, type)), emitter.bytes32()});
  return true;
}

AtomicCalls::Exchanged AtomicCalls::compareExchange(Instruction *before, Value *pointer,
                                                    Value *expected, Value *desired,
                                                    Align alignment, Value *success,
                                                    Value *failure) const {
  Emitter emitter(before, expected->getType(), alignment);
  if (emitter.isWord()) {
    Value *expectedBits = emitter.toBits(expected);
    // One order for both outcomes.
    AtomicOrdering merged = getMergedAtomicOrdering(orderingOf(success), orderingOf(failure));
    Value *found = callees_.call(emitter.builder, Callee::__ompdsm_atomic_cmpxchg,
                                 {pointer, expectedBits, emitter.toBits(desired), emitter.bytes32(),
                                  emitter.builder.getInt32(unsigned(toCABI(merged)))});
    return {emitter.fromBits(found), emitter.builder.CreateICmpEQ(found, expectedBits)};
  }
  AllocaInst *expectedSlot = emitter.slot(expected); // On failure it receives what was found.
  Value *result = keepPrivate(callees_.call(
      emitter.builder, Callee::__ompdsm_atomic_cmpxchg_sized,
      {emitter.bytes64(), pointer, expectedSlot, emitter.slot(desired), success, failure}));
  return {emitter.contentsOf(expectedSlot),
          emitter.builder.CreateICmpNE(result, emitter.builder.getInt32(0))};
}

} // namespace ompdsm
