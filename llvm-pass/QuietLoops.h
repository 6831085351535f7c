// QuietLoops.h: loops that permissions outlast.
#pragma once
#include "AccessCollector.h"
#include "llvm/ADT/SmallPtrSet.h"
namespace llvm {
class Loop;
class LoopInfo;
class Module;
} // namespace llvm
namespace ompdsm {

/// Loops in which nothing may synchronise. Their inner loops are quiet, too.
using QuietLoops = llvm::SmallPtrSet<const llvm::Loop *, 16>;

QuietLoops findQuietLoops(const llvm::LoopInfo &loops, const llvm::TargetLibraryInfo &library);

/// Loads and stores of the function that need a check, and have none in front of a loop yet.
llvm::SmallVector<Access, 32> uncoveredAccesses(llvm::Function &function,
                                                const llvm::TargetLibraryInfo &library);

/// The option no-hoist. Wrong options are reported by the instrumentation.
bool isHoistingSwitchedOff(const llvm::Module &module);

} // namespace ompdsm
