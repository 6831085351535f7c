// ReadableRuns.h: checks for reading without a look at the state table, in loops that access one
// object at addresses that nobody knows before.
//
// Such a loop has a copy without checks for the case that the object is readable as a whole
// (LoopCopies). In front of the other one the runtime is asked for the longest part of the object
// that is; an address in there needs no other check: an addition and a comparison in registers.
// Typical are elements of a vector that a row of a sparse matrix names: those of the node's own
// rows and of its neighbours are there, and others are not. In front of a nest whose inner loops
// ask for sections that cannot be computed further out (NestQuestions) it is asked, too, and a
// section in there needs no call.
#pragma once
#include "RuntimeCallees.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"

namespace ompdsm {

/// Objects of one loop for which it is worth to ask, as each takes registers.
inline constexpr unsigned kMostRuns = 4;

/// In front of a loop: asks for the object's run. `loads`: load the same pointer in the loop.
void askForRun(llvm::IRBuilderBase &builder, llvm::Value *object,
               llvm::ArrayRef<llvm::LoadInst *> loads, const RuntimeCallees &callees);

/// The runs of one function, from before its first check to behind its last one.
class ReadableRuns {
public:
  /// Nothing else of the function is changed until finish(). `useless`: forgets the questions.
  ReadableRuns(llvm::Function &function, const RuntimeCallees &callees,
               const llvm::TargetLibraryInfo &library, bool useless);
  /// Whether `bytes` at the pointer are known to be readable; null if nobody has asked for a run of
  /// its object.
  llvm::Value *test(llvm::IRBuilderBase &builder, llvm::Value *pointer, std::uint64_t bytes);
  /// Gives the tests what they need.
  void finish();

private:
  /// What holds now of the object that a pointer comes from. Variables until finish().
  struct Run {
    llvm::SmallVector<llvm::CallInst *, 2> questions;
    llvm::AllocaInst *origin = nullptr; ///< The pointer, counted from the run's first byte.
    llvm::AllocaInst *begin = nullptr;  ///< The run's first byte; for pointers that the loop loads.
    /// By the size of an access: below which offset one lies in the run. 0 where there is none.
    llvm::SmallMapVector<std::uint64_t, llvm::AllocaInst *, 2> limits;
  };
  llvm::AllocaInst *newVariable(const char *name);
  llvm::AllocaInst *variable(llvm::AllocaInst *&variable, const char *name);
  Run *runOf(llvm::Value *pointer);
  llvm::AllocaInst *limitOf(Run &run, std::uint64_t bytes);
  /// Of the pointer from the begin of its object's run.
  llvm::Value *offsetIn(Run &run, llvm::IRBuilderBase &builder, llvm::Value *pointer);
  /// Calls that ask together, the last one for what the others have noted; or a call alone.
  void noteQuestion(llvm::CallInst &call);
  using Asking = llvm::SmallVector<llvm::CallInst *, 4>;
  void noteAsking(llvm::CallInst &call);
  /// Null if no run is known of its object.
  llvm::Value *isOutside(llvm::CallInst &section);
  void askOnlyOutside(const Asking &asking);
  void answer(llvm::CallInst &question, llvm::Value *object, const Run &run);

  llvm::Function &function_;
  const RuntimeCallees &callees_;
  llvm::MapVector<llvm::Value *, Run> runs_;
  /// By the mark of loads in the loop, the pointer in front of it.
  llvm::SmallDenseMap<const llvm::MDNode *, llvm::Value *> loaded_;
  llvm::SmallVector<llvm::Instruction *, 8> synchronisations_;
  llvm::SmallVector<Asking, 8> askings_;
};

} // namespace ompdsm
