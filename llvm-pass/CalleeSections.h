// CalleeSections.h: what a call of a small function accesses, as sections in the caller's terms.
//
// A summary of a function is what its clone without checks (UncheckedClones.h) accesses whenever it
// is called, by its arguments and variables: f(p, n) accesses [p, p + 8 n) if n > 0. Put into the
// caller's terms, such sections widen over the caller's loops as those of its own accesses do.
#pragma once
#include "SectionChecks.h"
#include "llvm/IR/PassManager.h"
namespace llvm {
class CallBase;
} // namespace llvm
namespace ompdsm {

class CalleeSections {
public:
  /// `evolution` is the caller's. Functions other than the caller are looked at, not changed.
  CalleeSections(llvm::FunctionAnalysisManager &analyses, llvm::ScalarEvolution &evolution)
      : analyses_(analyses), evolution_(evolution) {}

  /// All that needs a permission in one call of a function that has a clone, in front of no loop;
  /// nullopt if that is not known, or if it might be less: on a condition on what it loads, or
  /// behind a call.
  std::optional<llvm::SmallVector<SectionCheck, 16>> of(llvm::CallBase &call);

private:
  llvm::FunctionAnalysisManager &analyses_;
  llvm::ScalarEvolution &evolution_;
};

struct CalleeSection {
  SectionCheck one, all; ///< Of one call, and of all in the loops around it.
};

/// What has to be asked in front of loops around the call, so that the clone may be called instead;
/// nullopt if that is not known, or cannot be computed there.
std::optional<llvm::SmallVector<CalleeSection, 4>>
widenedSections(llvm::CallBase &call, llvm::Loop &innermost, CalleeSections &callees,
                const SectionAnalysis &sections, llvm::SCEVExpander &expander);

} // namespace ompdsm
