// WideIndices.cpp: see WideIndices.h.
#include "WideIndices.h"
#include "ModuleInstrumentation.h"
#include "QuietLoops.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ompdsm {
namespace {

constexpr const char *kWideIndex = "ompdsm.wide-index";
/// Values that one index is followed through.
constexpr unsigned kMaxSteps = 16;

/// A sum, difference or product that does not overflow; null if it is something else.
BinaryOperator *exactOperation(Value *value) {
  auto *operation = dyn_cast<BinaryOperator>(value);
  if (!operation || !isa<OverflowingBinaryOperator>(operation) || !operation->hasNoSignedWrap() ||
      operation->getOpcode() == Instruction::Shl)
    return nullptr;
  return operation;
}

/// Whether addresses are computed from it, itself or after more arithmetic; or maybe in a function
/// that gets it, as elements of a vector are accessed by one.
bool isIndex(const Value &number) {
  SmallPtrSet<const Value *, kMaxSteps> seen{&number};
  SmallVector<const Value *, kMaxSteps> work{&number};
  while (!work.empty())
    for (const User *user : work.pop_back_val()->users()) {
      if (isa<GetElementPtrInst>(user) || (isa<CallBase>(user) && !isa<IntrinsicInst>(user)))
        return true;
      if (isa<BinaryOperator>(user) && seen.size() < kMaxSteps && seen.insert(user).second)
        work.push_back(user);
    }
  return false;
}

class Widener {
public:
  explicit Widener(Type *type) : type_(type) {}

  /// `narrow`, sign-extended where it is defined; null where nothing can be put behind it.
  Value *widen(Value *narrow) {
    if (Value *known = wide_.lookup(narrow))
      return known;
    Value *wide = nullptr;
    if (BinaryOperator *operation = exactOperation(narrow))
      wide = repeat(*operation);
    else
      wide = extend(narrow);
    if (wide)
      wide_[narrow] = wide;
    return wide;
  }

private:
  Value *repeat(BinaryOperator &operation) {
    Value *left = widen(operation.getOperand(0)), *right = widen(operation.getOperand(1));
    if (!left || !right)
      return nullptr;
    IRBuilder<> builder(&operation);
    Value *wide =
        builder.CreateBinOp(operation.getOpcode(), left, right, operation.getName() + ".wide");
    if (auto *repeated = dyn_cast<BinaryOperator>(wide))
      repeated->setHasNoSignedWrap();
    return wide;
  }
  Value *extend(Value *number) {
    if (auto *constant = dyn_cast<ConstantInt>(number))
      return ConstantInt::get(type_, constant->getValue().sext(type_->getIntegerBitWidth()));
    if (isa<Constant>(number))
      return nullptr;
    if (auto *argument = dyn_cast<Argument>(number)) {
      BasicBlock &entry = argument->getParent()->getEntryBlock();
      return IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateSExt(number, type_);
    }
    auto *instruction = cast<Instruction>(number);
    const auto behind = instruction->getInsertionPointAfterDef();
    if (!behind)
      return nullptr;
    IRBuilder<> builder((*behind)->getParent(), *behind);
    builder.SetCurrentDebugLocation(instruction->getDebugLoc());
    return builder.CreateSExt(number, type_);
  }

  Type *type_;
  DenseMap<Value *, Value *> wide_;
};

} // namespace

PreservedAnalyses WideIndicesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!wantsInstrumentation(function) || isHoistingSwitchedOff(*function.getParent()))
    return PreservedAnalyses::all();
  Type *address = function.getParent()->getDataLayout().getIndexType(function.getContext(), 0);
  SmallVector<SExtInst *, 16> extensions;
  for (Instruction &instruction : instructions(function))
    if (auto *extension = dyn_cast<SExtInst>(&instruction);
        extension && extension->getType() == address && exactOperation(extension->getOperand(0)) &&
        isIndex(*extension))
      extensions.push_back(extension);
  if (extensions.empty())
    return PreservedAnalyses::all();
  Widener widener(address);
  for (SExtInst *extension : extensions)
    if (Value *wide = widener.widen(extension->getOperand(0))) {
      for (User *user : extension->users())
        if (auto *address = dyn_cast<GetElementPtrInst>(user))
          address->setMetadata(kWideIndex, MDNode::get(function.getContext(), {}));
      extension->replaceAllUsesWith(wide);
      extension->eraseFromParent();
    }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

bool hasWideIndex(const GetElementPtrInst &address) { return address.hasMetadata(kWideIndex); }

} // namespace ompdsm
