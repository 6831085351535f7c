// Overwrites.cpp: see Overwrites.h.
#include "Overwrites.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Sections that one may be compared with.
constexpr unsigned kMaxApart = 6;

class Finder {
public:
  Finder(ArrayRef<SectionCheck> checks, ScalarEvolution &evolution, AAResults &aliases)
      : evolution_(evolution), aliases_(aliases) {
    for (const SectionCheck &check : checks)
      ofAccess_[check.access] = &check.section;
  }

  /// Whether the store makes up its section, byte by byte, and the loop then ends.
  bool fills(const SectionCheck &check) const {
    const Section &section = check.section;
    if (!check.isWrite || !isa<StoreInst>(check.access) || !section.isExact ||
        !section.dimensions.empty())
      return false;
    // One iteration is like another: nothing leaves a loop in its middle.
    return all_of(section.loop->getLoopsInPreorder(),
                  [&](const Loop *loop) {
                    return loop->getExitingBlock() &&
                           loop->getExitingBlock() == loop->getLoopLatch() &&
                           !isa<SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(loop));
                  }) &&
           all_of(section.loop->blocks(), [](const BasicBlock *block) {
             return isGuaranteedToTransferExecutionToSuccessor(block);
           });
  }

  /// Fills in what the section must be apart from; false if that cannot be said.
  bool findReads(Overwrite &overwrite) const {
    const MemoryLocation written = MemoryLocation::getBeforeOrAfter(
        getLoadStorePointerOperand(overwrite.store), overwrite.store->getAAMetadata());
    for (const BasicBlock *block : overwrite.section.loop->blocks())
      for (const Instruction &instruction : *block) {
        if (!instruction.mayReadFromMemory() ||
            !isRefSet(aliases_.getModRefInfo(&instruction, written)))
          continue;
        const Section *read = ofAccess_.lookup(&instruction);
        if (!read || read->loop != overwrite.section.loop || !read->dimensions.empty() ||
            overwrite.apart.size() == kMaxApart || certainlyMeet(*read, overwrite.section))
          return false;
        overwrite.apart.push_back(*read);
      }
    return true;
  }

private:
  /// At a constant distance there is no need to ask each time.
  bool certainlyMeet(const Section &a, const Section &b) const {
    const SCEV *distance = evolution_.getMinusSCEV(a.begin, b.begin);
    return isa<SCEVConstant>(distance);
  }

  ScalarEvolution &evolution_;
  AAResults &aliases_;
  DenseMap<const Instruction *, const Section *> ofAccess_;
};

} // namespace

SmallVector<Overwrite, 4> findOverwrites(ArrayRef<SectionCheck> checks, ScalarEvolution &evolution,
                                         AAResults &aliases) {
  const Finder finder(checks, evolution, aliases);
  SmallVector<Overwrite, 4> found;
  for (const SectionCheck &check : checks) {
    Overwrite overwrite{check.section, check.access, {}};
    if (finder.fills(check) && finder.findReads(overwrite))
      found.push_back(std::move(overwrite));
  }
  return found;
}

void emitOverwrite(const Overwrite &overwrite, Asking asking, SCEVExpander &expander,
                   const RuntimeCallees &callees) {
  Instruction *place = overwrite.section.loop->getLoopPreheader()->getTerminator();
  IRBuilder<> builder(place);
  builder.SetCurrentDebugLocation(overwrite.store->getDebugLoc());
  const auto value = [&](const SCEV *expression) {
    return expander.expandCodeFor(expression, expression->getType(), place->getIterator());
  };
  // Of a section: its begin and its end, as numbers.
  const auto limits = [&](Value *begin, Value *bytes) {
    Value *number = builder.CreatePtrToInt(begin, builder.getInt64Ty());
    return std::pair(number, builder.CreateAdd(number, bytes));
  };
  Value *begin = value(overwrite.section.begin), *bytes = value(overwrite.section.bytes);
  const auto [first, last] = limits(begin, bytes);
  Value *asked = bytes, *none = builder.getInt64(0), *one = builder.getInt64(1);
  for (const Section &other : overwrite.apart) {
    const auto [otherFirst, otherLast] = limits(value(other.begin), value(other.bytes));
    Value *isApart = builder.CreateOr(builder.CreateICmpULE(otherLast, first),
                                      builder.CreateICmpULE(last, otherFirst));
    asked = builder.CreateSelect(isApart, asked, none);
  }
  asked = ifGuardsHold(overwrite.section, asked, builder);
  callees.call(builder,
               asking == Asking::Together ? Callee::__ompdsm_section_note_overwrite
                                          : Callee::__ompdsm_section_overwrite,
               {begin, asked, none, one, none, one});
}

} // namespace ompdsm
