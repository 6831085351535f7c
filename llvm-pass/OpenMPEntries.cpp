// OpenMPEntries.cpp: the table behind OpenMPEntries.h.
#include "OpenMPEntries.h"
#include "Compat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace ompdsm {

namespace {
enum Traits : unsigned { None = 0, Borrows = 1, Quiet = 2, Meets = 4, Folds = 8 };

unsigned traitsOf(const Function &function) {
  // A function of that name that the module defines is the program's own.
  if (!function.isDeclaration())
    return None;
  return StringSwitch<unsigned>(function.getName())
#define OMPDSM_OPENMP_ENTRY(name, traits) .Case(#name, traits)
#include "OpenMPEntries.def"
#undef OMPDSM_OPENMP_ENTRY
      .Default(None);
}

unsigned traitsOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee ? traitsOf(*callee) : None;
}
} // namespace

bool borrowsPointers(const CallBase &call) { return traitsOf(call) & Borrows; }
bool isQuietOpenMPEntry(const CallBase &call) { return traitsOf(call) & Quiet; }
bool isTeamBarrier(const CallBase &call) { return traitsOf(call) & Meets; }
bool isFoldableOpenMPEntry(const CallBase &call) { return traitsOf(call) & Folds; }

bool declareBorrowers(Module &module) {
  bool changed = false;
  for (Function &function : module) {
    if (!(traitsOf(function) & Borrows))
      continue;
    for (Argument &argument : function.args())
      if (argument.getType()->isPointerTy() && !argument.hasAttribute(kCapturesAttribute)) {
        argument.addAttr(capturesNothing(module.getContext()));
        changed = true;
      }
  }
  return changed;
}

} // namespace ompdsm
