// PassOptions.cpp: parsing.
#include "PassOptions.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include <cstdlib>

using namespace llvm;

namespace ompdsm {

namespace {

Error set(PassOptions::Flag &flag, StringRef name, StringRef value) {
  if (!value.empty())
    return createStringError("option '" + name + "' of the ompdsm plugin takes no value");
  flag = true;
  return Error::success();
}

Error set(PassOptions::Text &text, StringRef, StringRef value) {
  text = value.str();
  return Error::success();
}

} // namespace

Error PassOptions::parse(StringRef list) {
  SmallVector<StringRef, 4> arguments;
  list.split(arguments, ',', -1, /*KeepEmpty=*/false);
  for (StringRef argument : arguments) {
    auto [name, value] = argument.trim().split('=');
    std::string known;
    bool found = false;
#define OMPDSM_PASS_OPTION(optionName, member, kind, help)                                         \
  if (name == optionName) {                                                                        \
    if (Error error = set(member, name, value))                                                    \
      return error;                                                                                \
    found = true;                                                                                  \
  }                                                                                                \
  known += std::string("; ") + optionName + ": " + help;
#include "PassOptions.def"
#undef OMPDSM_PASS_OPTION
    if (!found)
      return createStringError("unknown option '" + name + "' of the ompdsm plugin; it has" +
                               StringRef(known).drop_front());
  }
  return Error::success();
}

Expected<PassOptions> PassOptions::of(const Module &module) {
  PassOptions options;
  if (const char *text = std::getenv("OMPDSM_PASS_OPTIONS"))
    if (Error error = options.parse(text))
      return error;
  // Clang gives the same list to every function.
  for (const Function &function : module)
    if (function.hasFnAttribute(attribute)) {
      if (Error error = options.parse(function.getFnAttribute(attribute).getValueAsString()))
        return error;
      break;
    }
  return options;
}

bool PassOptions::isSet(const Module &module, Flag PassOptions::*option) {
  Expected<PassOptions> options = of(module);
  if (options)
    return (*options).*option;
  consumeError(options.takeError());
  return true;
}

} // namespace ompdsm
