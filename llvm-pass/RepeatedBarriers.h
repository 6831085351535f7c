// RepeatedBarriers.h: barriers that follow another one with nothing in between.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Erases calls of __kmpc_barrier before which the team has just met, with nothing in between.
/// Clang ends a worksharing loop with a reduction by the barrier of __kmpc_reduce and that of the
/// loop, so each such loop would cost two. Where the team has met on some ways to the barrier only
/// (not on that around a loop without iterations, say), the barrier moves to the others.
///
/// Wanted: the module as the front end made it. All threads of a team have to meet at the same
/// barriers, so none may be erased in one copy of a construct and stay in another. True if anything
/// was changed.
bool eraseRepeatedBarriers(llvm::Module &module);

} // namespace ompdsm
