// CheckElimination.h: drops checks that an earlier check already covers.
//
// A check is a permission until the thread's next synchronisation point, so a check is redundant if
// on every path an equal or stronger one of the same bytes comes before it with no synchronisation
// point between them (available expressions). Write permission includes read permission.
#pragma once
#include "AccessCollector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"

namespace ompdsm {

/// Removes the redundant ones from `accesses`; a read that a write of the same bytes is certain to
/// follow in its block becomes a write check, which makes the later one redundant.
void eliminateChecks(llvm::Function &function, llvm::SmallVectorImpl<Access> &accesses,
                     const llvm::TargetLibraryInfo &library, InstrumentationReport &report);

} // namespace ompdsm
