// CheckedCopies.cpp: attributes of loops.
#include "CheckedCopies.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace ompdsm {
namespace {

constexpr const char *kCheckedCopy = "ompdsm.checked.copy";

} // namespace

void markAsCheckedCopy(Loop &loop) { addStringMetadataToLoop(&loop, kCheckedCopy); }

bool isCheckedCopy(const Loop &loop) {
  return findStringMetadataForLoop(&loop, kCheckedCopy).has_value();
}

} // namespace ompdsm
