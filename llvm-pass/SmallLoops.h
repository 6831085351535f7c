// SmallLoops.h: loops that are not worth more code than they have.
#pragma once
namespace llvm {
class Loop;
class LoopInfo;
} // namespace llvm
namespace ompdsm {

/// Neither vectorised nor unrolled. Of a checked copy in which checks are left: that would be much
/// code for what rarely runs, and does so with a branch for each access.
void keepSmall(llvm::Loop &loop);

/// Innermost loops with an atomic operation are not unrolled: it will be a call, so that each
/// iteration costs much more than the branch back, and each copy needs checks of its own, as
/// permissions end there.
void keepAtomicLoopsSmall(const llvm::LoopInfo &loops);

} // namespace ompdsm
