// AccessSections.cpp: see AccessSections.h.
#include "AccessSections.h"
#include "UncheckedClones.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace ompdsm {

AccessSections::AccessSections(Function &function, ArrayRef<Access> accesses,
                               FunctionAnalysisManager &analyses, const SectionAnalysis &sections,
                               SCEVExpander &expander)
    : covering_(sections, analyses.getResult<ScalarEvolutionAnalysis>(function),
                analyses.getResult<LoopAnalysis>(function)) {
  const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  CalleeSections callees(analyses, analyses.getResult<ScalarEvolutionAnalysis>(function));
  for (BasicBlock &block : function)
    if (Loop *innermost = loops.getLoopFor(&block))
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallBase>(&instruction))
          if (auto all = widenedSections(*call, *innermost, callees, sections, expander)) {
            for (const CalleeSection &each : *all)
              covering_.add(each.one, *each.all.section.loop);
            calls_.insert({call, std::move(*all)});
          }
  for (const Access &access : accesses) {
    Instruction &instruction = *access.instruction;
    Section section = sections.of(instruction, access.pointer, access.bytes,
                                  loops.getLoopFor(instruction.getParent()));
    if (section.loop && !canEmit(section, expander))
      section.loop = nullptr;
    if (section.loop)
      covering_.add({sections.ofOne(*access.pointer, access.bytes), access.isWrite, &instruction},
                    *section.loop);
    accesses_.push_back({access, std::move(section)});
  }
}

Loop *AccessSections::loopOfCoveringSection(const OfAccess &known) const {
  if (!known.section.stoppedBy)
    return nullptr;
  Loop *own = known.section.loop, *around = covering_.outermostAround(known.access);
  return around && around != own && (!own || around->contains(own)) ? around : nullptr;
}

} // namespace ompdsm
