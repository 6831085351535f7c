// CpuFeatures.cpp: see CpuFeatures.h.
#include "CpuFeatures.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// The functions that use a value, through constant expressions, too.
void collectUsers(const Value &value, SmallPtrSetImpl<Function *> &functions) {
  for (const User *user : value.users())
    if (auto *instruction = dyn_cast<Instruction>(user))
      functions.insert(const_cast<Function *>(instruction->getFunction()));
    else if (isa<ConstantExpr>(user))
      collectUsers(*user, functions);
}

constexpr const char *kConstructor = "__cpu_indicator_init";

bool calls(const Function &function, const Function *callee) {
  return callee && any_of(callee->users(), [&](const User *user) {
           auto *call = dyn_cast<CallBase>(user);
           return call && call->getFunction() == &function;
         });
}

} // namespace

bool initialiseCpuFeatures(Module &module) {
  SmallPtrSet<Function *, 8> functions;
  for (StringRef name : {"__cpu_model", "__cpu_features2"})
    if (GlobalVariable *variable = module.getGlobalVariable(name);
        variable && variable->isDeclaration())
      collectUsers(*variable, functions);
  bool changed = false;
  for (Function *function : functions) {
    if (calls(*function, module.getFunction(kConstructor)))
      continue;
    IRBuilder<> builder(&*function->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    FunctionCallee constructor = module.getOrInsertFunction(kConstructor, builder.getInt32Ty());
    if (auto *declared = dyn_cast<Function>(constructor.getCallee()))
      declared->setDSOLocal(true);
    builder.CreateCall(constructor);
    changed = true;
  }
  return changed;
}

} // namespace ompdsm
