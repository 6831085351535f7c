// AtomicLoops.cpp: see AtomicLoops.h.
#include "AtomicLoops.h"
#include "AtomicWords.h"
#include "ModuleInstrumentation.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// What the function gets and returns, and the operand.
constexpr unsigned kWordBits = 64;

bool isRelaxed(const AtomicCmpXchgInst &exchange) {
  return exchange.getSuccessOrdering() == AtomicOrdering::Monotonic &&
         exchange.getFailureOrdering() == AtomicOrdering::Monotonic && !exchange.isVolatile();
}

bool fitsInWord(const Type &type) {
  return type.isPointerTy() ||
         ((type.isIntegerTy() || type.isFloatingPointTy() || type.isVectorTy()) &&
          !isa<ScalableVectorType>(type) && type.getPrimitiveSizeInBits() != 0 &&
          type.getPrimitiveSizeInBits().getFixedValue() <= kWordBits);
}

/// A block that is the whole loop, and the load in front of it.
class AtomicLoop {
public:
  /// Nothing of it is changed.
  static std::optional<AtomicLoop> of(AtomicCmpXchgInst &exchange) {
    AtomicLoop loop(exchange);
    if (isRelaxed(exchange) && loop.findOld() && loop.findEnd() && loop.findComputation())
      return loop;
    return std::nullopt;
  }

  Value *pointer() const { return exchange_->getPointerOperand(); }

  /// By an instruction, if there is one that does it: what many of these do is combined.
  void replaceByInstruction(AtomicRMWInst::BinOp operation) {
    IRBuilder<> builder(begin());
    builder.SetCurrentDebugLocation(place());
    leave(builder.CreateAtomicRMW(operation, pointer(), operand_, exchange_->getAlign(),
                                  AtomicOrdering::Monotonic));
  }
  std::optional<AtomicRMWInst::BinOp> instruction() const {
    const auto *only =
        computation_.size() == 1 ? dyn_cast<BinaryOperator>(computation_[0]) : nullptr;
    if (!only || exchange_->getNewValOperand() != only || !operand_ ||
        (only->getOperand(0) != old_ && !only->isCommutative()))
      return std::nullopt;
    switch (only->getOpcode()) {
    case Instruction::Add:
      return AtomicRMWInst::Add;
    case Instruction::Sub:
      return AtomicRMWInst::Sub;
    case Instruction::And:
      return AtomicRMWInst::And;
    case Instruction::Or:
      return AtomicRMWInst::Or;
    case Instruction::Xor:
      return AtomicRMWInst::Xor;
    default:
      return std::nullopt;
    }
  }

  void replaceByCall(const RuntimeCallees &callees, InstrumentationReport &report) {
    report.inserted(*exchange_, Insertion::Atomic);
    Function *function = outline();
    IRBuilder<> builder(begin());
    builder.SetCurrentDebugLocation(place());
    Value *operand = operand_ ? toWord(builder, operand_) : builder.getInt64(0);
    const auto bytes = unsigned(old_->getType()->getIntegerBitWidth() / 8);
    SmallVector<Value *, 4> arguments{pointer(), operand, function, builder.getInt32(bytes)};
    if (isWanted()) {
      leave(builder.CreateTrunc(callees.call(builder, Callee::__ompdsm_atomic_apply_old, arguments),
                                old_->getType()));
    } else {
      callees.call(builder, Callee::__ompdsm_atomic_apply, arguments);
      leave(PoisonValue::get(old_->getType()));
    }
  }

private:
  explicit AtomicLoop(AtomicCmpXchgInst &exchange)
      : exchange_(&exchange), block_(exchange.getParent()) {}

  /// The loop's only phi: what was loaded in front of it, or what the exchange has found.
  bool findOld() {
    old_ = dyn_cast<PHINode>(exchange_->getCompareOperand());
    if (!old_ || old_->getParent() != block_ || !hasSingleElement(block_->phis()) ||
        old_->getNumIncomingValues() != 2 || !old_->getType()->isIntegerTy() ||
        old_->getBasicBlockIndex(block_) < 0)
      return false;
    const unsigned bits = old_->getType()->getIntegerBitWidth();
    const auto *found = dyn_cast<ExtractValueInst>(old_->getIncomingValueForBlock(block_));
    const unsigned outside = old_->getIncomingBlock(0) == block_ ? 1 : 0;
    first_ = dyn_cast<LoadInst>(old_->getIncomingValue(outside));
    return isPowerOf2_32(bits) && bits >= 8 && bits <= kWordBits &&
           exchange_->getAlign().value() >= bits / 8 && found && isField(*found, 0) && first_ &&
           first_->getOrdering() == AtomicOrdering::Monotonic && !first_->isVolatile() &&
           first_->hasOneUse() && first_->getPointerOperand() == pointer();
  }

  bool isField(const ExtractValueInst &value, unsigned index) const {
    return value.getAggregateOperand() == exchange_ && value.getIndices()[0] == index;
  }

  bool findEnd() {
    end_ = dyn_cast<BranchInst>(block_->getTerminator());
    if (!end_ || !end_->isConditional() || end_->getSuccessor(1) != block_ ||
        end_->getSuccessor(0) == block_)
      return false;
    const auto *succeeded = dyn_cast<ExtractValueInst>(end_->getCondition());
    return succeeded && isField(*succeeded, 1);
  }

  /// What comes between: pure, and of at most one value from outside.
  bool findComputation() {
    SmallSetVector<Value *, 2> outside;
    for (Instruction &each : *block_) {
      if (&each == old_ || &each == exchange_ || &each == end_)
        continue;
      if (const auto *field = dyn_cast<ExtractValueInst>(&each);
          field && field->getAggregateOperand() == exchange_) {
        if (!field->hasOneUse() && field->getIndices()[0] == 1)
          return false;
        continue;
      }
      if (isa<CallBase>(each) && !isa<IntrinsicInst>(each))
        return false;
      if (each.isTerminator() || each.mayReadOrWriteMemory() || each.mayThrow() ||
          isa<AllocaInst, PHINode>(each))
        return false;
      computation_.push_back(&each);
    }
    for (Instruction *each : computation_)
      for (Value *operand : each->operands())
        note(operand, outside);
    note(exchange_->getNewValOperand(), outside);
    if (outside.size() > 1)
      return false;
    operand_ = outside.empty() ? nullptr : outside.front();
    return !operand_ || fitsInWord(*operand_->getType());
  }
  void note(Value *operand, SmallSetVector<Value *, 2> &outside) const {
    const auto *instruction = dyn_cast<Instruction>(operand);
    if (isa<Argument>(operand) || (instruction && instruction->getParent() != block_))
      outside.insert(operand);
  }

  /// Whether what was there before, or what comes of it, is used behind the loop.
  bool isWanted() const {
    const auto isUsedOutside = [&](const Instruction *each) {
      return any_of(each->users(), [&](const User *user) {
        return cast<Instruction>(user)->getParent() != block_;
      });
    };
    return isUsedOutside(old_) || any_of(computation_, isUsedOutside) ||
           any_of(exchange_->users(),
                  [&](const User *user) { return isUsedOutside(cast<Instruction>(user)); });
  }

  Function *outline() const {
    Module &module = *block_->getModule();
    LLVMContext &context = module.getContext();
    Type *word = Type::getInt64Ty(context);
    Function *function = Function::Create(FunctionType::get(word, {word, word}, /*isVarArg=*/false),
                                          GlobalValue::InternalLinkage, "ompdsm.update", module);
    copyTarget(*function);
    IRBuilder<> builder(BasicBlock::Create(context, "", function));
    ValueToValueMapTy values;
    values[old_] = fromWord(builder, function->getArg(0), old_->getType());
    if (operand_)
      values[operand_] = fromWord(builder, function->getArg(1), operand_->getType());
    for (Instruction *each : computation_) {
      Instruction *clone = each->clone();
      clone->setDebugLoc({});
      builder.Insert(clone);
      values[each] = clone;
      RemapInstruction(clone, values, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    }
    Value *desired = exchange_->getNewValOperand();
    if (Value *computed = values.lookup(desired))
      desired = computed;
    builder.CreateRet(toWord(builder, desired));
    return function;
  }
  /// The instructions of this processor are used there, too; and the runtime calls it without any
  /// check.
  void copyTarget(Function &function) const {
    const Function &from = *block_->getParent();
    for (const char *name : {"target-cpu", "target-features", "tune-cpu"})
      if (from.hasFnAttribute(name))
        function.addFnAttr(from.getFnAttribute(name));
    function.addFnAttr(Attribute::NoUnwind);
    function.setDoesNotAccessMemory();
    markInstrumented(function);
  }

  Instruction *begin() const { return &*block_->getFirstNonPHIIt(); }
  DebugLoc place() const { return exchange_->getDebugLoc(); }

  /// Nothing is left of the loop but what computes values that are wanted, from `old`.
  void leave(Value *old) {
    old_->replaceAllUsesWith(old);
    for (User *user : make_early_inc_range(exchange_->users())) {
      auto *field = cast<ExtractValueInst>(user); // It has found what was there, and succeeded.
      field->replaceAllUsesWith(
          field->getIndices()[0] == 0 ? old : ConstantInt::getTrue(field->getType()));
      field->eraseFromParent();
    }
    IRBuilder<>(end_).CreateBr(end_->getSuccessor(0));
    end_->eraseFromParent();
    exchange_->eraseFromParent();
    old_->eraseFromParent();
    first_->eraseFromParent();
    for (Instruction *each : reverse(computation_))
      if (each->use_empty())
        each->eraseFromParent();
  }

  AtomicCmpXchgInst *exchange_;
  BasicBlock *block_;
  PHINode *old_ = nullptr;
  LoadInst *first_ = nullptr;
  BranchInst *end_ = nullptr;
  SmallVector<Instruction *, 8> computation_;
  Value *operand_ = nullptr; ///< From outside; null if there is none.
};

} // namespace

bool replaceAtomicLoops(Function &function, const RuntimeCallees &callees,
                        SharedPointerAnalysis &shared, InstrumentationReport &report) {
  SmallVector<AtomicLoop, 4> loops;
  for (Instruction &instruction : instructions(function))
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
      if (std::optional<AtomicLoop> loop = AtomicLoop::of(*exchange))
        if (!shared.whyPrivate(loop->pointer()))
          loops.push_back(std::move(*loop));
  for (AtomicLoop &loop : loops) {
    if (const auto operation = loop.instruction())
      loop.replaceByInstruction(*operation);
    else
      loop.replaceByCall(callees, report);
  }
  return !loops.empty();
}

} // namespace ompdsm
