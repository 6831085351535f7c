// TwinRedirect.cpp: see TwinRedirect.h.
#include "TwinRedirect.h"
#include "RuntimeCallees.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#define DEBUG_TYPE "ompdsm"

using namespace llvm;

STATISTIC(NumRedirected, "Calls redirected to a twin in the runtime");

namespace ompdsm {
namespace {

/// Whether all uses of an address are accesses of what is there, and their checks.
bool isOnlyAccessed(const Value &address) {
  return all_of(address.uses(), [](const Use &use) {
    const User *user = use.getUser();
    if (isa<LoadInst, PtrToIntOperator>(user))
      return true;
    if (const auto *call = dyn_cast<CallBase>(user))
      return call->getCalledFunction() &&
             RuntimeCallees::isRuntimeName(call->getCalledFunction()->getName());
    if (isa<StoreInst>(user))
      return use.getOperandNo() == StoreInst::getPointerOperandIndex();
    return isa<GEPOperator>(user) && isOnlyAccessed(*user);
  });
}

/// A variable that only this module accesses.
bool isOwnVariable(const Value &variable) {
  const auto *global = dyn_cast<GlobalVariable>(&variable);
  return (global ? global->hasLocalLinkage() && global->hasInitializer()
                 : isa<AllocaInst>(variable)) &&
         isOnlyAccessed(variable);
}

bool isCall(const Use &use, const Function &function) {
  const auto *call = dyn_cast<CallBase>(use.getUser());
  return call && call->isCallee(&use) && call->getFunctionType() == function.getFunctionType();
}

/// Of a function's address: whether it is stored for the module's own use.
bool isForModule(const Use &use) {
  const auto *store = dyn_cast<StoreInst>(use.getUser());
  return store && use.getOperandNo() != StoreInst::getPointerOperandIndex() &&
         isOwnVariable(*store->getPointerOperand()->stripInBoundsConstantOffsets());
}

/// The constant with another function's address in it.
Constant *replaceIn(Constant &constant, const Function &function, Constant &twin) {
  if (&constant == &function)
    return &twin;
  if (!isa<ConstantStruct, ConstantArray>(constant))
    return &constant;
  SmallVector<Constant *, 8> elements;
  for (Use &element : constant.operands())
    elements.push_back(replaceIn(*cast<Constant>(element), function, twin));
  if (auto *type = dyn_cast<StructType>(constant.getType()))
    return ConstantStruct::get(type, elements);
  return ConstantArray::get(cast<ArrayType>(constant.getType()), elements);
}

/// The variables in whose initialisers an address is, directly or as a member.
void findVariables(Constant &constant, SmallPtrSetImpl<GlobalVariable *> &variables) {
  for (User *user : constant.users())
    if (auto *variable = dyn_cast<GlobalVariable>(user))
      variables.insert(variable);
    else if (isa<ConstantStruct, ConstantArray>(user))
      findVariables(*cast<Constant>(user), variables);
}

} // namespace

bool redirectToTwins(Module &module) {
  bool changed = false;
  for (StringRef name : RuntimeCallees::functionsWithTwins()) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration())
      continue;
    SmallVector<Use *, 16> uses;
    for (Use &use : function->uses())
      if (isCall(use, *function) || isForModule(use))
        uses.push_back(&use);
    SmallPtrSet<GlobalVariable *, 4> variables;
    findVariables(*function, variables);
    variables.remove_if([](const GlobalVariable *each) { return !isOwnVariable(*each); });
    if (uses.empty() && variables.empty())
      continue;
    // The declaration's attributes (noalias, allocsize, ...) are as true of the twin.
    FunctionCallee twin = module.getOrInsertFunction(
        RuntimeCallees::twinOf(name), function->getFunctionType(), function->getAttributes());
    for (Use *use : uses)
      use->set(twin.getCallee());
    for (GlobalVariable *variable : variables)
      variable->setInitializer(
          replaceIn(*variable->getInitializer(), *function, *cast<Constant>(twin.getCallee())));
    NumRedirected += uses.size();
    changed = true;
  }
  return changed;
}

} // namespace ompdsm
