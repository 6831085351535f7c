// RegionMarks.h: tells instrumented parallel regions from others at run time.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Puts OMPDSM_REGION_MARK in front of the code of each function that the module hands to
/// __kmpc_fork_call and its like, so that the runtime can refuse regions of objects that were
/// compiled without the plugin. Returns whether the module changed.
bool markRegions(llvm::Module &module);

} // namespace ompdsm
