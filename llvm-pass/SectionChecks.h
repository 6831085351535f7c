// SectionChecks.h: checks of array sections in front of loop nests.
#pragma once
#include "RuntimeCallees.h"
#include "Sections.h"
#include "llvm/ADT/ArrayRef.h"
namespace llvm {
class SCEVExpander;
}
namespace ompdsm {

struct SectionCheck {
  Section section;
  bool isWrite = false;
  llvm::Instruction *access = nullptr; ///< One that it is for; lends its place in the source.
};

/// Joins checks of sections that have the same shape in front of the same loop, if they touch or
/// are at most SectionAnalysis::kMaxGapBytes apart; one for writing also covers reads, and one
/// without guards what lies in it and has some.
llvm::SmallVector<SectionCheck, 16> mergeSections(llvm::ArrayRef<SectionCheck> checks,
                                                  llvm::ScalarEvolution &evolution);

/// Whether all values of the section can be computed at the end of its loop's preheader.
bool canEmit(const Section &section, llvm::SCEVExpander &expander);

/// `count`, an i64, if all guards of the section hold, else 0, at the builder's place.
llvm::Value *ifGuardsHold(const Section &section, llvm::Value *count, llvm::SCEVExpander &expander,
                          llvm::IRBuilderBase &builder);

/// The section's dimensions as arguments of the runtime's functions: of each its stride and rows.
llvm::SmallVector<llvm::Value *, 2 * Section::kMaxDimensions>
dimensionArguments(const Section &section, llvm::SCEVExpander &expander,
                   llvm::IRBuilderBase &builder);

/// Whether a check asks at once, or notes what emitAsking asks for: sections in front of the same
/// loop are asked for together, so that nobody waits for one after the other.
enum class Asking : bool { AtOnce, Together };

/// Puts the check at the end of the loop's preheader; returns the call.
llvm::CallInst *emitSectionCheck(const SectionCheck &check, Asking asking,
                                 llvm::SCEVExpander &expander, const RuntimeCallees &callees);
/// Behind all checks that have noted something in front of the loop.
llvm::CallInst *emitAsking(llvm::Loop &loop, const RuntimeCallees &callees);

} // namespace ompdsm
