// CheckWidening.h: one check for neighbouring accesses: fields of an object, runs of constant
// offsets, what an unrolled loop has left.
#pragma once
#include "AccessCollector.h"
namespace ompdsm {

/// Widens the first check of accesses at constant distances from one pointer to up to a line's
/// length, if the others certainly follow with no synchronisation point in between; the elimination
/// then finds these covered. A check for reading is not widened over a write, or the other way
/// round: asked for where the program only reads, a write would make the node a writer.
void widenChecks(llvm::Function &function, llvm::SmallVectorImpl<Access> &accesses,
                 const llvm::TargetLibraryInfo &library);

} // namespace ompdsm
