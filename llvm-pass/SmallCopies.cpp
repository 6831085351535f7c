// SmallCopies.cpp: see SmallCopies.h.
#include "SmallCopies.h"
#include "ArgumentCopies.h"
#include "ModuleInstrumentation.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// A few registers of the machine. What is smaller than the least, LLVM has made a load and a
/// store.
constexpr std::uint64_t kLeastBytes = 9, kMostBytes = 128;
constexpr std::uint64_t kElementBytes = 8;

/// The value that is copied; null if it is not such a copy.
Type *typeOfSmall(const MemTransferInst &copy) {
  const auto *length = dyn_cast<ConstantInt>(copy.getLength());
  if (!length || copy.isVolatile())
    return nullptr;
  const std::uint64_t bytes = length->getZExtValue();
  if (bytes < kLeastBytes || bytes > kMostBytes || bytes % kElementBytes)
    return nullptr;
  return FixedVectorType::get(Type::getInt64Ty(copy.getContext()), unsigned(bytes / kElementBytes));
}

/// What is known of aliases holds for both; a copy may be of members of several types.
void keepScopes(const MemTransferInst &copy, Instruction &access) {
  for (unsigned kind :
       {LLVMContext::MD_alias_scope, LLVMContext::MD_noalias, LLVMContext::MD_access_group})
    if (MDNode *node = copy.getMetadata(kind))
      access.setMetadata(kind, node);
}

void expand(MemTransferInst &copy, Type &type) {
  IRBuilder<> builder(&copy);
  // All is loaded before anything is stored, as memmove does.
  LoadInst *loaded =
      builder.CreateAlignedLoad(&type, copy.getRawSource(), copy.getSourceAlign().valueOrOne());
  StoreInst *stored =
      builder.CreateAlignedStore(loaded, copy.getRawDest(), copy.getDestAlign().valueOrOne());
  keepScopes(copy, *loaded);
  keepScopes(copy, *stored);
  copy.eraseFromParent();
}

} // namespace

PreservedAnalyses SmallCopiesPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty() || !wantsInstrumentation(function))
    return PreservedAnalyses::all();
  SmallVector<std::pair<MemTransferInst *, Type *>, 8> found;
  for (Instruction &instruction : instructions(function))
    if (auto *copy = dyn_cast<MemTransferInst>(&instruction);
        copy && loops.getLoopFor(copy->getParent()))
      if (Type *type = typeOfSmall(*copy); type && !isForArgument(*copy))
        found.emplace_back(copy, type);
  if (found.empty())
    return PreservedAnalyses::all();
  for (const auto &[copy, type] : found)
    expand(*copy, *type);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace ompdsm
