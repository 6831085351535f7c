// FortranOutput.h: when Fortran statements write to a unit.
#pragma once
namespace llvm {
class Function;
}
namespace ompdsm {

class RuntimeCallees;

/// Tells the runtime of the begin and the end of each such statement, as flang's runtime keeps what
/// is printed until its buffer is full or the program ends, which it does on node 0 only. Returns
/// whether the function changed.
bool announceFortranOutput(llvm::Function &function, const RuntimeCallees &callees);

} // namespace ompdsm
