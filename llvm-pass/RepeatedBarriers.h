// RepeatedBarriers.h: barriers that follow another one with nothing in between.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Erases calls of __kmpc_barrier before which the team has just met, with nothing in between.
/// Clang ends a worksharing loop with a reduction by the barrier of __kmpc_reduce and that of the
/// loop, so each such loop would cost two. If only a branch around what met
/// leads there otherwise (a loop without iterations), the barrier moves to that branch.
///
/// Wanted: the module as the front end made it. All threads of a team have to meet at the same
/// barriers, so none may be erased in one copy of a construct and stay in another. True if anything
/// was changed.
bool eraseRepeatedBarriers(llvm::Module &module);

} // namespace ompdsm
