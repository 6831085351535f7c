// CheckHoisting.cpp: see CheckHoisting.h.
#include "CheckHoisting.h"
#include "AccessCollector.h"
#include "AttributeStripping.h"
#include "Compat.h"
#include "CoveredAccesses.h"
#include "ModuleInstrumentation.h"
#include "PassOptions.h"
#include "SectionChecks.h"
#include "SynchronisationPoints.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Loops in which no instruction may synchronise.
QuietLoops findQuietLoops(const LoopInfo &loops, const TargetLibraryInfo &library) {
  QuietLoops quiet;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (none_of(loop->blocks(), [&](const BasicBlock *block) {
          return any_of(*block, [&](const Instruction &instruction) {
            return maySynchronise(instruction, library);
          });
        }))
      quiet.insert(loop);
  return quiet;
}

/// What -Rpass=ompdsm and -Rpass-missed=ompdsm print.
class Remarks {
public:
  explicit Remarks(OptimizationRemarkEmitter &emitter) : emitter_(emitter) {}

  void sayHoisted(const Instruction &access, const Section &section) {
    emitter_.emit([&] {
      OptimizationRemark remark(kPluginName, "CheckHoisted", &access);
      remark << "check moved in front of the loop";
      if (const DebugLoc place = section.loop->getStartLoc())
        remark << " of line " << ore::NV("Line", place.getLine());
      if (section.stoppedBy)
        remark << "; no further: " << section.stoppedBy;
      return remark;
    });
  }
  void sayLeft(const Instruction &access, const char *reason) {
    emitter_.emit([&] {
      return OptimizationRemarkMissed(kPluginName, "CheckInLoop", &access)
             << "check stays in the loop: " << reason;
    });
  }

private:
  OptimizationRemarkEmitter &emitter_;
};

/// Wrong options are reported by the instrumentation.
bool isSwitchedOff(const Module &module) {
  Expected<PassOptions> options = PassOptions::of(module);
  if (options)
    return options->noHoist;
  consumeError(options.takeError());
  return true;
}

} // namespace

PreservedAnalyses CheckHoistingPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty() || !wantsInstrumentation(function))
    return PreservedAnalyses::all();
  const TargetLibraryInfo &library = analyses.getResult<TargetLibraryAnalysis>(function);
  const QuietLoops quiet = findQuietLoops(loops, library);
  if (quiet.empty() || isSwitchedOff(*function.getParent()))
    return PreservedAnalyses::all();
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  const SectionAnalysis sections(evolution, analyses.getResult<DominatorTreeAnalysis>(function),
                                 quiet);
  SCEVExpander expander = makeExpander(evolution, function.getParent()->getDataLayout());

  Remarks remarks(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
  InstrumentationReport unreported(/*detailed=*/false);
  SharedPointerAnalysis shared;
  SmallVector<SectionCheck, 16> checks;
  for (const Access &access : collectAccesses(function, shared, library, unreported)) {
    Instruction &instruction = *access.instruction;
    if (access.shape != Access::Shape::Fixed || !isa<LoadInst, StoreInst>(instruction) ||
        instruction.hasMetadata(LLVMContext::MD_invariant_load) || isCovered(instruction))
      continue;
    const Section section = sections.of(instruction, access.pointer, access.bytes,
                                        loops.getLoopFor(instruction.getParent()));
    if (section.loop && canEmit(section, expander)) {
      checks.push_back({section, access.isWrite, &instruction});
      markCovered(instruction);
      remarks.sayHoisted(instruction, section);
    } else if (section.stoppedBy) {
      remarks.sayLeft(instruction, section.stoppedBy);
    }
  }
  if (checks.empty())
    return PreservedAnalyses::all();
  const RuntimeCallees callees(*function.getParent());
  for (const SectionCheck &check : mergeSections(checks, evolution))
    emitSectionCheck(check, expander, callees);
  stripMemoryAttributes(function);
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

void addCheckHoisting(FunctionPassManager &manager) {
  manager.addPass(LoopSimplifyPass());
  manager.addPass(LCSSAPass());
  manager.addPass(CheckHoistingPass());
}

} // namespace ompdsm
