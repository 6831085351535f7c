// AtomicLoops.h: atomic updates of which the front end makes a loop.
//
// `#pragma omp atomic` with anything but a few operations on one type (a float to which a double is
// added, a product, a quotient, a shift) is a load and a loop: compute the new value, compare and
// exchange, again if another thread was faster. Where the memory is at home elsewhere, that is two
// messages and their answers at least, and nodes that update the same number make each other start
// anew. What the loop computes becomes a function of the old value and of one other value, and the
// loop a call of the runtime, which sends both to the home (__ompdsm_atomic_apply): one message,
// whose answer nobody waits for unless the old value is wanted.
#pragma once
#include "InstrumentationReport.h"
#include "RuntimeCallees.h"
#include "SharedPointerAnalysis.h"
namespace llvm {
class Function;
} // namespace llvm
namespace ompdsm {

/// Replaces the relaxed ones of a function, on 1, 2, 4 or 8 bytes. Returns whether there were any.
bool replaceAtomicLoops(llvm::Function &function, const RuntimeCallees &callees,
                        SharedPointerAnalysis &shared, InstrumentationReport &report);

} // namespace ompdsm
