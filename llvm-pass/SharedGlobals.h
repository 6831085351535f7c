// SharedGlobals.h: places mutable globals and statics into the sections that the runtime shares.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Sets the section attributes, raises alignments, and turns common variables into weak
/// definitions. Warns of variables that the program has put into a section of its own: they stay
/// private to each node. Runs after the optimiser: dead variables are gone, those that nobody
/// writes have become constants, those that only one function uses have become locals; and nothing
/// derives anything from a variable's section before code is generated. Lists the variables for the
/// runtime (OMPDSM_SECTION_VARIABLES), unless they are optimised further.
bool placeSharedGlobals(llvm::Module &module, bool moreOptimisation);

} // namespace ompdsm
