// Pipeline.cpp: the extension points, in the order in which they run.
#include "Pipeline.h"
#include "CheckHoisting.h"
#include "Compat.h"
#include "FieldCopies.h"
#include "LargeLocals.h"
#include "ModuleInstrumentation.h"
#include "QuietFunctions.h"
#include "UncheckedClones.h"
#include "WideIndices.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;

namespace ompdsm {

namespace {

void addHoistingTo(FunctionPassManager &manager, OptimizationLevel level) {
  if (level != OptimizationLevel::O0)
    addCheckHoisting(manager);
}

/// For opt -passes=.
bool parseModulePass(StringRef name, ModulePassManager &manager,
                     ArrayRef<PassBuilder::PipelineElement>) {
  if (name == "ompdsm-prepare")
    manager.addPass(PreparePass());
  else if (name == "ompdsm" || name == "ompdsm-prelink")
    manager.addPass(InstrumentPass(/*moreOptimisation=*/name == "ompdsm-prelink"));
  else
    return false;
  return true;
}

} // namespace

void registerPasses(PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](ModulePassManager &manager, OptimizationLevel level) {
    manager.addPass(PreparePass());
    if (level == OptimizationLevel::O0)
      manager.addPass(LargeLocalsPass());
  });
  // Stack objects are promoted by then, and nothing is inlined yet.
  registerEarlySimplification(
      builder, [](ModulePassManager &manager, OptimizationLevel level, ThinOrFullLTOPhase) {
        if (level == OptimizationLevel::O0)
          return;
        manager.addPass(LargeLocalsPass());
        manager.addPass(CapturesPass());
        FunctionPassManager functions;
        functions.addPass(FieldCopiesPass());
        functions.addPass(WideIndicesPass());
        manager.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
      });
  // What functions access has been inferred by then, and there is no check yet.
  registerOptimizerEarly(
      builder, [](ModulePassManager &manager, OptimizationLevel level, ThinOrFullLTOPhase) {
        if (level == OptimizationLevel::O0)
          return;
        manager.addPass(QuietFunctionsPass());
        manager.addPass(UncheckedClonesPass());
      });
  // The vectorisers do not run when a module is compiled for ThinLTO.
  registerOptimizerEarly(
      builder, [](ModulePassManager &manager, OptimizationLevel level, ThinOrFullLTOPhase phase) {
        if (phase != ThinOrFullLTOPhase::ThinLTOPreLink)
          return;
        FunctionPassManager functions;
        addHoistingTo(functions, level);
        manager.addPass(createModuleToFunctionPassAdaptor(std::move(functions)));
      });
  builder.registerVectorizerStartEPCallback(addHoistingTo);
  registerOptimizerLast(
      builder, [](ModulePassManager &manager, OptimizationLevel level, ThinOrFullLTOPhase phase) {
        // Clones that no loop calls, and functions that only clones call by now: what the lists
        // name has to be there in the end.
        if (level != OptimizationLevel::O0)
          manager.addPass(GlobalDCEPass());
        manager.addPass(InstrumentPass(/*moreOptimisation=*/
                                       phase == ThinOrFullLTOPhase::ThinLTOPreLink ||
                                       phase == ThinOrFullLTOPhase::FullLTOPreLink));
      });
  // In the linker, for modules that were compiled without the plugin.
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [](ModulePassManager &manager, OptimizationLevel) {
        manager.addPass(InstrumentPass(/*moreOptimisation=*/false));
      });
  builder.registerPipelineParsingCallback(parseModulePass);
}

} // namespace ompdsm
