// CodeMarks.cpp: prefix data, which the back end puts directly before a function's entry.
#include "CodeMarks.h"
#include "ompdsm/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace ompdsm {
namespace {

bool mark(Function &function) {
  static constexpr uint64_t kMark[] = OMPDSM_CODE_MARK;
  if (function.hasPrefixData())
    return false;
  function.setPrefixData(ConstantDataArray::get(function.getContext(), ArrayRef(kMark)));
  return true;
}

} // namespace

bool markCode(ArrayRef<Function *> instrumented) {
  bool changed = false;
  for (Function *function : instrumented)
    if (!function->hasLocalLinkage() || function->hasAddressTaken())
      changed |= mark(*function);
  return changed;
}

} // namespace ompdsm
