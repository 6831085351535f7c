// ConditionalReads.h: one check for what a function may read of one object, field by field.
#pragma once
#include "AccessCollector.h"
namespace ompdsm {

/// Widens a check for reading, to a line's length at most, over what may be read later by way of
/// the same pointer with no synchronisation point in between: the child of a node whose key was
/// compared, the count beside a key. The elimination then finds these covered. What is not read in
/// the end lies in the same line, or was fetched with the next; CheckWidening, where the others
/// follow certainly, has run before. Never for writing: that would make the node a writer.
void widenChecksForReading(llvm::Function &function, llvm::SmallVectorImpl<Access> &accesses,
                           const llvm::TargetLibraryInfo &library);

} // namespace ompdsm
