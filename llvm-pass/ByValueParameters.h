// ByValueParameters.h: objects that a function gets by value, in memory, and hands on by reference.
//
// The code generator writes such a parameter when the function is called: there is no store with a
// check in front of it. Nodes that have a copy of the place, from the call before, keep it.
#pragma once
namespace llvm {
class Function;
} // namespace llvm
namespace ompdsm {

/// Where another thread may get a parameter's address, the function works on a copy, which is
/// written like any other local variable. Wanted: after the optimiser, which takes the parameter
/// itself for such a copy; before checks are emitted. True if the function was changed.
bool copySharedParameters(llvm::Function &function);

} // namespace ompdsm
