// Overwrites.cpp: see Overwrites.h.
#include "Overwrites.h"
#include "ompdsm/abi.h"
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
/// Rows that are read before are not worth a question if they are shorter.
constexpr unsigned kMinRewrittenBytes = 1024;

class Finder {
public:
  Finder(ArrayRef<SectionCheck> checks, ScalarEvolution &evolution, AAResults &aliases)
      : checks_(checks), evolution_(evolution), aliases_(aliases) {
    for (const SectionCheck &check : checks)
      ofAccess_[check.access] = &check.section;
  }

  /// The section that begins with this store's and is made up, byte by byte, of what it and others
  /// in the same iterations store; and the loop then ends.
  std::optional<Overwrite> filledFrom(const SectionCheck &first) const {
    if (!isStore(first) || first.section.gap.value_or(-1) < 0 || !runsToItsEnd(*first.section.loop))
      return std::nullopt;
    Overwrite overwrite{first.section, {}, {}};
    const std::int64_t period = periodOf(first.section);
    std::int64_t stored = 0; // Of a period, from its beginning.
    for (bool grows = true; grows && stored < period;) {
      grows = false;
      for (const SectionCheck &check : checks_) {
        if (!isStore(check) || !areInSameIterations(check.section, first.section))
          continue;
        const auto offset = distanceOf(check.section, first.section);
        if (!offset || *offset < 0 || *offset > stored)
          continue;
        const std::int64_t end = *offset + check.section.accessBytes;
        if (end <= stored)
          continue;
        overwrite.stores.push_back(check.access);
        stored = end;
        grows = true;
      }
    }
    if (stored != period)
      return std::nullopt;
    const SCEV *&bytes = overwrite.section.bytes;
    bytes =
        evolution_.getAddExpr(bytes, evolution_.getConstant(bytes->getType(), *first.section.gap));
    if (const auto *known = dyn_cast<SCEVConstant>(bytes);
        known && known->getAPInt().ult(OMPDSM_LINE_BYTES))
      return std::nullopt; // No block lies in it.
    return overwrite;
  }

  /// Fills in what the section must be apart from, or that it is read. False if nothing is won.
  bool findReads(Overwrite &overwrite) const {
    if (findApart(overwrite))
      return true;
    overwrite.apart.clear();
    overwrite.reads = true;
    const auto *known = dyn_cast<SCEVConstant>(overwrite.section.bytes);
    return !known || known->getAPInt().uge(kMinRewrittenBytes);
  }

private:
  /// False if it cannot be said what the section must be apart from.
  bool findApart(Overwrite &overwrite) const {
    for (const BasicBlock *block : overwrite.section.loop->blocks())
      for (const Instruction &instruction : *block) {
        if (!instruction.mayReadFromMemory() || !mayReadWhatIsStored(instruction, overwrite))
          continue;
        const Section *read = ofAccess_.lookup(&instruction);
        if (!read || isa<CallBase>(instruction) || // It may have several.
            read->loop != overwrite.section.loop || !read->dimensions.empty() ||
            !overwrite.section.dimensions.empty() || overwrite.apart.size() == kMaxApart ||
            distanceOf(*read, overwrite.section)) // There is no need to ask each time.
          return false;
        overwrite.apart.push_back(read);
      }
    return true;
  }
  static bool isStore(const SectionCheck &check) {
    return check.isWrite && isa<StoreInst>(check.access);
  }
  /// From an access to the next one in its row.
  static std::int64_t periodOf(const Section &section) {
    return section.accessBytes + *section.gap;
  }
  /// If it is constant.
  std::optional<std::int64_t> distanceOf(const Section &a, const Section &b) const {
    const auto *distance = dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(a.begin, b.begin));
    return distance ? std::optional(distance->getAPInt().getSExtValue()) : std::nullopt;
  }
  /// As many accesses in each row, as far apart; and as many rows.
  bool areInSameIterations(const Section &a, const Section &b) const {
    const auto untilLast = [&](const Section &section) {
      return evolution_.getMinusSCEV(
          section.bytes, evolution_.getConstant(section.bytes->getType(), section.accessBytes));
    };
    return a.loop == b.loop && a.dimensions == b.dimensions && a.guards == b.guards && a.gap &&
           periodOf(a) == periodOf(b) && untilLast(a) == untilLast(b);
  }
  /// One iteration is like another: nothing leaves a loop in its middle.
  bool runsToItsEnd(const Loop &nest) const {
    return all_of(nest.getLoopsInPreorder(),
                  [&](const Loop *loop) {
                    return loop->getExitingBlock() &&
                           loop->getExitingBlock() == loop->getLoopLatch() &&
                           !isa<SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(loop));
                  }) &&
           all_of(nest.blocks(), [](const BasicBlock *block) {
             return isGuaranteedToTransferExecutionToSuccessor(block);
           });
  }
  bool mayReadWhatIsStored(const Instruction &instruction, const Overwrite &overwrite) const {
    return any_of(overwrite.stores, [&](const Instruction *store) {
      return isRefSet(aliases_.getModRefInfo(
          &instruction, MemoryLocation::getBeforeOrAfter(getLoadStorePointerOperand(store),
                                                         store->getAAMetadata())));
    });
  }

  const ArrayRef<SectionCheck> checks_;
  ScalarEvolution &evolution_;
  AAResults &aliases_;
  DenseMap<const Instruction *, const Section *> ofAccess_;
};

} // namespace

SmallVector<Overwrite, 4> findOverwrites(ArrayRef<SectionCheck> checks, ScalarEvolution &evolution,
                                         AAResults &aliases) {
  const Finder finder(checks, evolution, aliases);
  SmallVector<Overwrite, 4> found;
  for (const SectionCheck &check : checks)
    if (auto overwrite = finder.filledFrom(check); overwrite && finder.findReads(*overwrite))
      found.push_back(std::move(*overwrite));
  return found;
}

bool isAll(const Overwrite &overwrite, const SectionCheck &check) {
  const Section &all = overwrite.section, &asked = check.section;
  return overwrite.apart.empty() && check.isWrite && all.loop == asked.loop &&
         all.begin == asked.begin && all.bytes == asked.bytes &&
         all.dimensions == asked.dimensions && all.guards == asked.guards;
}

CallInst *emitOverwrite(const Overwrite &overwrite, Asking asking, SCEVExpander &expander,
                        const RuntimeCallees &callees) {
  Instruction *place = overwrite.section.loop->getLoopPreheader()->getTerminator();
  IRBuilder<> builder(place);
  builder.SetCurrentDebugLocation(overwrite.stores.front()->getDebugLoc());
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
  Value *asked = bytes;
  for (const Section *other : overwrite.apart) {
    const auto [otherFirst, otherLast] = limits(value(other->begin), value(other->bytes));
    Value *isApart = builder.CreateOr(builder.CreateICmpULE(otherLast, first),
                                      builder.CreateICmpULE(last, otherFirst));
    asked = builder.CreateSelect(isApart, asked, builder.getInt64(0));
  }
  SmallVector<Value *, 6> arguments{begin, asked};
  append_range(arguments, dimensionArguments(overwrite.section, expander, builder));
  // No rows, or one without bytes.
  Value *&extent = arguments[overwrite.section.dimensions.empty() ? 1 : 3];
  extent = ifGuardsHold(overwrite.section, extent, expander, builder);
  constexpr Callee kCallees[2][2] = {
      {Callee::__ompdsm_section_overwrite, Callee::__ompdsm_section_note_overwrite},
      {Callee::__ompdsm_section_rewrite, Callee::__ompdsm_section_note_rewrite}};
  return callees.call(builder, kCallees[overwrite.reads][asking == Asking::Together], arguments);
}

} // namespace ompdsm
