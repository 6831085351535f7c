// AllocationRedirect.h: allocations by instrumented code come from the application heap.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Redirects calls of allocation functions that the module does not define to their twins
/// (abi.def). Addresses of functions stay: memory is freed by address, whichever heap it is from.
/// Runs last: until then LLVM knows the functions by their names.
bool redirectAllocations(llvm::Module &module);

} // namespace ompdsm
