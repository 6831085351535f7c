// PassOptions.h: options of the pass.
//
// They come from clang's -fplugin-arg-ompdsm-<name>[=value], or from the environment variable
// OMPDSM_PASS_OPTIONS="name=value,..." where plugins have no arguments (opt, lld, flang). Clang's
// arguments travel as an attribute of the functions, so that they reach the passes whichever way
// the plugin was loaded, also through a bitcode file (-save-temps).
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace llvm {
class Module;
}
namespace ompdsm {

struct PassOptions {
  using Flag = bool;
  using Text = std::optional<std::string>; ///< Absent, or the value (empty without '=').
#define OMPDSM_PASS_OPTION(name, member, kind, help) kind member{};
#include "PassOptions.def"
#undef OMPDSM_PASS_OPTION

  /// Parses "name=value,...". The error says which options exist.
  llvm::Error parse(llvm::StringRef list);

  /// The options for a module, from the environment and from its functions.
  static llvm::Expected<PassOptions> of(const llvm::Module &module);
  /// Whether a module has an option, or wrong ones: these are reported by the instrumentation.
  static bool isSet(const llvm::Module &module, Flag PassOptions::*option);
  /// The attribute that carries a list of options to the module.
  static constexpr const char *attribute = "ompdsm-options";
};

} // namespace ompdsm
