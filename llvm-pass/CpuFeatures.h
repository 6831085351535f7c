// CpuFeatures.h: __builtin_cpu_supports and __builtin_cpu_is on nodes that run no constructors.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// Both read a variable that a constructor of the program's libgcc or compiler-rt fills in, on node
/// 0 only. Puts a call of that constructor, which returns at once when it has been run, at the
/// beginning of the functions that read it. Returns whether the module changed.
bool initialiseCpuFeatures(llvm::Module &module);

} // namespace ompdsm
