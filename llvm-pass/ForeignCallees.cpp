// ForeignCallees.cpp: whether such a function is instrumented, only the linked program shows.
#include "ForeignCallees.h"
#include "ListTexts.h"
#include "RuntimeCallees.h"
#include "ompdsm/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// What the runtime has looked after by other means: itself, OpenMP, flang's runtime, C++
/// exceptions.
constexpr StringRef kKnownPrefixes[] = {"__kmpc_",  "omp_",   "kmp_",
                                        "_Fortran", "__cxa_", "_Unwind_"};

/// The entry's number that the runtime sets (ompdsm/abi.h).
constexpr unsigned kIsForeign = 3;

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
                        addListText(module, placeOf(call)),
                        ConstantInt::get(Type::getInt64Ty(module.getContext()), 0)};
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

/// What the pointer is into, from its begin on; 0 if that is not known here.
std::uint64_t bytesOf(const Value &object, const DataLayout &layout) {
  if (const auto *variable = dyn_cast<AllocaInst>(&object))
    if (const auto size = variable->getAllocationSize(layout); size && !size->isScalable())
      return size->getFixedValue();
  if (const auto *global = dyn_cast<GlobalVariable>(&object); global && !global->isDeclaration())
    return layout.getTypeAllocSize(global->getValueType()).getFixedValue();
  return 0;
}

/// Of an argument: what is lent, or null.
Value *lentBy(const CallBase &call, unsigned i) {
  Value *argument = call.getArgOperand(i);
  if (!argument->getType()->isPointerTy() || isa<ConstantPointerNull, Function>(argument) ||
      call.isByValArgument(i))
    return nullptr;
  Value *object = getUnderlyingObject(argument);
  if (const auto *global = dyn_cast<GlobalVariable>(object))
    return global->isConstant() || global->isThreadLocal() ? nullptr : object;
  return isa<AllocaInst>(object) ? object : argument;
}

/// Lends what the call gets, if the runtime finds that the callee is foreign.
void lendBefore(CallBase &call, GlobalVariable &entry, const RuntimeCallees &callees) {
  SmallSetVector<Value *, 4> lent;
  for (unsigned i = 0; i < call.arg_size(); ++i)
    if (Value *object = lentBy(call, i))
      lent.insert(object);
  if (lent.empty())
    return;
  IRBuilder<> builder(&call);
  Value *flag = builder.CreateStructGEP(entry.getValueType(), &entry, kIsForeign);
  LoadInst *isForeign =
      builder.CreateAlignedLoad(builder.getInt64Ty(), flag, Align(8), /*isVolatile=*/true);
  isForeign->setNoSanitizeMetadata();
  Instruction *end = SplitBlockAndInsertIfThen(
      builder.CreateICmpNE(isForeign, builder.getInt64(0)), call.getIterator(),
      /*Unreachable=*/false, MDBuilder(call.getContext()).createUnlikelyBranchWeights());
  builder.SetInsertPoint(end);
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  const DataLayout &layout = call.getDataLayout();
  for (Value *object : lent)
    callees.call(builder, Callee::__ompdsm_lend,
                 {object, builder.getInt64(bytesOf(*object, layout))});
}

} // namespace

bool listForeignCallees(Module &module, ArrayRef<Function *> instrumented, bool moreOptimisation,
                        function_ref<const TargetLibraryInfo &(Function &)> libraryOf) {
  SmallVector<GlobalValue *, 16> entries;
  const RuntimeCallees callees(module);
  for (Function *function : instrumented) {
    const TargetLibraryInfo &library = libraryOf(*function);
    SmallDenseMap<const Function *, GlobalVariable *> listed;
    SmallVector<std::pair<CallBase *, GlobalVariable *>, 16> calls;
    for (Instruction &instruction : instructions(*function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = listedCallee(*call, library)) {
          GlobalVariable *&entry = listed[callee];
          if (!entry) {
            entry = addEntry(module, *callee, *call, moreOptimisation);
            entries.push_back(entry);
          }
          calls.emplace_back(call, entry);
        }
    for (const auto &[call, entry] : calls)
      lendBefore(*call, *entry, callees);
  }
  appendToCompilerUsed(module, entries);
  return !entries.empty();
}

} // namespace ompdsm
