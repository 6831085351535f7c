// FortranArguments.h: what the program hands to flang's runtime, which is not instrumented.
#pragma once
namespace llvm {
class Function;
}
namespace ompdsm {

class RuntimeCallees;

/// Asks for the variables, or the arrays behind their descriptors, that calls of functions of
/// flang's runtime get (_FortranA...): __ompdsm_fortran_argument in front of each call; and says where
/// it allocates variables of the program: __ompdsm_fortran_allocation. Returns whether the function
/// changed.
bool askForFortranArguments(llvm::Function &function, const RuntimeCallees &callees);

} // namespace ompdsm
