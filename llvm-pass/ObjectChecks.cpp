// ObjectChecks.cpp: see ObjectChecks.h.
#include "ObjectChecks.h"
#include "InvariantPointers.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// What a pointer may come from, so that it points into one object: whoever made it says which.
bool namesAnObject(const Value &value) {
  return isa<Argument, GlobalVariable, AllocaInst, LoadInst, CallBase, ExtractValueInst, PHINode,
             SelectInst>(value);
}

/// The size of what is defined here; 0 if it is not known.
std::uint64_t bytesOf(const Value &object, const DataLayout &layout) {
  if (auto *global = dyn_cast<GlobalVariable>(&object))
    return global->isDeclaration() || global->isInterposable()
               ? 0
               : layout.getTypeAllocSize(global->getValueType()).getFixedValue();
  if (auto *variable = dyn_cast<AllocaInst>(&object))
    if (auto size = variable->getAllocationSize(layout); size && !size->isScalable())
      return size->getFixedValue();
  return 0;
}

} // namespace

std::optional<SmallVector<ObjectCheck, 2>> findObjects(Value &pointer, const Loop &loop,
                                                       LoopInfo &loops, bool isWrite,
                                                       InvariantPointers &pointers) {
  SmallVector<const Value *, 4> found;
  getUnderlyingObjects(&pointer, found, &loops, /*MaxLookup=*/0);
  SmallVector<ObjectCheck, 2> objects;
  for (const Value *object : found) {
    if (isa<ConstantPointerNull, UndefValue>(object))
      continue; // Accesses none.
    if (!object->getType()->isPointerTy() || !namesAnObject(*object))
      return std::nullopt;
    if (!loop.isLoopInvariant(object)) {
      const auto *load = dyn_cast<LoadInst>(object);
      const InvariantPointer *known = load ? pointers.of(const_cast<LoadInst &>(*load)) : nullptr;
      if (!known)
        return std::nullopt;
      object = known->loads.front();
    }
    objects.push_back({const_cast<Value *>(object), isWrite});
  }
  return objects;
}

Value *emitObjectChecks(ArrayRef<ObjectCheck> objects, IRBuilderBase &builder,
                        const RuntimeCallees &callees) {
  const DataLayout &layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  Value *answers = nullptr;
  for (const ObjectCheck &object : objects) {
    Value *answer;
    if (const std::uint64_t bytes = bytesOf(*object.pointer, layout))
      answer = callees.call(builder,
                            object.isWrite ? Callee::__ompdsm_range_writable
                                           : Callee::__ompdsm_range_readable,
                            {object.pointer, builder.getInt64(bytes)});
    else
      answer = callees.call(builder,
                            object.isWrite ? Callee::__ompdsm_object_writable
                                           : Callee::__ompdsm_object_readable,
                            {object.pointer});
    answers = answers ? builder.CreateAnd(answers, answer) : answer;
  }
  return builder.CreateICmpNE(answers, builder.getInt32(0));
}

} // namespace ompdsm
