// CheckBuilder.h: the building blocks of a check: the state of a line, the branch, the slow path.
//
// Used by CheckEmission and LaneChecks only. Everything is put before a given instruction; blocks
// are split at it.
#pragma once
#include "InstrumentationReport.h"
#include "RuntimeCallees.h"
#include "llvm/IR/IRBuilder.h"

namespace ompdsm {

class CheckBuilder {
public:
  /// `moreOptimisation`: this module will be optimised again (it is compiled for link-time
  /// optimisation).
  CheckBuilder(const RuntimeCallees &callees, bool moreOptimisation)
      : callees_(callees), moreOptimisation_(moreOptimisation) {}

  /// The state byte of the line that holds the address (a 64-bit integer). The address must be one
  /// of user space: the state table has no other entries.
  llvm::Value *stateOf(llvm::IRBuilderBase &builder, llvm::Value *address) const;

  /// Branches to a cold block if the states (several joined by or) say that the access would miss.
  /// Returns the end of that block, before which the slow path goes.
  llvm::Instruction *branchIfMiss(llvm::Instruction *before, llvm::Value *states,
                                  bool isWrite) const;

  /// The slow path: asks for `bytes` (1 to 64) at the pointer.
  void callMiss(llvm::Instruction *before, llvm::Value *pointer, llvm::Value *bytes,
                bool isWrite) const;

  /// A whole check of a range of up to one line's size, or the runtime's range function for more.
  void checkFixed(llvm::Instruction *before, llvm::Value *pointer, std::uint64_t bytes,
                  llvm::Align alignment, bool isWrite) const;
  void checkRange(llvm::Instruction *before, llvm::Value *pointer, llvm::Value *length,
                  bool isWrite) const;
  /// Of a range that is written whole, and whose old contents nobody reads any more.
  void checkOverwrite(llvm::Instruction *before, llvm::Value *pointer, llvm::Value *length) const;

private:
  const RuntimeCallees &callees_;
  const bool moreOptimisation_;
};

} // namespace ompdsm
