// RuntimeCallees.cpp: declarations made from the X-macro list.
#include "RuntimeCallees.h"
#include "Compat.h"

using namespace llvm;

namespace ompdsm {

namespace {
struct Entry {
  StringRef name, result, parameters, convention;
};

const Entry &entryOf(Callee callee) {
  static const Entry entries[] = {
#define OMPDSM_ABI(result, name, parameters, convention) {#name, #result, #parameters, #convention},
#define OMPDSM_ALLOC(name)
#define OMPDSM_TWIN(name)
#include "ompdsm/abi.def"
#undef OMPDSM_ABI
#undef OMPDSM_ALLOC
#undef OMPDSM_TWIN
  };
  return entries[unsigned(callee)];
}

Type *typeNamed(StringRef name, LLVMContext &context) {
  if (name == "ptr")
    return PointerType::getUnqual(context);
  if (name == "i32")
    return Type::getInt32Ty(context);
  if (name == "i64")
    return Type::getInt64Ty(context);
  assert(name == "void");
  return Type::getVoidTy(context);
}
} // namespace

StringRef RuntimeCallees::nameOf(Callee callee) { return entryOf(callee).name; }

FunctionCallee RuntimeCallees::get(Callee callee) const {
  const Entry &entry = entryOf(callee);
  LLVMContext &context = module_.getContext();
  SmallVector<StringRef, 8> names;
  entry.parameters.trim("() ").split(names, ',');
  SmallVector<Type *, 8> types;
  for (StringRef name : names)
    if (!name.trim().empty())
      types.push_back(typeNamed(name.trim().split(' ').first, context));
  FunctionCallee declared = module_.getOrInsertFunction(
      entry.name, FunctionType::get(typeNamed(entry.result, context), types, false));
  if (auto *function = dyn_cast<Function>(declared.getCallee())) {
    function->setDoesNotThrow();
    if (entry.convention == "cold") {
      function->setCallingConv(CallingConv::PreserveMost);
      function->addFnAttr(Attribute::Cold);
      // The image has it: no lazy binding, which does not keep r10 as the convention promises, and no
      // address that would be kept in a register throughout each loop.
      function->setVisibility(GlobalValue::HiddenVisibility);
      function->setDSOLocal(true);
    }
    if (entry.convention == "section" || entry.convention == "sections") {
      function->addFnAttr(Attribute::NoSync);
      function->addFnAttr(Attribute::WillReturn);
    }
    if (entry.convention == "section") {
      // The accesses that it is for have the same underlying object, so none moves above it.
      function->setMemoryEffects(MemoryEffects::argMemOnly() |
                                 MemoryEffects::inaccessibleMemOnly());
      function->addParamAttr(0, capturesNothing(context));
    }
  }
  return declared;
}

CallInst *RuntimeCallees::call(IRBuilderBase &builder, Callee callee,
                               ArrayRef<Value *> arguments) const {
  FunctionCallee function = get(callee);
  CallInst *call = builder.CreateCall(function, arguments);
  if (auto *declaration = dyn_cast<Function>(function.getCallee()))
    call->setCallingConv(declaration->getCallingConv());
  return call;
}

ArrayRef<StringRef> RuntimeCallees::functionsWithTwins() {
  static const StringRef names[] = {
#define OMPDSM_ABI(result, name, parameters, convention)
#define OMPDSM_ALLOC(name) #name,
#define OMPDSM_TWIN(name) #name,
#include "ompdsm/abi.def"
#undef OMPDSM_ABI
#undef OMPDSM_ALLOC
#undef OMPDSM_TWIN
  };
  return names;
}

} // namespace ompdsm
