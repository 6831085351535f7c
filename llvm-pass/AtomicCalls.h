// AtomicCalls.h: emits the runtime's atomic operations for values of any type and size.
//
// Used by AtomicLowering (instructions) and LibatomicCalls (library calls). Orders are values, C11
// memory_order numbers of 32 bits. Everything is put before the given instruction.
#pragma once
#include "RuntimeCallees.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace ompdsm {

class AtomicCalls {
public:
  explicit AtomicCalls(const RuntimeCallees &callees) : callees_(callees) {}

  llvm::Value *load(llvm::Instruction *before, llvm::Value *pointer, llvm::Type *type,
                    llvm::Align alignment, llvm::Value *order) const;
  void store(llvm::Instruction *before, llvm::Value *pointer, llvm::Value *value,
             llvm::Align alignment, llvm::Value *order) const;
  /// Whether `update` can do the operation.
  static bool isKnown(llvm::AtomicRMWInst::BinOp operation);
  /// The instruction's name of an operation of __ompdsm_atomic_rmw on the type, if it has one.
  static std::optional<llvm::AtomicRMWInst::BinOp> instructionOf(unsigned operation,
                                                                 llvm::Type *type);
  /// Read-modify-write; returns the old value. What the runtime cannot do in one call becomes a
  /// loop of compare-exchanges, for which the block of `before` is split.
  llvm::Value *update(llvm::Instruction *before, llvm::AtomicRMWInst::BinOp operation,
                      llvm::Value *pointer, llvm::Value *operand, llvm::Align alignment,
                      llvm::Value *order) const;

  /// The same, relaxed, if nobody wants the old value; false if the runtime cannot do it in one call.
  bool updateOnly(llvm::Instruction *before, llvm::AtomicRMWInst::BinOp operation,
                  llvm::Value *pointer, llvm::Value *operand, llvm::Align alignment) const;

  struct Exchanged {
    llvm::Value *found;     ///< What was there.
    llvm::Value *succeeded; ///< i1
  };
  Exchanged compareExchange(llvm::Instruction *before, llvm::Value *pointer, llvm::Value *expected,
                            llvm::Value *desired, llvm::Align alignment, llvm::Value *success,
                            llvm::Value *failure) const;

private:
  const RuntimeCallees &callees_;
};

} // namespace ompdsm
