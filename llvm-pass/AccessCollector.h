// AccessCollector.h: all accesses of a function that may touch shared memory.
//
// Runs after AtomicLowering: atomic instructions that are left are private ones.
#pragma once
#include "InstrumentationReport.h"
#include "SharedPointerAnalysis.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"

namespace ompdsm {

/// What one check has to ask for. An instruction may have several (memcpy reads and writes).
struct Access {
  enum class Shape {
    Fixed,      ///< `bytes` bytes at `pointer`.
    Range,      ///< `length` bytes at `pointer`.
    MaskedRun,  ///< Active lanes of a vector of `lanes` elements of `bytes` at `pointer`.
    Compressed, ///< As many elements of `bytes` as `mask` has active lanes, adjacent at `pointer`.
    Scattered,  ///< `bytes` at each active lane of the vector of pointers `pointer`.
  };
  Shape shape = Shape::Fixed;
  llvm::Instruction *instruction = nullptr; ///< The check goes before it.
  llvm::Value *pointer = nullptr;
  std::uint64_t bytes = 0;
  llvm::Align alignment{1}; ///< Of `pointer`; of each pointer of a Scattered access.
  llvm::Value *length = nullptr;
  llvm::Value *mask = nullptr;
  unsigned lanes = 0;
  bool isWrite = false;
  bool isOverwrite =
      false; ///< A Range that is written whole; what is read of it is asked for before.
};

/// Accesses in the order of the function's instructions. What cannot be instrumented is a
/// compile-time error, what may be harmless (inline assembly) a warning: nothing is left out
/// silently.
llvm::SmallVector<Access, 32> collectAccesses(llvm::Function &function,
                                              SharedPointerAnalysis &shared,
                                              const llvm::TargetLibraryInfo &library,
                                              InstrumentationReport &report);

} // namespace ompdsm
