// OpenMPEntries.h: what the pass knows of the OpenMP runtime's functions (OpenMPEntries.def).
#pragma once
namespace llvm {
class CallBase;
class Module;
} // namespace llvm
namespace ompdsm {

/// The call's callee writes through pointer arguments in the calling thread and keeps none.
bool borrowsPointers(const llvm::CallBase &call);
/// The call's callee is no synchronisation point.
bool isQuietOpenMPEntry(const llvm::CallBase &call);
/// When the call returns all threads of the team have called it, or its counterpart, and what they
/// have stored before is visible.
bool isTeamBarrier(const llvm::CallBase &call);
/// No thread that calls the call's callee waits there for another one of its team to come, but at
/// most for one that is in a critical section.
bool isFoldableOpenMPEntry(const llvm::CallBase &call);

/// Declares that the entries that borrow pointers capture none. Without that, loads of loop bounds
/// that are filled in by one of them stay behind each store. True if anything was changed.
bool declareBorrowers(llvm::Module &module);

} // namespace ompdsm
