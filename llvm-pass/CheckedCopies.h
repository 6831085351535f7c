// CheckedCopies.h: the loops that run where an object is not wholly valid.
#pragma once
namespace llvm {
class Loop;
}
namespace ompdsm {

/// Marks a loop that has a copy without checks. It is neither vectorised nor unrolled: that would
/// be much code for what rarely runs, and waits for the network when it does.
void makeCheckedCopy(llvm::Loop &loop);
bool isCheckedCopy(const llvm::Loop &loop);

} // namespace ompdsm
