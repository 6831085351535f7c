// ObjectChecks.cpp: see ObjectChecks.h.
#include "ObjectChecks.h"
#include "InvariantPointers.h"
#include "LargeLocals.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Values that are followed from one access.
constexpr unsigned kMaxSteps = 16;

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
  return bytesOfLargeLocal(object);
}

} // namespace

std::optional<SmallVector<ObjectCheck, 2>> findObjects(Value &pointer, const Loop &loop,
                                                       bool isWrite, InvariantPointers &pointers) {
  SmallVector<ObjectCheck, 2> objects;
  const auto add = [&](Value *object) { // Several loads are of one pointer.
    if (none_of(objects, [&](const ObjectCheck &each) { return each.pointer == object; }))
      objects.push_back({object, isWrite, true, {}, {}, {}});
  };
  SmallPtrSet<Value *, 8> visited;
  SmallVector<Value *, 8> work{&pointer};
  while (!work.empty()) {
    Value *value = work.pop_back_val();
    if (!visited.insert(value).second)
      continue;
    if (visited.size() > kMaxSteps)
      return std::nullopt;
    if (loop.isLoopInvariant(value)) {
      // Back to where it came from; not into another loop (through a phi of the LCSSA form), which
      // may itself be copied and then define it twice.
      while (auto *element = dyn_cast<GEPOperator>(value))
        value = element->getPointerOperand();
      if (isa<ConstantPointerNull, UndefValue>(value))
        continue; // Accesses none.
      if (!value->getType()->isPointerTy() || !namesAnObject(*value))
        return std::nullopt;
      add(value);
    } else if (auto *element = dyn_cast<GetElementPtrInst>(value)) {
      work.push_back(element->getPointerOperand());
    } else if (auto *either = dyn_cast<SelectInst>(value)) {
      work.append({either->getTrueValue(), either->getFalseValue()});
    } else if (auto *joined = dyn_cast<PHINode>(value)) {
      append_range(work, joined->incoming_values());
    } else if (auto *load = dyn_cast<LoadInst>(value)) {
      const InvariantPointer *known = pointers.of(*load);
      if (!known)
        return std::nullopt;
      add(known->loads.front());
    } else {
      return std::nullopt;
    }
  }
  return objects;
}

void ObjectCheck::bound(AccessBounds &bounds, ArrayRef<Value *> origins) {
  if (isWhole)
    return;
  SmallVector<BoundedAccess, 4> reads, writes;
  for (const BoundedAccess &access : accesses)
    if (access.isWrite)
      writes.push_back(access);
  for (const BoundedAccess &access : accesses)
    if (!access.isWrite && none_of(writes, [&](const BoundedAccess &write) { // else it is readable
          return write.pointer == access.pointer && write.bytes >= access.bytes;
        }))
      reads.push_back(access);
  const std::optional<OffsetBounds> allRead = bounds.of(reads, origins);
  const std::optional<OffsetBounds> allWritten = bounds.of(writes, origins);
  if ((reads.empty() || allRead) && (writes.empty() || allWritten)) {
    read = allRead;
    written = allWritten;
  }
}

Value *emitObjectChecks(ArrayRef<ObjectCheck> objects, IRBuilderBase &builder,
                        const RuntimeCallees &callees) {
  const DataLayout &layout = builder.GetInsertBlock()->getModule()->getDataLayout();
  Value *answers = nullptr;
  const auto add = [&](Value *answer) {
    answers = answers ? builder.CreateAnd(answers, answer) : answer;
  };
  for (const ObjectCheck &object : objects) {
    if (object.read || object.written) {
      if (object.read)
        add(callees.call(builder, Callee::__ompdsm_part_readable,
                         {object.pointer, object.read->begin, object.read->end}));
      if (object.written)
        add(callees.call(builder, Callee::__ompdsm_part_writable,
                         {object.pointer, object.written->begin, object.written->end}));
      continue;
    }
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
    add(answer);
  }
  return builder.CreateICmpNE(answers, builder.getInt32(0));
}

} // namespace ompdsm
