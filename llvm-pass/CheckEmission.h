// CheckEmission.h: puts checks before accesses.
#pragma once
#include "AccessCollector.h"
#include "ReadableRuns.h"
#include "RuntimeCallees.h"

namespace ompdsm {

/// Puts a check before each of a function's accesses, which are in the order of their instructions.
/// Static allocas must precede them in the entry block, for blocks are split.
/// `moreOptimisation`: the module will be optimised again (link-time optimisation).
void emitChecks(llvm::ArrayRef<Access> accesses, const RuntimeCallees &callees, ReadableRuns &runs,
                InstrumentationReport &report, bool moreOptimisation);

} // namespace ompdsm
