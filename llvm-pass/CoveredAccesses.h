// CoveredAccesses.h: the mark of accesses whose permission a check in front of their loop asks for.
//
// The mark has to outlive vectorisation, which drops metadata that it does not know. What an access
// does not alias it keeps, and where accesses are joined it keeps what they have in common, which
// is what is needed. So the mark is an alias scope of the module in which no access is. Marks are
// lost rather than invented: an access without one gets its own check.
#pragma once
namespace llvm {
class Instruction;
class Module;
} // namespace llvm
namespace ompdsm {

void markCovered(llvm::Instruction &access);
bool isCovered(const llvm::Instruction &access);

} // namespace ompdsm
