// CheckElimination.cpp: facts, their data flow, and the merge of a read with a certain write.
//
// A fact is "these bytes, counted from this SSA value, are readable (or writable)". The set of
// facts of a function is fixed before the data flow begins. A fact about a value that is computed
// anew in each iteration cannot survive from one iteration to the next: at the value's definition
// it would have to hold on the first path that gets there, too, where no check of the value came
// before.
#include "CheckElimination.h"
#include "AccessSpans.h"
#include "SynchronisationPoints.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace ompdsm {

namespace {

/// The bytes [begin, end) from a base value.
struct Fact {
  const Value *base;
  std::int64_t begin, end;
  bool isWrite;

  bool implies(const Fact &other) const {
    return base == other.base && (isWrite || !other.isWrite) && begin <= other.begin &&
           other.end <= end;
  }
  auto key() const { return std::tuple(base, begin, end, isWrite); }
};

/// What happens in a block, in order: an access that is checked, or a synchronisation point.
struct Event {
  const Access *access = nullptr; ///< Null: a synchronisation point.
  unsigned asked = 0;             ///< Number of the fact that the access needs.
  unsigned askedWhole = 0;        ///< Of one that suffices, too: all that it may touch.
  unsigned granted = 0;           ///< Number of the fact that its check establishes.
};

class Eliminator {
public:
  Eliminator(Function &function, SmallVectorImpl<Access> &accesses,
             const TargetLibraryInfo &library)
      : layout_(function.getParent()->getDataLayout()), function_(function), accesses_(accesses),
        library_(library) {
    for (Access &access : accesses)
      byInstruction_[access.instruction].push_back(&access);
  }

  void run(InstrumentationReport &report) {
    for (BasicBlock &block : function_)
      mergeReadsWithWrites(block);
    for (BasicBlock &block : function_)
      listEvents(block);
    if (facts_.empty())
      return;
    findImplications();
    solve();
    SmallPtrSet<const Access *, 16> redundant;
    for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function_)) {
      BitVector available = entryOf(*block);
      transfer(*block, available, &redundant);
    }
    SmallVector<Access, 32> kept;
    for (const Access &access : accesses_)
      if (redundant.count(&access))
        report.omitted(*access.instruction, Omission::Covered);
      else
        kept.push_back(access);
    accesses_.assign(kept.begin(), kept.end());
  }

private:
  Fact factOf(const Span &span, const Access &access) const {
    return {span.base, span.begin, span.end, access.isWrite};
  }

  Fact askedBy(const Access &access) const {
    // Of an address whose offset is known the pointer that others have it from, too.
    const Span own = spanOf(access, layout_), widest = widestSpanOf(access, layout_);
    return factOf(widest.end - widest.begin == own.end - own.begin ? widest : own, access);
  }

  /// States are per line, so a check opens all of the lines that it touches: with what is known of
  /// the base's alignment that is more than was asked for.
  Fact grantedBy(Fact fact) const {
    std::int64_t unit =
        std::min<std::uint64_t>(fact.base->getPointerAlignment(layout_).value(), OMPDSM_LINE_BYTES);
    fact.begin &= -unit;
    fact.end = (fact.end + unit - 1) & -unit;
    return fact;
  }

  /// x[i] += ...: asks for write permission once instead of for reading and then for writing. Only
  /// if the write is certain: asked for where the program only reads, it would make the node a
  /// writer.
  void mergeReadsWithWrites(BasicBlock &block) {
    std::map<std::tuple<const Value *, std::int64_t, std::int64_t>, bool> certainWrites;
    for (Instruction &instruction : reverse(block)) {
      if (maySynchronise(instruction, library_) ||
          !isGuaranteedToTransferExecutionToSuccessor(&instruction))
        certainWrites.clear();
      auto found = byInstruction_.find(&instruction);
      if (found == byInstruction_.end())
        continue;
      for (Access *access : found->second) {
        if (access->shape != Access::Shape::Fixed)
          continue;
        Fact asked = askedBy(*access);
        auto key = std::tuple(asked.base, asked.begin, asked.end);
        if (access->isWrite)
          certainWrites[key] = true;
        else if (certainWrites.count(key))
          access->isWrite = true;
      }
    }
  }

  unsigned numberOf(const Fact &fact) {
    auto [entry, added] = numbers_.try_emplace(fact.key(), facts_.size());
    if (added)
      facts_.push_back(fact);
    return entry->second;
  }

  void listEvents(BasicBlock &block) {
    SmallVector<Event, 8> &events = events_[&block];
    for (Instruction &instruction : block) {
      if (auto found = byInstruction_.find(&instruction); found != byInstruction_.end())
        for (const Access *access : found->second)
          if (access->shape == Access::Shape::Fixed) {
            Fact asked = askedBy(*access);
            const Fact whole = factOf(widestSpanOf(*access, layout_), *access);
            events.push_back(
                {access, numberOf(asked), numberOf(whole), numberOf(grantedBy(asked))});
          }
      if (maySynchronise(instruction, library_))
        events.push_back({});
    }
  }

  void findImplications() {
    DenseMap<const Value *, SmallVector<unsigned, 4>> ofBase;
    for (unsigned i = 0; i < facts_.size(); ++i)
      ofBase[facts_[i].base].push_back(i);
    implied_.resize(facts_.size());
    for (unsigned i = 0; i < facts_.size(); ++i)
      for (unsigned other : ofBase[facts_[i].base])
        if (facts_[i].implies(facts_[other]))
          implied_[i].push_back(other);
  }

  /// Applies the block to the facts available at its begin; collects the accesses found covered.
  void transfer(BasicBlock &block, BitVector &available,
                SmallPtrSetImpl<const Access *> *redundant) {
    for (const Event &event : events_[&block]) {
      if (!event.access) {
        available.reset();
        continue;
      }
      if (redundant && (available.test(event.asked) || available.test(event.askedWhole)))
        redundant->insert(event.access);
      for (unsigned fact : implied_[event.granted])
        available.set(fact);
    }
  }

  BitVector entryOf(BasicBlock &block) {
    if (block.isEntryBlock())
      return BitVector(facts_.size());
    BitVector available(facts_.size(), true);
    for (BasicBlock *predecessor : predecessors(&block))
      if (auto out = exits_.find(predecessor); out != exits_.end())
        available &= out->second;
    return available;
  }

  /// Greatest solution: exits start full (not in the map) and shrink, so it ends.
  void solve() {
    ReversePostOrderTraversal<Function *> order(&function_);
    for (bool changed = true; changed;) {
      changed = false;
      for (BasicBlock *block : order) {
        BitVector available = entryOf(*block);
        transfer(*block, available, nullptr);
        auto [exit, added] = exits_.try_emplace(block, available);
        if (!added && exit->second != available)
          exit->second = available;
        else if (!added)
          continue;
        changed = true;
      }
    }
  }

  const DataLayout &layout_;
  Function &function_;
  SmallVectorImpl<Access> &accesses_;
  const TargetLibraryInfo &library_;
  DenseMap<const Instruction *, SmallVector<Access *, 2>> byInstruction_;
  DenseMap<const BasicBlock *, SmallVector<Event, 8>> events_;
  std::vector<Fact> facts_;
  std::map<std::tuple<const Value *, std::int64_t, std::int64_t, bool>, unsigned> numbers_;
  std::vector<SmallVector<unsigned, 4>> implied_;
  DenseMap<const BasicBlock *, BitVector> exits_;
};

} // namespace

void eliminateChecks(Function &function, SmallVectorImpl<Access> &accesses,
                     const TargetLibraryInfo &library, InstrumentationReport &report) {
  Eliminator(function, accesses, library).run(report);
}

} // namespace ompdsm
