// ReductionSizes.cpp: finds what the entries of a reduction list point to.
//
// Clang's list is a local array of pointers, each stored once: addresses of private copies, which
// are local variables. A copy of an array section is a local array of run-time size, and its entry
// is followed by one that holds its number of elements in place of an address.
#include "ReductionSizes.h"
#include "RuntimeCallees.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// Entries of one list. Clang makes one for each reduction item, so that this is never reached.
constexpr std::uint64_t kMaxEntries = 1 << 16;

/// One entry of the list: null if it is not known; a constant zero if the entry is no address.
using Sizes = SmallVector<Value *, 4>;

class CallRewriter {
public:
  CallRewriter(CallInst &call, const RuntimeCallees &callees)
      : call_(call), callees_(callees), layout_(call.getDataLayout()), builder_(&call) {}

  /// Returns false if the sizes remain unknown to the runtime although bytes would do.
  bool rewrite(bool nowait) {
    Sizes sizes = sizesOf(entries());
    bool known = !sizes.empty();
    Value *table = known ? tableOf(sizes) : ConstantPointerNull::get(builder_.getPtrTy());
    SmallVector<Value *, 9> arguments(call_.args());
    // Entries that hold a number count as well: the runtime needs the length of the list.
    if (known)
      arguments[2] = builder_.getInt32(sizes.size());
    arguments[1] = builder_.CreateSExtOrTrunc(arguments[1], builder_.getInt32Ty());
    arguments[3] = builder_.CreateZExtOrTrunc(arguments[3], builder_.getInt64Ty());
    arguments.push_back(table);
    arguments.push_back(builder_.getInt32(nowait));
    call_.replaceAllUsesWith(callees_.call(builder_, Callee::__ompdsm_reduce, arguments));
    call_.eraseFromParent();
    return known || ownsMemory_;
  }

private:
  std::uint64_t entries() const {
    auto *bytes = dyn_cast<ConstantInt>(call_.getArgOperand(3));
    return bytes ? bytes->getZExtValue() / layout_.getPointerSize() : 0;
  }

  Sizes sizesOf(std::uint64_t count) {
    Value *list = call_.getArgOperand(4)->stripPointerCasts();
    if (!isa<AllocaInst>(list) || count == 0 || count > kMaxEntries)
      return {};
    Sizes sizes(count, nullptr);
    for (Instruction &instruction : instructions(*call_.getFunction())) {
      auto *store = dyn_cast<StoreInst>(&instruction);
      if (!store)
        continue;
      APInt offset(layout_.getIndexTypeSizeInBits(list->getType()), 0);
      if (store->getPointerOperand()->stripAndAccumulateConstantOffsets(
              layout_, offset, /*AllowNonInbounds=*/true) != list)
        continue;
      std::uint64_t index = offset.getZExtValue() / layout_.getPointerSize();
      Value *size = sizeOfObject(store->getValueOperand()->stripPointerCasts());
      if (index >= count || !size || (sizes[index] && sizes[index] != size))
        return {};
      sizes[index] = size;
    }
    return all_of(sizes, [](Value *size) { return size; }) ? sizes : Sizes();
  }

  Value *sizeOfObject(Value *entry) {
    if (isa<IntToPtrInst>(entry) || isa<ConstantPointerNull>(entry) || isNumber(entry))
      return builder_.getInt64(0);
    auto *object = dyn_cast<AllocaInst>(entry);
    if (!object)
      return nullptr;
    // A container is more than its bytes, and may point into itself. Without sizes, threads combine one
    // after the other, in place.
    if (hasPointers(object->getAllocatedType())) {
      ownsMemory_ = true;
      return nullptr;
    }
    TypeSize element = layout_.getTypeAllocSize(object->getAllocatedType());
    if (element.isScalable())
      return nullptr;
    Value *count = object->getArraySize();
    // It was computed before the object was allocated, which was before the call.
    if (auto *computed = dyn_cast<Instruction>(count);
        computed && !DominatorTree(*call_.getFunction()).dominates(computed, &call_))
      return nullptr;
    return builder_.CreateMul(builder_.CreateZExtOrTrunc(count, builder_.getInt64Ty()),
                              builder_.getInt64(element.getFixedValue()));
  }

  static bool hasPointers(Type *type) {
    return type->getScalarType()->isPointerTy() ||
           any_of(type->subtypes(), [](Type *part) { return hasPointers(part); });
  }

  static bool isNumber(Value *entry) {
    auto *expression = dyn_cast<ConstantExpr>(entry);
    return expression && expression->getOpcode() == Instruction::IntToPtr;
  }

  /// The sizes as an array: a constant if they all are.
  Value *tableOf(const Sizes &sizes) {
    auto *type = ArrayType::get(builder_.getInt64Ty(), sizes.size());
    if (all_of(sizes, [](Value *size) { return isa<ConstantInt>(size); })) {
      SmallVector<Constant *, 4> constants(
          map_range(sizes, [](Value *size) { return cast<Constant>(size); }));
      return new GlobalVariable(*call_.getModule(), type, /*isConstant=*/true,
                                GlobalValue::PrivateLinkage, ConstantArray::get(type, constants),
                                "ompdsm.reduction.sizes");
    }
    BasicBlock &entry = call_.getFunction()->getEntryBlock();
    Value *table = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(type);
    for (unsigned i = 0; i < sizes.size(); ++i)
      builder_.CreateStore(sizes[i], builder_.CreateConstInBoundsGEP2_64(type, table, 0, i));
    return table;
  }

  CallInst &call_;
  const RuntimeCallees &callees_;
  const DataLayout &layout_;
  IRBuilder<> builder_;
  bool ownsMemory_ = false;
};

} // namespace

bool passReductionSizes(Module &module, InstrumentationReport &report) {
  RuntimeCallees callees(module);
  bool changed = false;
  for (auto [name, nowait] : {std::pair("__kmpc_reduce", false), {"__kmpc_reduce_nowait", true}}) {
    Function *function = module.getFunction(name);
    if (!function || function->arg_size() != 7)
      continue;
    for (User *user : make_early_inc_range(function->users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledOperand() != function ||
          RuntimeCallees::isRuntimeName(call->getFunction()->getName()))
        continue;
      Instruction *next = call->getNextNode();
      if (!CallRewriter(*call, callees).rewrite(nowait))
        report.uncovered(*next,
                         "the sizes of this reduction's objects are not known: threads combine "
                         "one after the other");
      changed = true;
    }
  }
  return changed;
}

} // namespace ompdsm
