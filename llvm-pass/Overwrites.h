// Overwrites.h: sections of which a loop nest stores every byte.
//
// If nothing could read a byte before, such a section needs no contents: the runtime neither
// fetches the blocks that lie in it nor keeps twins of them. That the nest reads nothing of it is
// known by alias analysis, or found out in front of the nest, by comparing the section with those
// that it reads. If it may read, what the section has is fetched, and twins are spared where it was
// there. Several stores may fill a section together, as those of both parts of a complex number do.
#pragma once
#include "SectionChecks.h"
namespace llvm {
class AAResults;
}
namespace ompdsm {

struct Overwrite {
  Section section;
  llvm::SmallVector<llvm::Instruction *, 2> stores;
  /// Only if it does not overlap any of these, in front of the same loop. None of them and, if
  /// there are any, it itself has dimensions.
  llvm::SmallVector<const Section *, 4> apart;
  bool reads = false; ///< The nest may read what is there before it stores.
};

/// Those among `checks`, which are not merged.
llvm::SmallVector<Overwrite, 4> findOverwrites(llvm::ArrayRef<SectionCheck> checks,
                                               llvm::ScalarEvolution &evolution,
                                               llvm::AAResults &aliases);

/// Whether the overwrite asks for all that the check does: it is a permission to write, too, and of
/// blocks that lie in it in part no more than that.
bool isAll(const Overwrite &overwrite, const SectionCheck &check);

/// Puts the check at the end of the loop's preheader.
llvm::CallInst *emitOverwrite(const Overwrite &overwrite, Asking asking,
                              llvm::SCEVExpander &expander, const RuntimeCallees &callees);

} // namespace ompdsm
