// LibatomicCalls.h: calls of libatomic's functions, which Clang emits for objects of more than 8
// bytes and of unknown alignment, become runtime calls. Programs then need no -latomic.
#pragma once
#include "AtomicCalls.h"
#include "InstrumentationReport.h"
#include "SharedPointerAnalysis.h"

namespace ompdsm {

/// Whether the instruction calls a function of libatomic that accesses memory.
bool isLibatomicCall(const llvm::Instruction &instruction);

/// Replaces the call unless its object is private. A function whose meaning is not known, or one
/// with unexpected types, is a compile-time error. Returns whether anything changed.
bool lowerLibatomicCall(llvm::CallInst &call, const AtomicCalls &calls,
                        SharedPointerAnalysis &shared, InstrumentationReport &report);

} // namespace ompdsm
