// VolatileAccesses.h: volatile variables that other threads may use.
//
// Threads have been made to wait for each other by volatile variables since before C and OpenMP had
// atomic ones: in OpenMP 1.0 and 2.0 an access to a volatile object implies a flush of it, and on
// one machine it still works, though later standards call it a race. On several nodes an ordinary
// store is seen at the next synchronisation, and an ordinary load reads the same copy for ever: such
// a program would hang.
#pragma once
namespace llvm {
class Module;
} // namespace llvm
namespace ompdsm {

/// Makes volatile loads acquire and volatile stores release, where the memory is not certainly
/// private and the processor does it in one access. Wanted: as early as possible, as passes over
/// loops must know the synchronisation points. True if anything was changed.
bool orderVolatileAccesses(llvm::Module &module);

} // namespace ompdsm
