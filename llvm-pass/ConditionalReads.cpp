// ConditionalReads.cpp: see ConditionalReads.h. Nothing here decides that a check is redundant: a
// path that was overlooked costs the later check, which then stays.
#include "ConditionalReads.h"
#include "AccessSpans.h"
#include "SynchronisationPoints.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Accesses by way of one pointer that are compared with each other, and blocks between two of
/// them.
constexpr std::size_t kMaxCompared = 32, kMaxBlocks = 64;

/// A check; one for reading could be widened, or spared.
struct Check {
  Access *access;
  Span own;    ///< What it checks.
  Span widest; ///< What it may touch, from the pointer that all of its group have.
  bool isCovered = false;

  Instruction *place() const { return access->instruction; }
  /// One whose offset is not known cannot stand for others.
  bool isExact() const { return own.end - own.begin == widest.end - widest.begin; }
};

class ReadWidener {
public:
  ReadWidener(Function &function, const TargetLibraryInfo &library)
      : layout_(function.getParent()->getDataLayout()), library_(library), tree_(function) {}

  void add(Access &access) {
    const Span widest = widestSpanOf(access, layout_);
    groups_[widest.base].push_back({&access, spanOf(access, layout_), widest});
  }

  void widen() {
    for (auto &[base, group] : groups_) {
      if (group.size() < 2 || group.size() > kMaxCompared)
        continue;
      for (Check &check : group)
        check.isCovered = check.access->isWrite || isWritten(check, group);
      for (Check &check : group)
        if (!check.isCovered && check.isExact())
          widen(check, group);
    }
  }

private:
  /// Whether a check for writing covers it, or will: what is written in the same block becomes one
  /// (CheckElimination).
  bool isWritten(const Check &read, ArrayRef<Check> group) {
    return any_of(group, [&](const Check &other) {
      return other.access->isWrite && other.isExact() && other.widest.contains(read.widest) &&
             (other.place()->getParent() == read.place()->getParent() ||
              isCertainBefore(other, read));
    });
  }

  void widen(Check &first, MutableArrayRef<Check> group) {
    SmallVector<Check *, 8> later;
    for (Check &other : group)
      if (&other != &first && !other.isCovered && fitTogether(first.widest, other.widest) &&
          isCertainBefore(first, other))
        later.push_back(&other);
    // The nearest first: they are joined as long as all fit.
    const auto distance = [&](const Check *check) {
      return std::max(first.widest.begin - check->widest.begin,
                      check->widest.end - first.widest.end);
    };
    sort(later, [&](const Check *a, const Check *b) {
      return std::pair(distance(a), a) < std::pair(distance(b), b);
    });
    Span joined = first.widest;
    for (Check *other : later) {
      if (!fitTogether(joined, other->widest))
        continue;
      joined.begin = std::min(joined.begin, other->widest.begin);
      joined.end = std::max(joined.end, other->widest.end);
      other->isCovered = true;
    }
    if (joined.begin != first.widest.begin || joined.end != first.widest.end)
      setSpan(first, joined);
  }

  /// The first precedes each execution of the second, with no synchronisation point in between.
  bool isCertainBefore(const Check &first, const Check &second) {
    return tree_.dominates(first.place(), second.place()) && !maySynchroniseBetween(first, second);
  }

  static bool fitTogether(const Span &a, const Span &b) {
    return std::max(a.end, b.end) - std::min(a.begin, b.begin) <= OMPDSM_LINE_BYTES;
  }

  bool maySynchroniseBetween(const Check &first, const Check &last) {
    const Instruction *from = first.place(), *to = last.place();
    if (from->getParent() == to->getParent())
      return any_of(synchronisationsOf(*from->getParent()), [&](const Instruction *point) {
        return from->comesBefore(point) && point->comesBefore(to);
      });
    if (any_of(synchronisationsOf(*from->getParent()),
               [&](const Instruction *point) { return from->comesBefore(point); }) ||
        any_of(synchronisationsOf(*to->getParent()),
               [&](const Instruction *point) { return point->comesBefore(to); }))
      return true;
    // Backwards, from the later to the first, which dominates it.
    SmallPtrSet<const BasicBlock *, 16> visited{from->getParent()};
    SmallVector<const BasicBlock *, 16> work(predecessors(to->getParent()));
    while (!work.empty()) {
      const BasicBlock *block = work.pop_back_val();
      if (!visited.insert(block).second)
        continue;
      if (visited.size() > kMaxBlocks || !synchronisationsOf(*block).empty())
        return true;
      append_range(work, predecessors(block));
    }
    return false;
  }

  ArrayRef<const Instruction *> synchronisationsOf(const BasicBlock &block) {
    auto [known, added] = synchronisations_.try_emplace(&block);
    if (added)
      for (const Instruction &instruction : block)
        if (maySynchronise(instruction, library_))
          known->second.push_back(&instruction);
    return known->second;
  }

  void setSpan(Check &check, const Span &joined) {
    Access &access = *check.access;
    const std::int64_t begin = check.own.begin + joined.begin - check.widest.begin;
    if (begin != check.own.begin) {
      Value &base = *check.own.base;
      IRBuilder<> builder(access.instruction);
      access.pointer =
          begin == 0 ? &base : builder.CreatePtrAdd(&base, builder.getInt64(std::uint64_t(begin)));
      access.alignment = commonAlignment(base.getPointerAlignment(layout_), std::uint64_t(begin));
    }
    access.bytes = std::uint64_t(joined.end - joined.begin);
    check.own.begin = begin, check.own.end = begin + std::int64_t(access.bytes);
    check.widest = joined;
  }

  const DataLayout &layout_;
  const TargetLibraryInfo &library_;
  DominatorTree tree_;
  MapVector<Value *, SmallVector<Check, 4>> groups_;
  DenseMap<const BasicBlock *, SmallVector<const Instruction *, 2>> synchronisations_;
};

} // namespace

void widenChecksForReading(Function &function, SmallVectorImpl<Access> &accesses,
                           const TargetLibraryInfo &library) {
  if (accesses.size() < 2)
    return;
  ReadWidener widener(function, library);
  for (Access &access : accesses)
    if (access.shape == Access::Shape::Fixed && access.bytes <= OMPDSM_LINE_BYTES)
      widener.add(access);
  widener.widen();
}

} // namespace ompdsm
