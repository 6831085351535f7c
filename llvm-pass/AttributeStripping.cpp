// AttributeStripping.cpp: see AttributeStripping.h.
#include "AttributeStripping.h"
#include "Compat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {

namespace {

AttributeMask maskOf(std::initializer_list<Attribute::AttrKind> kinds) {
  AttributeMask mask;
  for (Attribute::AttrKind kind : kinds)
    mask.addAttribute(kind);
  return mask;
}

/// A slow path reads and writes memory of its own and of others, frees buffers, and ends the
/// process when the job fails. It neither throws nor calls back, so nounwind and norecurse stay.
AttributeMask falseBeforeTheEnd() {
  return maskOf(
      {Attribute::Memory, Attribute::NoFree, Attribute::WillReturn, Attribute::Speculatable});
}

/// It also waits for messages.
AttributeMask falseOfFunctions() {
  AttributeMask mask = falseBeforeTheEnd();
  mask.addAttribute(Attribute::NoSync);
  return mask;
}

/// It writes what a pointer that is only read refers to, and shows the address to the runtime. A
/// parameter that is never accessed (readnone) is never checked.
AttributeMask falseOfParameters() {
  return maskOf({Attribute::ReadOnly, Attribute::WriteOnly, kCapturesAttribute, Attribute::NoFree,
                 Attribute::Initializes});
}

void stripCall(CallBase &call) {
  LLVMContext &context = call.getContext();
  AttributeList attributes = call.getAttributes().removeFnAttributes(context, falseOfFunctions());
  for (unsigned i = 0; i < call.arg_size(); ++i)
    attributes = attributes.removeParamAttributes(context, i, falseOfParameters());
  call.setAttributes(attributes);
}

} // namespace

void stripMemoryAttributes(Function &function) {
  function.removeFnAttrs(falseBeforeTheEnd());
  for (Argument &argument : function.args())
    argument.removeAttrs(falseOfParameters());
}

void stripFalseAttributes(Module &module, const SmallPtrSetImpl<Function *> &instrumented) {
  SmallPtrSet<Function *, 16> reached(instrumented.begin(), instrumented.end());
  SmallVector<Function *, 16> work(instrumented.begin(), instrumented.end());
  while (!work.empty()) {
    Function *function = work.pop_back_val();
    function->removeFnAttrs(falseOfFunctions());
    for (Argument &argument : function->args())
      argument.removeAttrs(falseOfParameters());
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == function) {
        stripCall(*call);
        if (reached.insert(call->getFunction()).second)
          work.push_back(call->getFunction());
      }
  }
  if (instrumented.empty())
    return;
  // Any of them may be the callee of an indirect call, whose attributes are the author's.
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && !call->isInlineAsm() && !call->getCalledFunction())
        stripCall(*call);
}

bool stripDeclaredCaptures(Module &module) {
  const AttributeMask captures = maskOf({kCapturesAttribute});
  bool changed = false;
  for (Function &function : module) {
    if (function.isIntrinsic())
      continue;
    for (Argument &argument : function.args())
      if (argument.hasAttribute(kCapturesAttribute)) {
        argument.removeAttrs(captures);
        changed = true;
      }
    for (User *user : function.users())
      if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &function)
        for (unsigned i = 0; i < call->arg_size(); ++i)
          if (call->getAttributes().hasParamAttr(i, kCapturesAttribute)) {
            call->removeParamAttr(i, kCapturesAttribute);
            changed = true;
          }
  }
  return changed;
}

} // namespace ompdsm
