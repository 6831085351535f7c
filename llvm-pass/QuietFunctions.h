// QuietFunctions.h: functions whose calls permissions outlast.
//
// LLVM infers nosync of no function that allocates, or ends the program after a message, nor of its
// callers. But what synchronises on the way to exit() does not matter to a caller that is never
// returned to: a function is quiet here if nothing synchronises between its call and its return.
// Where it does not return, but the caller goes on nevertheless, something else has synchronised:
// an exception leaves the function, which counts as returning; and a call of setjmp is itself a
// synchronisation point, to which longjmp returns.
#pragma once
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/PassManager.h"
namespace llvm {
class BasicBlock;
} // namespace llvm
namespace ompdsm {

/// Of the module's functions whose definition is the one that will run. Recursive ones are quiet
/// unless something in them is not (the greatest solution). What was marked before and is quiet no
/// longer is not marked any more. True if a mark was added or removed.
bool markQuietFunctions(
    llvm::Module &module,
    llvm::function_ref<const llvm::TargetLibraryInfo &(llvm::Function &)> libraryOf);
/// The marks mean something only until functions are changed by others: by the linker, say.
bool unmarkQuietFunctions(llvm::Module &module);

/// Whether it is marked.
bool isQuietFunction(const llvm::Function &function);

/// Whether it is so of all instructions behind which a way leads back to the function's caller.
bool allOnWayBack(const llvm::Function &function,
                  llvm::function_ref<bool(const llvm::Instruction &)> isSo);

/// The blocks from which a way leads back to the function's caller.
llvm::SmallPtrSet<const llvm::BasicBlock *, 16> blocksThatReturn(const llvm::Function &function);

/// For the passes over loops. Wanted: all inlining done, so that few calls are left.
class QuietFunctionsPass : public llvm::PassInfoMixin<QuietFunctionsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

} // namespace ompdsm
