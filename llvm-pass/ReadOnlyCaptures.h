// ReadOnlyCaptures.h: variables that a region has by reference and nobody writes while it runs.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Passes scalars of the caller's stack (up to 8 bytes) that a parallel region only reads by value,
/// as if they were firstprivate. To the optimiser a store of the region may change what is passed
/// by reference, so bounds, sizes and base pointers would be loaded again in each iteration, and no
/// address would be linear; and each node would fetch the line of the caller's stack.
///
/// Wanted: promoted stack objects (after SROA, before the inliner). True if anything was changed.
bool passReadOnlyCapturesByValue(llvm::Module &module);

} // namespace ompdsm
