// ThreadLocalCaptures.cpp: see ThreadLocalCaptures.h.
#include "ThreadLocalCaptures.h"
#include "RuntimeCallees.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// Of a call whose captures were announced; the pass may see it again.
constexpr const char *kAttribute = "ompdsm-captures";

/// What the function that initialises a C++ variable before each access returns.
const Value *returnOfWrapper(const Value *address) {
  auto *call = dyn_cast<CallBase>(address);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->getName().starts_with("_ZTW"))
    return address;
  for (const BasicBlock &block : *callee)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator()))
      return end->getReturnValue()->stripPointerCasts();
  return address;
}

const GlobalVariable *threadLocalOf(const Value *address) {
  address = returnOfWrapper(address->stripPointerCasts());
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(address);
      intrinsic && intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address)
    address = intrinsic->getArgOperand(0)->stripPointerCasts();
  auto *variable = dyn_cast<GlobalVariable>(address);
  return variable && variable->isThreadLocal() ? variable : nullptr;
}

} // namespace

bool announceThreadLocalCaptures(Module &module) {
  Function *fork = module.getFunction("__kmpc_fork_call");
  if (!fork)
    return false;
  bool changed = false;
  RuntimeCallees callees(module);
  for (User *user : fork->users()) {
    auto *call = dyn_cast<CallBase>(user);
    if (!call || call->getCalledOperand() != fork || call->hasFnAttr(kAttribute))
      continue;
    IRBuilder<> builder(call);
    for (Value *argument : call->args())
      if (const GlobalVariable *variable = threadLocalOf(argument)) {
        const uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable->getValueType());
        callees.call(builder, Callee::__ompdsm_capture_thread_local,
                     {argument, builder.getInt64(bytes)});
        call->addFnAttr(Attribute::get(module.getContext(), kAttribute));
        changed = true;
      }
  }
  return changed;
}

} // namespace ompdsm
