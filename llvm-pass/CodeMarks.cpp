// CodeMarks.cpp: prefix data, which the back end puts directly before a function's entry.
#include "CodeMarks.h"
#include "ompdsm/abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace ompdsm {
namespace {

bool mark(Function &function, bool isFoldable) {
  static constexpr uint64_t kMark[] = OMPDSM_CODE_MARK;
  if (function.hasPrefixData())
    return false;
  const uint64_t words[] = {kMark[0], kMark[1] | (isFoldable ? OMPDSM_CODE_MARK_FOLDABLE : 0)};
  function.setPrefixData(ConstantDataArray::get(function.getContext(), ArrayRef(words)));
  return true;
}

} // namespace

bool markCode(ArrayRef<Function *> instrumented,
              const SmallPtrSetImpl<const Function *> &foldable) {
  bool changed = false;
  for (Function *function : instrumented)
    if (!function->hasLocalLinkage() || function->hasAddressTaken())
      changed |= mark(*function, foldable.contains(function));
  return changed;
}

} // namespace ompdsm
