// ForeignCallees.cpp: whether such a function is instrumented, only the linked program shows.
#include "ForeignCallees.h"
#include "ListTexts.h"
#include "RuntimeCallees.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// What the runtime has looked after by other means: itself, OpenMP, flang's runtime, C++
/// exceptions.
constexpr StringRef kKnownPrefixes[] = {"__kmpc_",  "omp_",   "kmp_",
                                        "_Fortran", "__cxa_", "_Unwind_"};

bool passesPointer(const CallBase &call) {
  return any_of(call.args(), [](const Use &argument) {
    return argument->getType()->isPointerTy() && !isa<ConstantPointerNull>(argument);
  });
}

/// The call's callee, if it is to be listed.
Function *listedCallee(const CallBase &call, const TargetLibraryInfo &library) {
  Function *callee = call.getCalledFunction();
  LibFunc known;
  if (!callee || !callee->isDeclaration() || callee->isIntrinsic() ||
      RuntimeCallees::isRuntimeName(callee->getName()) || library.getLibFunc(*callee, known) ||
      any_of(kKnownPrefixes,
             [&](StringRef prefix) { return callee->getName().starts_with(prefix); }) ||
      call.doesNotAccessMemory() || !passesPointer(call))
    return nullptr;
  return callee;
}

/// "file:line" of a call, or what is known of it.
std::string placeOf(const CallBase &call) {
  if (const DILocation *location = call.getDebugLoc())
    return (location->getFilename() + ":" + Twine(location->getLine())).str();
  return call.getModule()->getSourceFileName();
}

GlobalVariable *addEntry(Module &module, Function &callee, const CallBase &call, bool mayVanish) {
  Function &caller = *const_cast<Function *>(call.getFunction());
  Constant *fields[] = {&callee, addListText(module, callee.getName()),
                        addListText(module, placeOf(call))};
  Constant *contents = ConstantStruct::getAnon(fields);
  auto *entry = new GlobalVariable(module, contents->getType(), /*isConstant=*/false,
                                   GlobalValue::PrivateLinkage, contents, "ompdsm.callee");
  entry->setSection(OMPDSM_SECTION_CALLEES);
  entry->setAlignment(Align(8));
  entry->setComdat(caller.getComdat());
  if (!mayVanish) // The linker drops the entry with the caller's section (SHF_LINK_ORDER).
    entry->setMetadata(LLVMContext::MD_associated,
                       MDNode::get(module.getContext(), ValueAsMetadata::get(&caller)));
  return entry;
}

} // namespace

bool listForeignCallees(Module &module, ArrayRef<Function *> instrumented, bool moreOptimisation,
                        function_ref<const TargetLibraryInfo &(Function &)> libraryOf) {
  SmallVector<GlobalValue *, 16> entries;
  for (Function *function : instrumented) {
    const TargetLibraryInfo &library = libraryOf(*function);
    SmallPtrSet<const Function *, 8> listed;
    for (const Instruction &instruction : instructions(*function))
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = listedCallee(*call, library); callee && listed.insert(callee).second)
          entries.push_back(addEntry(module, *callee, *call, moreOptimisation));
  }
  appendToCompilerUsed(module, entries);
  return !entries.empty();
}

} // namespace ompdsm
