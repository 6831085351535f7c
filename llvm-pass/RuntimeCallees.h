// RuntimeCallees.h: the runtime's functions, declared in the module on first use. The list is
// libompdsm/include/ompdsm/abi.def; no other file of the pass knows a function's name.
#pragma once
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace ompdsm {

enum class Callee {
#define OMPDSM_ABI(result, name, parameters, convention) name,
#define OMPDSM_ALLOC(name)
#define OMPDSM_TWIN(name)
#include "ompdsm/abi.def"
#undef OMPDSM_ABI
#undef OMPDSM_ALLOC
#undef OMPDSM_TWIN
};

class RuntimeCallees {
public:
  explicit RuntimeCallees(llvm::Module &module) : module_(module) {}
  llvm::FunctionCallee get(Callee callee) const;
  /// Emits a call with the callee's convention.
  llvm::CallInst *call(llvm::IRBuilderBase &builder, Callee callee,
                       llvm::ArrayRef<llvm::Value *> arguments) const;

  static llvm::StringRef nameOf(Callee callee);

  /// Functions of the C and C++ library that have a twin in the runtime.
  static llvm::ArrayRef<llvm::StringRef> functionsWithTwins();
  static std::string twinOf(llvm::StringRef name) { return ("__ompdsm_" + name).str(); }
  /// Whether a function is the runtime's own and must not be instrumented.
  static bool isRuntimeName(llvm::StringRef name) { return name.starts_with("__ompdsm_"); }

private:
  llvm::Module &module_;
};

} // namespace ompdsm
