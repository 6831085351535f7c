// AccessSections.h: the sections of all accesses and calls of one function, computed once for those
// who ask for them and for those who decide what is worth asking.
#pragma once
#include "CalleeSections.h"
#include "CoveringSections.h"
#include "llvm/ADT/MapVector.h"
namespace ompdsm {

/// Holds until the function's code changes.
class AccessSections {
public:
  struct OfAccess {
    Access access;
    Section section; ///< Its loop is null, too, if the section cannot be computed in front of it.
  };

  /// `accesses` are the function's uncoveredAccesses().
  AccessSections(llvm::Function &function, llvm::ArrayRef<Access> accesses,
                 llvm::FunctionAnalysisManager &analyses, const SectionAnalysis &sections,
                 llvm::SCEVExpander &expander);

  /// Of calls of functions with clones that have sections in front of loops.
  const llvm::MapVector<llvm::CallBase *, llvm::SmallVector<CalleeSection, 4>> &calls() const {
    return calls_;
  }
  llvm::ArrayRef<OfAccess> accesses() const { return accesses_; }
  /// The outermost loop in front of which something is asked for that holds the access, where its
  /// own section goes less far; null if there is none.
  llvm::Loop *loopOfCoveringSection(const OfAccess &known) const;

private:
  llvm::MapVector<llvm::CallBase *, llvm::SmallVector<CalleeSection, 4>> calls_;
  llvm::SmallVector<OfAccess, 32> accesses_;
  CoveringSections covering_;
};

} // namespace ompdsm
