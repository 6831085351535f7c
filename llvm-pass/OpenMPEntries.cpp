// OpenMPEntries.cpp: the table behind OpenMPEntries.h.
#include "OpenMPEntries.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace ompdsm {

namespace {
enum Traits : unsigned { None = 0, Borrows = 1, Quiet = 2 };

unsigned traitsOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  // A function of that name that the module defines is the program's own.
  if (!callee || !callee->isDeclaration())
    return None;
  return StringSwitch<unsigned>(callee->getName())
#define OMPDSM_OPENMP_ENTRY(name, traits) .Case(#name, traits)
#include "OpenMPEntries.def"
#undef OMPDSM_OPENMP_ENTRY
      .Default(None);
}
} // namespace

bool borrowsPointers(const CallBase &call) { return traitsOf(call) & Borrows; }
bool isQuietOpenMPEntry(const CallBase &call) { return traitsOf(call) & Quiet; }

} // namespace ompdsm
