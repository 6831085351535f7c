// CheckedCopies.h: the loops that run where an object is not wholly valid.
#pragma once
namespace llvm {
class Loop;
}
namespace ompdsm {

/// Marks a loop that has a copy without checks.
void markAsCheckedCopy(llvm::Loop &loop);
bool isCheckedCopy(const llvm::Loop &loop);

} // namespace ompdsm
