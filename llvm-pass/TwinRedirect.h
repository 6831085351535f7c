// TwinRedirect.h: functions of the C and C++ library for which instrumented code calls the
// runtime's twin: allocations come from the application heap, and mutexes exclude threads of all
// nodes.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Redirects calls of functions that the module does not define to their twins (abi.def), and their
/// addresses in variables that only the module accesses (a table of a program's allocation
/// functions). Other addresses stay, as a library may call them: it has no checks. Memory is freed by
/// address, whichever heap it is from. Runs last: until then LLVM knows the functions by their names.
bool redirectToTwins(llvm::Module &module);

} // namespace ompdsm
