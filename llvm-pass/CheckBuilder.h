// CheckBuilder.h: the building blocks of a check: the state of a line, the branch, the slow path.
//
// Used by CheckEmission, LaneChecks and AtomicInlining only. Everything is put before a given
// instruction; blocks are split at it.
#pragma once
#include "InstrumentationReport.h"
#include "ReadableRuns.h"
#include "RuntimeCallees.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace ompdsm {

class CheckBuilder {
public:
  /// `moreOptimisation`: this module will be optimised again (it is compiled for link-time
  /// optimisation).
  CheckBuilder(const RuntimeCallees &callees, ReadableRuns &runs, bool moreOptimisation)
      : callees_(callees), runs_(runs), moreOptimisation_(moreOptimisation) {}

  /// Before any check: those of these pointers whose address only accesses use, from now on, are
  /// computed anew for each check and its slow path. With another use an address would be computed
  /// into a register in front of the check, and the access, which is in another block then, would
  /// wait for it, where it could have added by itself.
  void keepAddresses(llvm::ArrayRef<llvm::Value *> pointers);

  /// What a check looks at: a group of lines misses if any of them does. Checks look at lines only
  /// where their group misses.
  enum class Unit : bool { Group, Line };

  /// The byte of the unit that holds the address (a 64-bit integer), with its miss bits. The
  /// address must be one of user space: the tables have no other entries.
  llvm::Value *stateOf(llvm::IRBuilderBase &builder, llvm::Value *address, Unit unit) const;
  /// Those of all units that `bytes` (1 to 64) at the address touch, joined.
  llvm::Value *statesOf(llvm::IRBuilderBase &builder, llvm::Value *address, std::uint64_t bytes,
                        Unit unit) const;

  /// Branches to a cold block if the states (several joined by or, or those of two units, one byte
  /// each) say that the access would miss. Returns the end of that block, before which the slow
  /// path goes.
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
  llvm::Value *pointerFor(llvm::Value *pointer, llvm::Instruction *before) const;
  llvm::Value *loadStates(llvm::IRBuilderBase &builder, llvm::Value *address, Unit unit,
                          llvm::Type *type) const;

  const RuntimeCallees &callees_;
  ReadableRuns &runs_;
  llvm::SmallPtrSet<llvm::Value *, 16> keptAddresses_;
  const bool moreOptimisation_;
};

} // namespace ompdsm
