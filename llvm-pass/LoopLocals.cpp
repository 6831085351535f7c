// LoopLocals.cpp: see LoopLocals.h.
#include "LoopLocals.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <optional>

using namespace llvm;

namespace ompdsm {
namespace {

/// Uses of one object that are looked at.
constexpr unsigned kMaxLocalUses = 1000;

/// Addresses into one object that are computed outside of the loop, in order of their definition;
/// the object itself is the first.
using Addresses = SmallVector<Instruction *, 8>;

/// Whether the use is an access to what the pointer points to, and does nothing else with it.
bool isAccess(const Use &use) {
  const User *user = use.getUser();
  if (isa<StoreInst>(user))
    return use.getOperandNo() == StoreInst::getPointerOperandIndex();
  return isa<LoadInst, MemIntrinsic>(user);
}

/// None if the object does not live in the loop.
std::optional<Addresses> findAddresses(AllocaInst &object, const Loop &loop,
                                       const DominatorTree &dominators) {
  Addresses outside;
  SmallVector<Instruction *, 16> work{&object}, beginnings, accesses;
  for (unsigned uses = 0; !work.empty();) {
    Instruction *address = work.pop_back_val();
    if (!loop.contains(address))
      outside.push_back(address);
    for (const Use &use : address->uses()) {
      if (++uses > kMaxLocalUses)
        return std::nullopt;
      auto *user = cast<Instruction>(use.getUser());
      if (isa<GetElementPtrInst>(user)) {
        work.push_back(user);
        continue;
      }
      const bool isMarker = user->isLifetimeStartOrEnd();
      if (!loop.contains(user) || !(isMarker || isAccess(use)))
        return std::nullopt;
      if (!isMarker)
        accesses.push_back(user);
      else if (cast<IntrinsicInst>(user)->getIntrinsicID() == Intrinsic::lifetime_start)
        beginnings.push_back(user);
    }
  }
  // The loop's entry can be reached without it, so that each way from there to the access leads
  // past it: nothing is left of what an earlier execution of the loop stored.
  const auto isFresh = [&](const Instruction *access) {
    return any_of(beginnings, [&](const Instruction *beginning) {
      return dominators.dominates(beginning, access);
    });
  };
  if (!all_of(accesses, isFresh))
    return std::nullopt;
  return outside;
}

} // namespace

void cloneLoopLocals(const Loop &loop, const DominatorTree &dominators, ValueToValueMapTy &copies) {
  SmallSetVector<AllocaInst *, 4> objects;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (instruction.isLifetimeStartOrEnd())
        for (Value *operand : instruction.operands())
          if (auto *object = dyn_cast<AllocaInst>(operand); object && object->isStaticAlloca())
            objects.insert(object);
  for (AllocaInst *object : objects)
    if (const auto addresses = findAddresses(*object, loop, dominators))
      for (Instruction *address : *addresses) {
        Instruction *clone = address->clone();
        clone->insertInto(address->getParent(), std::next(address->getIterator()));
        clone->setName(address->getName() + ".unchecked");
        if (address != object)
          clone->setOperand(0, copies.lookup(address->getOperand(0)));
        copies[address] = clone;
      }
}

} // namespace ompdsm
