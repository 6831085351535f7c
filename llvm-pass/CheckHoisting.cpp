// CheckHoisting.cpp: see CheckHoisting.h.
#include "CheckHoisting.h"
#include "AccessSections.h"
#include "AttributeStripping.h"
#include "CheckedCopies.h"
#include "Compat.h"
#include "CoveredAccesses.h"
#include "FrozenIndices.h"
#include "FrozenQuotients.h"
#include "HoistingRemarks.h"
#include "HullQuestions.h"
#include "LoopCopies.h"
#include "ModuleInstrumentation.h"
#include "NestQuestions.h"
#include "Overwrites.h"
#include "RepeatedQuestions.h"
#include "SectionChecks.h"
#include "SmallCopies.h"
#include "SmallLoops.h"
#include "UncheckedClones.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
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

PreservedAnalyses CheckHoistingPass::run(Function &function, FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  if (loops.empty() || !wantsInstrumentation(function))
    return PreservedAnalyses::all();
  keepAtomicLoopsSmall(loops);
  const TargetLibraryInfo &library = analyses.getResult<TargetLibraryAnalysis>(function);
  const QuietLoops quiet = findQuietLoops(loops, library);
  if (quiet.empty() || isHoistingSwitchedOff(*function.getParent()))
    return PreservedAnalyses::all();
  ScalarEvolution &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  const SectionAnalysis sections(evolution, dominators, quiet);
  SCEVExpander expander = makeExpander(evolution, function.getParent()->getDataLayout());

  const AccessSections known(function, uncoveredAccesses(function, library), analyses, sections,
                             expander);
  auto plans = planNestQuestions(function, analyses, known);

  HoistingRemarks remarks(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function));
  SmallVector<SectionCheck, 16> checks;
  for (const auto &[call, all] : known.calls()) {
    for (const CalleeSection &each : all) {
      remarks.sayHoisted(*call, each.all.section);
      checks.push_back(each.all);
    }
    call->setCalledFunction(uncheckedCloneOf(*call));
  }
  for (const AccessSections::OfAccess &each : known.accesses()) {
    const Access &access = each.access;
    Section section = each.section;
    Instruction &instruction = *access.instruction;
    if (Loop *outermost = known.loopOfCoveringSection(each)) {
      section.loop = outermost;
      section.stoppedBy = nullptr;
      markCovered(instruction);
      remarks.sayHoisted(instruction, section);
    } else if (section.loop) {
      checks.push_back({section, access.isWrite, &instruction});
      markCovered(instruction);
      remarks.sayHoisted(instruction, section);
    } else if (section.stoppedBy) {
      Loop *innermost = loops.getLoopFor(instruction.getParent());
      remarks.sayLeft(instruction, innermost, section.stoppedBy);
      if (isCheckedCopy(*innermost))
        keepSmall(*innermost);
    }
  }
  if (checks.empty())
    return PreservedAnalyses::all();
  const RuntimeCallees runtime(*function.getParent());
  const auto overwrites =
      findOverwrites(checks, evolution, analyses.getResult<AAManager>(function));
  auto merged = mergeSections(checks, evolution);
  erase_if(merged, [&](const SectionCheck &check) {
    return any_of(overwrites, [&](const Overwrite &overwrite) { return isAll(overwrite, check); });
  });
  MapVector<Loop *, unsigned> sectionsOf;
  for (const Overwrite &overwrite : overwrites)
    ++sectionsOf[overwrite.section.loop];
  for (const SectionCheck &check : merged)
    ++sectionsOf[check.section.loop];
  const auto askingFor = [&](const Section &section) {
    return sectionsOf.lookup(section.loop) > 1 ? Asking::Together : Asking::AtOnce;
  };
  MapVector<Loop *, LoopAsking> askings;
  for (const SectionCheck &check : checks) {
    LoopAsking &asking = askings[check.section.loop];
    asking.loop = check.section.loop;
    asking.accesses.push_back(check.access);
  }
  const auto note = [&](const Section &section, bool isWrite, CallInst *call) {
    LoopAsking &asking = askings[section.loop];
    asking.sections.push_back({section, isWrite});
    asking.calls.push_back(call);
  };
  for (const Overwrite &overwrite : overwrites)
    note(overwrite.section, /*isWrite=*/true,
         emitOverwrite(overwrite, askingFor(overwrite.section), expander, runtime));
  for (const SectionCheck &check : merged)
    note(check.section, check.isWrite,
         emitSectionCheck(check, askingFor(check.section), expander, runtime));
  for (const auto &[loop, sections] : sectionsOf)
    if (sections > 1)
      askings[loop].calls.push_back(emitAsking(*loop, runtime));
  SmallVector<LoopAsking, 8> all;
  for (auto &[loop, asking] : askings)
    all.push_back(std::move(asking));
  bool changed =
      askOnlyIfNeeded(plans, all, expander, evolution, runtime, remarks, dominators, loops);
  for (const LoopAsking &asking : all)
    changed |= askOnlyOutsideHulls(asking, expander, evolution, runtime, dominators, loops);
  stripMemoryAttributes(function);
  PreservedAnalyses preserved;
  if (!changed)
    preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

void addCheckHoisting(FunctionPassManager &manager) {
  manager.addPass(SmallCopiesPass());
  manager.addPass(FrozenQuotientsPass());
  manager.addPass(LoopSimplifyPass());
  manager.addPass(LCSSAPass());
  manager.addPass(LoopCopiesPass());
  manager.addPass(LoopSimplifyPass());
  manager.addPass(LCSSAPass());
  manager.addPass(CheckHoistingPass());
  manager.addPass(RepeatedQuestionsPass());
  manager.addPass(FrozenIndicesPass());
}

} // namespace ompdsm
