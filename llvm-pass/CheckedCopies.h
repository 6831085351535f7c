// CheckedCopies.h: the loops that run where an object is not wholly valid.
#pragma once
namespace llvm {
class Loop;
}
namespace ompdsm {

/// Marks a loop that has a copy without checks.
void markAsCheckedCopy(llvm::Loop &loop);
bool isCheckedCopy(const llvm::Loop &loop);

/// Of a checked copy in which checks are left: it is neither vectorised nor unrolled, which would
/// be much code for what rarely runs, and does so with a branch for each access.
void keepSmall(llvm::Loop &loop);

} // namespace ompdsm
