// ExtractedValues.cpp: see ExtractedValues.h.
#include "ExtractedValues.h"
#include "RuntimeCallees.h"

using namespace llvm;

namespace ompdsm {

namespace {

constexpr StringRef kExtractPrefixes[] = {"_ZNSi10_M_extractI",
                                          "_ZNSt13basic_istreamIwSt11char_traitsIwEE10_M_extractI"};
/// Before the function is instrumented; keeps it from being changed twice.
constexpr const char *kAttribute = "ompdsm-asks-for-extracted";

bool isExtract(const Function &function) {
  return !function.isDeclaration() && function.arg_size() == 2 &&
         function.getArg(1)->getType()->isPointerTy() &&
         any_of(kExtractPrefixes,
                [&](StringRef prefix) { return function.getName().starts_with(prefix); });
}

} // namespace

bool askForExtractedValues(Module &module) {
  bool changed = false;
  RuntimeCallees callees(module);
  for (Function &function : module) {
    const uint64_t bytes = isExtract(function) ? function.getParamDereferenceableBytes(1) : 0;
    if (bytes == 0 || function.hasFnAttribute(kAttribute))
      continue;
    IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    callees.call(builder, Callee::__ompdsm_range_write,
                 {function.getArg(1), builder.getInt64(bytes)});
    function.addFnAttr(kAttribute);
    changed = true;
  }
  return changed;
}

} // namespace ompdsm
