// VolatileAccesses.cpp: see VolatileAccesses.h.
#include "VolatileAccesses.h"
#include "ModuleInstrumentation.h"
#include "SharedPointerAnalysis.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Whether a value of this type at this alignment is loaded or stored by one access.
bool isOneAccess(Type *type, Align alignment, const DataLayout &layout) {
  if (!type->isIntegerTy() && !type->isPointerTy() && !type->isFloatTy() && !type->isDoubleTy())
    return false;
  const uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  return bits >= 8 && bits <= 64 && isPowerOf2_64(bits) && alignment.value() * 8 >= bits;
}

bool order(Instruction &instruction, SharedPointerAnalysis &shared, const DataLayout &layout) {
  if (!instruction.isVolatile() || instruction.isAtomic())
    return false;
  auto *load = dyn_cast<LoadInst>(&instruction);
  auto *store = dyn_cast<StoreInst>(&instruction);
  if (!load && !store)
    return false;
  Type *type = load ? load->getType() : store->getValueOperand()->getType();
  if (!isOneAccess(type, load ? load->getAlign() : store->getAlign(), layout) ||
      shared.whyPrivate(getLoadStorePointerOperand(&instruction)))
    return false;
  if (load)
    load->setOrdering(AtomicOrdering::Acquire);
  else
    store->setOrdering(AtomicOrdering::Release);
  return true;
}

} // namespace

bool orderVolatileAccesses(Module &module) {
  bool changed = false;
  for (Function &function : module) {
    if (!wantsInstrumentation(function))
      continue;
    SharedPointerAnalysis shared;
    for (Instruction &instruction : instructions(function))
      changed |= order(instruction, shared, module.getDataLayout());
  }
  return changed;
}

} // namespace ompdsm
