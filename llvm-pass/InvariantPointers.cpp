// InvariantPointers.cpp: see InvariantPointers.h.
#include "InvariantPointers.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Uses of a base that are looked at for one that is accessed before the loop.
constexpr unsigned kMaxBaseUses = 200;

const Value *baseOf(const Value &address, const DataLayout &layout) {
  APInt offset(layout.getIndexTypeSizeInBits(address.getType()), 0);
  return address.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
}

} // namespace

const InvariantPointer *InvariantPointers::of(LoadInst &load) {
  Value *address = load.getPointerOperand();
  for (const auto &known : found_)
    if (known->address == address)
      return known.get();
  if (!load.isSimple() || !load.getType()->isPointerTy() || !loop_.isLoopInvariant(address))
    return nullptr;
  if (mayChange(load))
    return nullptr;
  auto pointer =
      std::make_unique<InvariantPointer>(InvariantPointer{address, witnessOf(*address), {}});
  for (BasicBlock *block : loop_.blocks())
    for (Instruction &instruction : *block)
      if (auto *other = dyn_cast<LoadInst>(&instruction);
          other && other->getPointerOperand() == address && other->isSimple() &&
          other->getType() == load.getType())
        pointer->loads.push_back(other);
  if (!pointer->witness && isAlwaysLoaded(pointer->loads))
    pointer->witness = address;
  return found_.emplace_back(std::move(pointer)).get();
}

bool InvariantPointers::contains(const Instruction &load) const {
  return any_of(found_, [&](const auto &pointer) { return is_contained(pointer->loads, &load); });
}

Value *InvariantPointers::witnessOf(Value &address) const {
  const DataLayout &layout = loop_.getHeader()->getModule()->getDataLayout();
  const Value *base = baseOf(address, layout);
  const Instruction *entry = loop_.getLoopPreheader()->getTerminator();
  SmallVector<const Value *, 8> work{base};
  for (unsigned uses = 0; !work.empty();)
    for (const User *user : work.pop_back_val()->users()) {
      if (++uses > kMaxBaseUses)
        return nullptr;
      const auto *instruction = dyn_cast<Instruction>(user);
      if (!instruction || !dominators_.dominates(instruction, entry))
        continue;
      const Value *accessed = getLoadStorePointerOperand(instruction);
      if (accessed && baseOf(*accessed, layout) == base && isInNoOtherLoop(*accessed))
        return const_cast<Value *>(accessed);
      if (isa<GetElementPtrInst>(instruction) && baseOf(*instruction, layout) == base)
        work.push_back(instruction);
    }
  return nullptr;
}

/// No way through the first iteration passes by all of them.
bool InvariantPointers::isAlwaysLoaded(ArrayRef<LoadInst *> loads) const {
  SmallPtrSet<const BasicBlock *, 8> visited;
  SmallVector<const BasicBlock *, 8> work{loop_.getHeader()};
  while (!work.empty()) {
    const BasicBlock *block = work.pop_back_val();
    if (!visited.insert(block).second)
      continue;
    const LoadInst *first = nullptr;
    for (const Instruction &instruction : *block) {
      if (is_contained(loads, &instruction)) {
        first = cast<LoadInst>(&instruction);
        break;
      }
      if (!isGuaranteedToTransferExecutionToSuccessor(&instruction))
        return false;
    }
    if (first)
      continue;
    if (loops_.getLoopFor(block) != &loop_) // An inner one may go on for ever.
      return false;
    for (const BasicBlock *next : successors(block)) {
      if (next == loop_.getHeader() || !loop_.contains(next))
        return false;
      work.push_back(next);
    }
  }
  return true;
}

/// Another loop may be copied, and then defines its values twice.
bool InvariantPointers::isInNoOtherLoop(const Value &value) const {
  const auto *instruction = dyn_cast<Instruction>(&value);
  const Loop *around = instruction ? loops_.getLoopFor(instruction->getParent()) : nullptr;
  return !around || around->contains(&loop_);
}

bool InvariantPointers::mayChange(const LoadInst &load) const {
  const MemoryLocation location = MemoryLocation::get(&load);
  return any_of(loop_.blocks(), [&](const BasicBlock *block) {
    return any_of(*block, [&](const Instruction &instruction) {
      return instruction.mayWriteToMemory() &&
             isModSet(aliases_.getModRefInfo(&instruction, location));
    });
  });
}

} // namespace ompdsm
