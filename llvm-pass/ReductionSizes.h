// ReductionSizes.h: tells the runtime how large the objects of a reduction are, so that it can send
// them between nodes as bytes.
#pragma once
#include "InstrumentationReport.h"

namespace ompdsm {

/// Replaces calls of __kmpc_reduce and __kmpc_reduce_nowait by __ompdsm_reduce. Runs before the
/// optimiser, while the stores of private copies' addresses into the reduction list are as Clang
/// emitted them. Returns whether the module changed.
bool passReductionSizes(llvm::Module &module, InstrumentationReport &report);

} // namespace ompdsm
