// LibatomicCalls.cpp: the generic functions (__atomic_load with a size and pointers) and the sized
// ones
// (__atomic_load_8 with values in registers). Names and types: GCC Wiki, Atomic/GCCMM/LIbrary.
#include "LibatomicCalls.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace ompdsm {

namespace {

constexpr StringRef kPrefix = "__atomic_";

using BinOp = AtomicRMWInst::BinOp;

/// "add" of fetch_add and add_fetch.
BinOp operationNamed(StringRef name) {
  return StringSwitch<BinOp>(name)
      .Case("add", AtomicRMWInst::Add)
      .Case("sub", AtomicRMWInst::Sub)
      .Case("and", AtomicRMWInst::And)
      .Case("or", AtomicRMWInst::Or)
      .Case("xor", AtomicRMWInst::Xor)
      .Case("nand", AtomicRMWInst::Nand)
      .Default(AtomicRMWInst::BAD_BINOP);
}

class CallLowering {
public:
  CallLowering(CallInst &call, const AtomicCalls &calls)
      : call_(call), calls_(calls), builder_(&call) {}

  /// False if the function or its types are not what libatomic has.
  bool lower() {
    StringRef name = call_.getCalledFunction()->getName().drop_front(kPrefix.size());
    auto [base, digits] = name.rsplit('_');
    unsigned bytes = 0;
    if (digits.getAsInteger(10, bytes))
      return lowerGeneric(name);
    if (bytes > 16 || !isPowerOf2_32(bytes))
      return false;
    type_ = builder_.getIntNTy(bytes * 8);
    alignment_ = Align(bytes);
    return lowerSized(base);
  }

private:
  Value *argument(unsigned i) { return call_.getArgOperand(i); }
  Value *order(unsigned i) {
    return builder_.CreateZExtOrTrunc(argument(i), builder_.getInt32Ty());
  }

  bool hasTypes(std::initializer_list<Type *> types) {
    if (call_.arg_size() != types.size())
      return false;
    unsigned i = 0;
    for (Type *type : types)
      if (argument(i++)->getType() != type)
        return false;
    return true;
  }

  bool replace(Value *result) {
    if (result && !call_.getType()->isVoidTy()) {
      if (!call_.getType()->isIntegerTy() || !result->getType()->isIntegerTy())
        return false;
      builder_.SetInsertPoint(&call_);
      call_.replaceAllUsesWith(builder_.CreateZExtOrTrunc(result, call_.getType()));
    }
    call_.eraseFromParent();
    return true;
  }

  bool lowerGeneric(StringRef name) {
    auto callee = StringSwitch<std::optional<Callee>>(name)
                      .Case("load", Callee::__ompdsm_atomic_load_sized)
                      .Case("store", Callee::__ompdsm_atomic_store_sized)
                      .Case("exchange", Callee::__ompdsm_atomic_exchange_sized)
                      .Case("compare_exchange", Callee::__ompdsm_atomic_cmpxchg_sized)
                      .Default(std::nullopt);
    if (!callee)
      return false;
    RuntimeCallees callees(*call_.getModule());
    FunctionType *expected = callees.get(*callee).getFunctionType();
    // The argument lists are the same.
    if (call_.arg_size() != expected->getNumParams())
      return false;
    for (unsigned i = 0; i < call_.arg_size(); ++i)
      if (argument(i)->getType() != expected->getParamType(i))
        return false;
    return replace(callees.call(builder_, *callee, SmallVector<Value *, 6>(call_.args())));
  }

  bool lowerSized(StringRef name) {
    Type *pointer = builder_.getPtrTy(), *order32 = builder_.getInt32Ty();
    if (name == "load")
      return hasTypes({pointer, order32}) && call_.getType() == type_ &&
             replace(calls_.load(&call_, argument(0), type_, alignment_, order(1)));
    if (name == "compare_exchange")
      return hasTypes({pointer, pointer, type_, order32, order32}) && lowerCompareExchange();
    if (!hasTypes({pointer, type_, order32}))
      return false;
    if (name == "store") {
      calls_.store(&call_, argument(0), argument(1), alignment_, order(2));
      return replace(nullptr);
    }
    if (call_.getType() != type_)
      return false;
    if (name == "exchange")
      return replace(update(AtomicRMWInst::Xchg));
    if (StringRef rest = name; rest.consume_front("fetch_")) {
      BinOp operation = operationNamed(rest);
      return operation != AtomicRMWInst::BAD_BINOP && replace(update(operation));
    }
    if (StringRef rest = name; rest.consume_back("_fetch")) {
      BinOp operation = operationNamed(rest);
      return operation != AtomicRMWInst::BAD_BINOP && lowerNewValue(operation);
    }
    return false;
  }

  Value *update(BinOp operation) {
    return calls_.update(&call_, operation, argument(0), argument(1), alignment_, order(2));
  }

  /// add_fetch and its like return the new value.
  bool lowerNewValue(BinOp operation) {
    Value *operand = argument(1), *old = update(operation);
    builder_.SetInsertPoint(&call_);
    switch (operation) {
    case AtomicRMWInst::Add:
      return replace(builder_.CreateAdd(old, operand));
    case AtomicRMWInst::Sub:
      return replace(builder_.CreateSub(old, operand));
    case AtomicRMWInst::And:
      return replace(builder_.CreateAnd(old, operand));
    case AtomicRMWInst::Or:
      return replace(builder_.CreateOr(old, operand));
    case AtomicRMWInst::Xor:
      return replace(builder_.CreateXor(old, operand));
    default:
      return replace(builder_.CreateNot(builder_.CreateAnd(old, operand)));
    }
  }

  /// The expected value is in memory and receives what was found. These two accesses are ordinary
  /// ones, which get checks as all others.
  bool lowerCompareExchange() {
    Value *expected = builder_.CreateAlignedLoad(type_, argument(1), alignment_);
    AtomicCalls::Exchanged exchanged = calls_.compareExchange(
        &call_, argument(0), expected, argument(2), alignment_, order(3), order(4));
    builder_.SetInsertPoint(&call_);
    builder_.CreateAlignedStore(exchanged.found, argument(1), alignment_);
    return replace(exchanged.succeeded);
  }

  CallInst &call_;
  const AtomicCalls &calls_;
  IRBuilder<> builder_;
  Type *type_ = nullptr;
  Align alignment_{1};
};

/// The generic functions begin with the object's size.
Value *objectOf(const CallInst &call) {
  for (Value *argument : call.args())
    if (argument->getType()->isPointerTy())
      return argument;
  return nullptr;
}

} // namespace

bool isLibatomicCall(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName().starts_with(kPrefix) &&
         callee->getName() != "__atomic_is_lock_free" && objectOf(*call);
}

bool lowerLibatomicCall(CallInst &call, const AtomicCalls &calls, SharedPointerAnalysis &shared,
                        InstrumentationReport &report) {
  if (std::optional<Omission> why = shared.whyPrivate(objectOf(call))) {
    report.omitted(call, *why);
    return false;
  }
  report.inserted(call, Insertion::Atomic);
  std::string name = call.getCalledFunction()->getName().str();
  if (CallLowering(call, calls).lower())
    return true;
  report.unsupported(call, "this call of '" + name +
                               "' is not supported; use an atomic type or a critical section");
  return false;
}

} // namespace ompdsm
