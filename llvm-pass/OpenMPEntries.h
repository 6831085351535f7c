// OpenMPEntries.h: what the pass knows of the OpenMP runtime's functions (OpenMPEntries.def).
#pragma once
namespace llvm {
class CallBase;
}
namespace ompdsm {

/// The call's callee writes through pointer arguments in the calling thread and keeps none.
bool borrowsPointers(const llvm::CallBase &call);
/// The call's callee is no synchronisation point.
bool isQuietOpenMPEntry(const llvm::CallBase &call);

} // namespace ompdsm
