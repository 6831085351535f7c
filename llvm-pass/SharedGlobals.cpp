// SharedGlobals.cpp: see SharedGlobals.h.
#include "SharedGlobals.h"
#include "Compat.h"
#include "ListTexts.h"
#include "SharedPointerAnalysis.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#define DEBUG_TYPE "ompdsm"

using namespace llvm;

STATISTIC(NumShared, "Variables placed into a shared section");

namespace ompdsm {

namespace {

/// Large objects begin on a block of the large sections, so that two of them share none; the others
/// on a boundary that vector accesses like.
const Align kLargeAlignment(1024), kSmallAlignment(16);

/// Variables of instrumentation (coverage, profiles, sanitizers) belong to the node's own run.
bool isToolVariable(const GlobalVariable &global) {
  for (StringRef prefix : {"llvm.", "__llvm_", "__prof", "__sancov_", "___asan_", "__asan_",
                           "__tsan_", "__msan_", "__ubsan_", "__gcov_", "__start_", "__stop_"})
    if (global.getName().starts_with(prefix))
      return true;
  return false;
}

bool isSharedVariable(const GlobalVariable &global) {
  return !global.isDeclaration() && !global.hasAvailableExternallyLinkage() &&
         !global.hasAppendingLinkage() && !global.isConstant() && !global.isThreadLocal() &&
         global.getAddressSpace() == 0 && global.getValueType()->isSized() &&
         !isToolVariable(global) && !isOpenMPLibraryVariable(global.getName());
}

/// An entry of the list of variables. The linker drops it with the variable's section.
GlobalVariable *addEntry(Module &module, GlobalVariable &global, std::uint64_t bytes) {
  Constant *fields[] = {&global, ConstantInt::get(Type::getInt64Ty(module.getContext()), bytes),
                        addListText(module, demangle(global.getName()))};
  Constant *contents = ConstantStruct::getAnon(fields);
  auto *entry = new GlobalVariable(module, contents->getType(), /*isConstant=*/false,
                                   GlobalValue::PrivateLinkage, contents, "ompdsm.variable");
  entry->setSection(OMPDSM_SECTION_VARIABLES);
  entry->setAlignment(Align(8));
  entry->setComdat(global.getComdat());
  entry->setMetadata(LLVMContext::MD_associated,
                     MDNode::get(module.getContext(), ValueAsMetadata::get(&global)));
  return entry;
}

} // namespace

bool placeSharedGlobals(Module &module, bool moreOptimisation) {
  SmallVector<std::pair<GlobalVariable *, std::uint64_t>, 16> placed;
  for (GlobalVariable &global : module.globals()) {
    if (!isSharedVariable(global) || global.hasAttribute("bss-section"))
      continue;
    if (global.hasSection()) {
      if (!global.getSection().starts_with("ompdsm_") &&
          !global.getSection().starts_with("__llvm_"))
        module.getContext().diagnose(PlainDiagnostic(
            "ompdsm: variable '" + global.getName() + "' is in section '" + global.getSection() +
                "' and stays private to each node; remove its section attribute to share it",
            DS_Warning));
      continue;
    }
    if (global.hasCommonLinkage()) // Common variables can have no section.
      global.setLinkage(GlobalValue::WeakAnyLinkage);
    const std::uint64_t bytes =
        module.getDataLayout().getTypeAllocSize(global.getValueType()).getFixedValue();
    const bool isLarge = bytes > OMPDSM_SMALL_OBJECT_BYTES;
    // Both, because which one applies is decided later. Unlike a section they keep zero-initialised
    // variables without contents in the object file.
    global.addAttribute("data-section", isLarge ? OMPDSM_SECTION_LARGE_DATA : OMPDSM_SECTION_DATA);
    global.addAttribute("bss-section", isLarge ? OMPDSM_SECTION_LARGE_BSS : OMPDSM_SECTION_BSS);
    global.setAlignment(std::max(module.getDataLayout().getPreferredAlign(&global),
                                 isLarge ? kLargeAlignment : kSmallAlignment));
    ++NumShared;
    placed.push_back({&global, bytes});
  }
  if (!moreOptimisation) { // An entry would keep what link-time optimisation may remove.
    SmallVector<GlobalValue *, 16> entries;
    for (const auto &[global, bytes] : placed)
      entries.push_back(addEntry(module, *global, bytes));
    appendToCompilerUsed(module, entries);
  }
  return !placed.empty();
}

} // namespace ompdsm
