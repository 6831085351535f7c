// AtomicLowering.h: atomic operations on memory that may be shared become runtime calls: they are
// performed at the memory's home (ARCHITECTURE, section 4).
//
// Runs before AccessCollector, so that atomics get no inline check.
#pragma once
#include "InstrumentationReport.h"
#include "RuntimeCallees.h"

namespace ompdsm {

/// Replaces atomicrmw, cmpxchg, atomic loads and stores, and calls of libatomic. Fences stay, with
/// a runtime fence behind them. Atomics on memory that is certainly private stay. Returns whether
/// the function changed.
bool lowerAtomics(llvm::Function &function, const RuntimeCallees &callees,
                  InstrumentationReport &report);

} // namespace ompdsm
