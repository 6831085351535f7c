// ThreadLocalCaptures.h: tells the runtime which thread-local variables a parallel region gets by
// their address (copyin), and how large they are, so that other nodes get a copy.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Puts a call of __ompdsm_capture_thread_local in front of __kmpc_fork_call for each. Runs before
/// the optimiser, while the address is as Clang computed it. Returns whether the module changed.
bool announceThreadLocalCaptures(llvm::Module &module);

} // namespace ompdsm
