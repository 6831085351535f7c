// FoldableRegions.h: regions whose threads never wait for one another, so that few threads can
// execute the parts of all, one part after the other.
//
// Where spreading a region over the nodes costs more than it gains, the runtime executes it in the
// node that starts it ("folds" it, libompdsm/src/FoldedRegion.h). A thread then takes several
// threads' parts in turn, each under its number. For that no part may need another one to go on
// before it has ended, and nothing may be a thread's own: thread-local variables exist once for
// each real thread.
#pragma once
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
namespace llvm {
class Function;
class Module;
} // namespace llvm
namespace ompdsm {

/// The module's outlined functions of which this is certain. Wanted: atomic operations lowered,
/// quiet functions marked, no check emitted.
llvm::SmallPtrSet<const llvm::Function *, 16>
foldableRegions(llvm::Module &module,
                llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)> libraryOf);

} // namespace ompdsm
