// AtomicInlining.cpp: see AtomicInlining.h.
#include "AtomicInlining.h"
#include "AtomicCalls.h"
#include "ompdsm/abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// Weights of the branch: few have their home elsewhere once pages have moved.
constexpr unsigned kCallWeight = 1, kHereWeight = 64;

constexpr AtomicOrdering kMonotonic = AtomicOrdering::Monotonic;

enum class Kind { Load, Store, Update, Apply, Exchange };

/// The calls, and which of their arguments say how many bytes and in which order.
constexpr unsigned kRelaxed = ~0u; ///< No order: always that.
constexpr struct Form {
  Callee callee;
  Kind kind;
  unsigned bytes, order;
} kForms[] = {
    {Callee::__ompdsm_atomic_load, Kind::Load, 1, 2},
    {Callee::__ompdsm_atomic_store, Kind::Store, 2, 3},
    {Callee::__ompdsm_atomic_rmw, Kind::Update, 3, 4},
    {Callee::__ompdsm_atomic_update, Kind::Update, 3, kRelaxed},
    {Callee::__ompdsm_atomic_apply, Kind::Apply, 3, kRelaxed},
    {Callee::__ompdsm_atomic_apply_old, Kind::Apply, 3, kRelaxed},
    {Callee::__ompdsm_atomic_cmpxchg, Kind::Exchange, 3, 4},
};

/// One call of the runtime that an instruction could do instead.
class Candidate {
public:
  /// Nothing if the call is another's, its order is not relaxed, or what it does is not a constant.
  static std::optional<Candidate> of(Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee)
      return std::nullopt;
    const Form *form = find_if(kForms, [&](const Form &each) {
      return callee->getName() == RuntimeCallees::nameOf(each.callee);
    });
    if (form == std::end(kForms))
      return std::nullopt;
    const std::optional<std::uint64_t> bytes = constantOf(*call, form->bytes);
    const bool isRelaxed =
        form->order == kRelaxed ||
        constantOf(*call, form->order) == std::uint64_t(AtomicOrderingCABI::relaxed);
    if (!bytes || !isRelaxed)
      return std::nullopt;
    Candidate candidate(*call, form->kind, unsigned(*bytes));
    if (form->kind == Kind::Update && !candidate.findUpdate())
      return std::nullopt;
    return candidate;
  }

  void inlineWith(const CheckBuilder &checks) {
    IRBuilder<> builder(call_);
    Value *state = checks.stateOf(builder, builder.CreatePtrToInt(pointer(), builder.getInt64Ty()),
                                  CheckBuilder::Unit::Line);
    const unsigned bits =
        (kind_ == Kind::Load ? OMPDSM_READ_MISSES : OMPDSM_WRITE_MISSES) | OMPDSM_REMOTE;
    Value *elsewhere = builder.CreateAnd(state, builder.getInt8(bits));
    // What the runtime's way does besides: it serves who waits, and pays what the thread owes.
    Value *attention = loadByte(
        builder, builder.CreateIntToPtr(builder.getInt64(OMPDSM_ATTENTION), builder.getPtrTy()));
    Value *owed = loadByte(builder, builder.CreateThreadLocalAddress(releaseOwed()));
    Value *isCalled = builder.CreateICmpNE(
        builder.CreateOr(builder.CreateOr(elsewhere, attention), owed), builder.getInt8(0));
    Instruction *callEnd = nullptr, *hereEnd = nullptr;
    SplitBlockAndInsertIfThenElse(
        isCalled, call_->getIterator(), &callEnd, &hereEnd,
        MDBuilder(builder.getContext()).createBranchWeights(kCallWeight, kHereWeight));
    const DebugLoc place = call_->getDebugLoc();
    builder.SetInsertPoint(hereEnd);
    builder.SetCurrentDebugLocation(place);
    Value *here = kind_ == Kind::Apply ? emitLoop(builder, *hereEnd) : emitHere(builder);
    BasicBlock *join = call_->getParent();
    call_->moveBefore(*callEnd->getParent(), callEnd->getIterator());
    if (call_->use_empty())
      return;
    PHINode *old = PHINode::Create(call_->getType(), 2, "", join->begin());
    old->setDebugLoc(place);
    call_->replaceAllUsesWith(old);
    old->addIncoming(call_, callEnd->getParent());
    old->addIncoming(here, hereEnd->getParent());
  }

private:
  static std::optional<std::uint64_t> constantOf(const CallInst &call, unsigned argument) {
    if (const auto *value = dyn_cast<ConstantInt>(call.getArgOperand(argument)))
      return value->getZExtValue();
    return std::nullopt;
  }

  Candidate(CallInst &call, Kind kind, unsigned bytes) : call_(&call), kind_(kind), bytes_(bytes) {}

  Value *pointer() const { return call_->getArgOperand(0); }
  Align alignment() const { return Align(bytes_); }

  /// The instruction's name and type of what the call does.
  bool findUpdate() {
    const std::optional<std::uint64_t> number = constantOf(*call_, 2);
    if (!number)
      return false;
    LLVMContext &context = call_->getContext();
    SmallVector<Type *, 2> types{IntegerType::get(context, bytes_ * 8)};
    if (bytes_ != 1)
      types.push_back(bytes_ == 2   ? Type::getHalfTy(context)
                      : bytes_ == 4 ? Type::getFloatTy(context)
                                    : Type::getDoubleTy(context));
    for (Type *type : types)
      if (std::optional<AtomicRMWInst::BinOp> known =
              AtomicCalls::instructionOf(unsigned(*number), type)) {
        update_ = *known;
        updateType_ = type;
        return true;
      }
    return false;
  }

  /// As RuntimeCallees' functions, the variable is declared on first use.
  GlobalVariable *releaseOwed() const {
    Module &module = *call_->getModule();
    auto *type = Type::getInt8Ty(module.getContext());
    auto *variable = cast<GlobalVariable>(module.getOrInsertGlobal(OMPDSM_RELEASE_OWED, type));
    variable->setThreadLocalMode(GlobalValue::InitialExecTLSModel);
    return variable;
  }

  static Value *loadByte(IRBuilderBase &builder, Value *pointer) {
    LoadInst *load =
        builder.CreateAlignedLoad(builder.getInt8Ty(), pointer, Align(1), /*isVolatile=*/true);
    load->setNoSanitizeMetadata();
    return load;
  }

  /// The operation by an instruction; its old value in 64 bits, if there is one.
  Value *emitHere(IRBuilderBase &builder) const {
    Type *bits = builder.getIntNTy(bytes_ * 8), *word = builder.getInt64Ty();
    const auto operand = [&](unsigned i) {
      return builder.CreateTrunc(call_->getArgOperand(i), bits);
    };
    switch (kind_) {
    case Kind::Load: {
      LoadInst *load = builder.CreateAlignedLoad(bits, pointer(), alignment());
      load->setAtomic(kMonotonic);
      return builder.CreateZExt(load, word);
    }
    case Kind::Store:
      builder.CreateAlignedStore(operand(1), pointer(), alignment())->setAtomic(kMonotonic);
      return nullptr;
    case Kind::Update: {
      Value *old = builder.CreateAtomicRMW(update_, pointer(),
                                           builder.CreateBitCast(operand(1), updateType_),
                                           alignment(), kMonotonic);
      return builder.CreateZExt(builder.CreateBitCast(old, bits), word);
    }
    case Kind::Exchange: {
      Value *pair = builder.CreateAtomicCmpXchg(pointer(), operand(1), operand(2), alignment(),
                                                kMonotonic, kMonotonic);
      return builder.CreateZExt(builder.CreateExtractValue(pair, 0), word);
    }
    case Kind::Apply:
      break;
    }
    llvm_unreachable("not a kind");
  }

  /// In front of `end`: what the front end had made of it (AtomicLoops.h).
  Value *emitLoop(IRBuilder<> &builder, Instruction &end) const {
    Type *bits = builder.getIntNTy(bytes_ * 8);
    LoadInst *first = builder.CreateAlignedLoad(bits, pointer(), alignment());
    first->setAtomic(kMonotonic);
    BasicBlock *before = end.getParent();
    BasicBlock *loop = SplitBlock(before, &end), *done = SplitBlock(loop, &end);
    builder.SetInsertPoint(loop->getTerminator());
    PHINode *old = builder.CreatePHI(bits, 2);
    CallInst *computed = builder.CreateCall(
        cast<Function>(call_->getArgOperand(2)),
        {builder.CreateZExt(old, builder.getInt64Ty()), call_->getArgOperand(1)});
    Value *pair = builder.CreateAtomicCmpXchg(pointer(), old, builder.CreateTrunc(computed, bits),
                                              alignment(), kMonotonic, kMonotonic);
    old->addIncoming(first, before);
    old->addIncoming(builder.CreateExtractValue(pair, 0), loop);
    builder.CreateCondBr(builder.CreateExtractValue(pair, 1), done, loop);
    loop->getTerminator()->eraseFromParent();
    builder.SetInsertPoint(&end);
    Value *word = builder.CreateZExt(old, builder.getInt64Ty());
    InlineFunctionInfo info;
    InlineFunction(*computed, info);
    return word;
  }

  CallInst *call_;
  Kind kind_;
  unsigned bytes_;
  AtomicRMWInst::BinOp update_ = AtomicRMWInst::BAD_BINOP;
  Type *updateType_ = nullptr;
};

} // namespace

void inlineAtomics(Function &function, const CheckBuilder &checks) {
  SmallVector<Candidate, 8> candidates;
  for (Instruction &instruction : instructions(function))
    if (std::optional<Candidate> candidate = Candidate::of(instruction))
      candidates.push_back(*candidate);
  // Backwards: a split moves the rest of its block, which is then short.
  for (Candidate &candidate : reverse(candidates))
    candidate.inlineWith(checks);
}

} // namespace ompdsm
