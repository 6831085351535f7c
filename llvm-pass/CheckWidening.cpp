// CheckWidening.cpp: see CheckWidening.h.
#include "CheckWidening.h"
#include "SynchronisationPoints.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// [begin, end) from the base pointer of a run of accesses.
struct Place {
  Access *access;
  std::int64_t begin, end;
};

/// Accesses in the order of execution that have the same base and kind, and follow each other
/// certainly.
using Run = SmallVector<Place, 8>;

class Widener {
public:
  Widener(const DataLayout &layout, const TargetLibraryInfo &library)
      : layout_(layout), library_(library) {}

  void widen(BasicBlock &block,
             const DenseMap<const Instruction *, SmallVector<Access *, 2>> &accesses) {
    for (Instruction &instruction : block) {
      if (auto found = accesses.find(&instruction); found != accesses.end())
        for (Access *access : found->second)
          if (access->shape == Access::Shape::Fixed && access->bytes <= OMPDSM_LINE_BYTES)
            append(*access);
      if (maySynchronise(instruction, library_) ||
          !isGuaranteedToTransferExecutionToSuccessor(&instruction))
        endRuns();
    }
    endRuns();
  }

private:
  void append(Access &access) {
    APInt offset(layout_.getIndexTypeSizeInBits(access.pointer->getType()), 0);
    Value *base = access.pointer->stripAndAccumulateConstantOffsets(layout_, offset,
                                                                    /*AllowNonInbounds=*/true);
    const std::int64_t begin = offset.getSExtValue();
    runs_[{base, access.isWrite}].push_back({&access, begin, begin + std::int64_t(access.bytes)});
  }

  void endRuns() {
    for (auto &[key, run] : runs_)
      if (run.size() > 1)
        widenRun(*key.getPointer(), run);
    runs_.clear();
  }

  void widenRun(Value &base, Run &run) {
    SmallVector<bool, 8> isCovered(run.size(), false);
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (isCovered[i])
        continue;
      // The nearest first: they are joined as long as all fit.
      SmallVector<std::size_t, 8> others;
      for (std::size_t k = i + 1; k < run.size(); ++k)
        others.push_back(k);
      sort(others, [&](std::size_t a, std::size_t b) {
        const auto distance = [&](std::size_t k) { return std::abs(run[k].begin - run[i].begin); };
        return std::pair(distance(a), a) < std::pair(distance(b), b);
      });
      std::int64_t begin = run[i].begin, end = run[i].end;
      for (std::size_t k : others) {
        const std::int64_t first = std::min(begin, run[k].begin), last = std::max(end, run[k].end);
        if (last - first > OMPDSM_LINE_BYTES)
          continue;
        begin = first, end = last;
        isCovered[k] = true;
      }
      run[i].access->bytes = std::uint64_t(end - begin);
      if (begin != run[i].begin)
        setBegin(*run[i].access, base, begin);
    }
  }

  void setBegin(Access &access, Value &base, std::int64_t begin) {
    IRBuilder<> builder(access.instruction);
    access.pointer =
        begin == 0 ? &base : builder.CreatePtrAdd(&base, builder.getInt64(std::uint64_t(begin)));
    access.alignment = commonAlignment(base.getPointerAlignment(layout_), std::uint64_t(begin));
  }

  const DataLayout &layout_;
  const TargetLibraryInfo &library_;
  MapVector<PointerIntPair<Value *, 1, bool>, Run> runs_;
};

} // namespace

void widenChecks(Function &function, SmallVectorImpl<Access> &accesses,
                 const TargetLibraryInfo &library) {
  DenseMap<const Instruction *, SmallVector<Access *, 2>> byInstruction;
  for (Access &access : accesses)
    byInstruction[access.instruction].push_back(&access);
  Widener widener(function.getParent()->getDataLayout(), library);
  for (BasicBlock &block : function)
    widener.widen(block, byInstruction);
}

} // namespace ompdsm
