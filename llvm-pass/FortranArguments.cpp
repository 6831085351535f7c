// FortranArguments.cpp: whether an argument is a descriptor, only the runtime can see.
#include "FortranArguments.h"
#include "RuntimeCallees.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace ompdsm {
namespace {

constexpr StringRef kPrefix = "_FortranA";
/// Statements of input and output: the first argument of all but the first call is the runtime's
/// own.
constexpr StringRef kStatement = "io", kBeginning = "ioBegin";

struct Reader {
  StringRef prefix;
  bool exact;
};
constexpr Reader kReaders[] = {
#define OMPDSM_FORTRAN_READS(prefix, exact) {prefix, exact},
#include "FortranRuntime.def"
};

/// As the runtime's __ompdsm_fortran_allocation wants it.
struct Allocator {
  StringRef prefix;
  unsigned how;
};
constexpr Allocator kAllocators[] = {
#define OMPDSM_FORTRAN_ALLOCATES(prefix, fills) {prefix, (fills) ? 2u : 1u},
#include "FortranRuntime.def"
};

bool isTypeName(StringRef text) {
  for (StringRef type : {"Integer", "Unsigned", "Real", "Complex", "Logical", "Character"})
    text.consume_front(type);
  return text.find_first_not_of("0123456789") == StringRef::npos;
}

/// `name` without kPrefix.
bool onlyReads(StringRef name) {
  return any_of(kReaders, [&](const Reader &reader) {
    return name.starts_with(reader.prefix) &&
           (!reader.exact || isTypeName(name.drop_front(reader.prefix.size())));
  });
}

/// 0: it allocates nothing of the program's.
unsigned howItAllocates(StringRef name) {
  const auto *found = find_if(
      kAllocators, [&](const Allocator &allocator) { return name.starts_with(allocator.prefix); });
  return found == std::end(kAllocators) ? 0 : found->how;
}

/// As the runtime's __ompdsm_fortran_argument wants it.
unsigned howItUses(StringRef name) {
  return name.starts_with("PointerDeallocate") ? 2 : onlyReads(name) ? 0 : 1;
}

bool mayBeShared(const Value &argument) {
  if (!argument.getType()->isPointerTy() || isa<ConstantPointerNull>(argument))
    return false;
  const auto *global = dyn_cast<GlobalVariable>(argument.stripPointerCasts());
  return !global || !global->isConstant();
}

} // namespace

bool askForFortranArguments(Function &function, const RuntimeCallees &callees) {
  SmallVector<CallBase *, 16> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const Function *callee = call->getCalledFunction();
          callee && callee->isDeclaration() && callee->getName().starts_with(kPrefix))
        calls.push_back(call);
  bool changed = false;
  for (CallBase *call : calls) {
    const StringRef name = call->getCalledFunction()->getName().drop_front(kPrefix.size());
    const bool inStatement = name.starts_with(kStatement) && !name.starts_with(kBeginning);
    IRBuilder<> builder(call);
    for (unsigned i = inStatement ? 1 : 0; i < call->arg_size(); ++i) {
      Value *argument = call->getArgOperand(i);
      if (!mayBeShared(*argument))
        continue;
      // A text is followed by its length.
      Value *bytes = builder.getInt64(0);
      if (i + 1 < call->arg_size() && call->getArgOperand(i + 1)->getType()->isIntegerTy(64))
        bytes = call->getArgOperand(i + 1);
      callees.call(builder, Callee::__ompdsm_fortran_argument,
                   {argument, bytes, builder.getInt32(howItUses(name))});
      changed = true;
    }
    if (const unsigned how = howItAllocates(name); how && !call->isTerminator()) {
      callees.call(builder, Callee::__ompdsm_fortran_allocation, {builder.getInt32(how)});
      builder.SetInsertPoint(call->getNextNode());
      callees.call(builder, Callee::__ompdsm_fortran_allocation, {builder.getInt32(0)});
      changed = true;
    }
  }
  return changed;
}

} // namespace ompdsm
