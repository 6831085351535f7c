// FortranOutput.cpp: a statement begins with a call that returns its cookie, which all other calls
// of it get, the one that ends it, too.
#include "FortranOutput.h"
#include "RuntimeCallees.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ompdsm {
namespace {

constexpr StringRef kEnd = "_FortranAioEndIoStatement";
constexpr StringRef kFlush = "_FortranAFlush";

struct Beginning {
  StringRef name;
  unsigned unit; ///< Which argument.
};
constexpr Beginning kBeginnings[] = {{"_FortranAioBeginExternalListOutput", 0},
                                     {"_FortranAioBeginExternalFormattedOutput", 3},
                                     {"_FortranAioBeginUnformattedOutput", 0}};

bool isCallOf(const CallBase &call, StringRef name) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->getName() == name;
}

/// The unit of the statement that a call begins; null if it begins none.
Value *unitOf(const CallBase &call) {
  for (const Beginning &beginning : kBeginnings)
    if (isCallOf(call, beginning.name) && call.arg_size() > beginning.unit &&
        call.getArgOperand(beginning.unit)->getType()->isIntegerTy(32))
      return call.getArgOperand(beginning.unit);
  return nullptr;
}

} // namespace

bool announceFortranOutput(Function &function, const RuntimeCallees &callees) {
  SmallVector<CallBase *, 8> beginnings;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction); call && unitOf(*call))
      beginnings.push_back(call);
  bool changed = false;
  for (CallBase *beginning : beginnings) {
    SmallVector<CallInst *, 2> ends;
    for (User *user : beginning->users())
      if (auto *call = dyn_cast<CallInst>(user); call && isCallOf(*call, kEnd))
        ends.push_back(call);
    // A cookie that other code may have ended: nothing is known of it.
    if (ends.empty())
      continue;
    Value *unit = unitOf(*beginning);
    Module &module = *function.getParent();
    IRBuilder<> builder(beginning);
    callees.call(builder, Callee::__ompdsm_fortran_output_begins, {unit});
    FunctionCallee flush =
        module.getOrInsertFunction(kFlush, builder.getVoidTy(), builder.getInt32Ty());
    for (CallInst *end : ends) {
      builder.SetInsertPoint(end->getNextNode());
      callees.call(builder, Callee::__ompdsm_fortran_output_ends, {unit, flush.getCallee()});
    }
    changed = true;
  }
  return changed;
}

} // namespace ompdsm
