// CoveringSections.h: sections that are asked for anyhow, and hold what has none of its own.
//
// An access that is conditional, or in a loop whose end is not known, may not be asked for in front
// of the nest. But if the same iteration of a loop certainly accesses all of the record or row that
// it is in, the permission for that covers it.
#pragma once
#include "SectionChecks.h"
namespace ompdsm {

class CoveringSections {
public:
  CoveringSections(const SectionAnalysis &sections, llvm::ScalarEvolution &evolution,
                   llvm::LoopInfo &loops)
      : sections_(sections), evolution_(evolution), loops_(loops) {}

  /// `one` execution of its access, all of which are asked for in front of `outermost`.
  void add(const SectionCheck &one, llvm::Loop &outermost);
  /// The outermost loop in front of which something is asked for that holds all of the access; null
  /// if there is none.
  llvm::Loop *outermostAround(const Access &access) const;

private:
  /// What is certainly accessed in each iteration of `loop`.
  struct InIteration {
    const llvm::Loop *loop;
    llvm::Loop *outermost;
    const llvm::SCEV *base, *begin,
        *end; ///< What the pointer comes from; where it begins and ends.
    bool isWrite;
    std::int64_t leastBytes; ///< From the beginning, as it is never empty.
  };
  void add(const InIteration &added);
  /// Both, if `b`, which begins `from` bytes behind the beginning of `a` (not negative), continues
  /// it without a gap.
  std::optional<InIteration> join(const InIteration &a, const InIteration &b,
                                  std::int64_t from) const;
  /// Bounds of what an access may touch.
  struct Bounds {
    const llvm::SCEV *begin, *end;
  };
  std::optional<Bounds> widened(const Bounds &bounds, const llvm::Loop &loop) const;
  bool isIn(const Bounds &bounds, const InIteration &other) const;

  const SectionAnalysis &sections_;
  llvm::ScalarEvolution &evolution_;
  llvm::LoopInfo &loops_;
  llvm::SmallVector<InIteration, 16> all_;
};

} // namespace ompdsm
