// SynchronisationPoints.h: which instructions may be a synchronisation point of the executing
// thread, where the permissions that its checks obtained end (ARCHITECTURE, section 2).
#pragma once
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instruction.h"

namespace ompdsm {

/// True unless it is certain that the instruction does not synchronise. A call synchronises unless
/// it cannot (no memory effects, nosync, QuietFunctions.h) or is a library function known not to.
bool maySynchronise(const llvm::Instruction &instruction, const llvm::TargetLibraryInfo &library);

} // namespace ompdsm
