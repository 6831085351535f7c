// WaitedSingles.h: tells the runtime at which single constructs all threads wait.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Replaces calls of __kmpc_single by __ompdsm_waited_single, where the construct's own barrier
/// follows, or copyprivate, which has one. Runs before the optimiser, while what follows a
/// construct is as Clang and Flang emitted it. Returns whether the module changed.
bool markWaitedSingles(llvm::Module &module);

} // namespace ompdsm
