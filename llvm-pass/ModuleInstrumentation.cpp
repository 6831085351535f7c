// ModuleInstrumentation.cpp: the order of instrumentation, and who is instrumented.
#include "ModuleInstrumentation.h"
#include "AccessCollector.h"
#include "AtomicAssembly.h"
#include "AtomicInlining.h"
#include "AtomicLowering.h"
#include "AttentionPolls.h"
#include "AttributeStripping.h"
#include "ByValueParameters.h"
#include "CheckElimination.h"
#include "CheckEmission.h"
#include "CheckWidening.h"
#include "CodeMarks.h"
#include "Compat.h"
#include "ConditionalReads.h"
#include "CpuFeatures.h"
#include "ExtractedValues.h"
#include "FoldableRegions.h"
#include "ForeignCallees.h"
#include "FortranArguments.h"
#include "FortranOutput.h"
#include "OpenMPEntries.h"
#include "PassOptions.h"
#include "QuietFunctions.h"
#include "ReadOnlyCaptures.h"
#include "ReductionSizes.h"
#include "RepeatedBarriers.h"
#include "SharedGlobals.h"
#include "ThreadLocalCaptures.h"
#include "ThreadPrivateObjects.h"
#include "TwinRedirect.h"
#include "UncheckedClones.h"
#include "VolatileAccesses.h"
#include "WaitedSingles.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// Of a module in which something was instrumented, and of each function that was. The function's
/// attribute decides: link-time optimisation merges modules with and without instrumentation.
constexpr const char *kModuleFlag = "ompdsm.instrumented";
constexpr const char *kFunctionAttribute = "ompdsm-instrumented";

/// The dynamic linker calls these before the runtime has mapped the state table.
SmallPtrSet<const Function *, 4> ifuncResolvers(const Module &module) {
  SmallPtrSet<const Function *, 4> resolvers;
  for (const GlobalIFunc &ifunc : module.ifuncs())
    resolvers.insert(ifunc.getResolverFunction());
  return resolvers;
}

/// Blocks will be split, and behind a split of the entry block an alloca would be a dynamic one.
void gatherStaticAllocas(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  auto begin = entry.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &instruction : make_early_inc_range(make_range(begin, entry.end())))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction); alloca && alloca->isStaticAlloca())
      alloca->moveBefore(entry, entry.getFirstInsertionPt());
}

/// `p[n * sizeof(T)]` with n below zero is p and a wrapped unsigned number, which programs use
/// though C does not allow it, and clang says that the sum does not wrap. Nothing follows from that
/// where an address is only accessed; but a check computes with it, and what is known of a sum
/// above 2^64 - n would make the state byte's address another one.
void forgetUnsignedSums(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
      address->setNoWrapFlags(address->getNoWrapFlags().withoutNoUnsignedWrap());
}

/// These map memory of their own where the runtime has its tables, or allocate instead of it.
void refuseSanitizers(Module &module) {
  static constexpr std::pair<Attribute::AttrKind, const char *> kSanitizers[] = {
      {Attribute::SanitizeAddress, "address"},
      {Attribute::SanitizeHWAddress, "hwaddress"},
      {Attribute::SanitizeThread, "thread"},
      {Attribute::SanitizeMemory, "memory"}};
  for (const auto &[attribute, name] : kSanitizers)
    if (any_of(module, [kind = attribute](const Function &function) {
          return function.hasFnAttribute(kind);
        }))
      module.getContext().emitError(Twine("ompdsm does not go together with -fsanitize=") + name +
                                    ": look for such mistakes in a build without the plugin");
}

/// False, with a message to the user, if the options are wrong.
bool readOptions(Module &module, PassOptions &options) {
  Expected<PassOptions> read = PassOptions::of(module);
  if (!read) {
    module.getContext().emitError(toString(read.takeError()));
    return false;
  }
  options = std::move(*read);
  return true;
}

} // namespace

bool wantsInstrumentation(const Function &function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(Attribute::Naked) && // Has no frame for a call.
         !function.hasFnAttribute(kFunctionAttribute) &&
         !RuntimeCallees::isRuntimeName(function.getName());
}

void markInstrumented(Function &function) { function.addFnAttr(kFunctionAttribute); }

PreservedAnalyses PreparePass::run(Module &module, ModuleAnalysisManager &) {
  refuseSanitizers(module);
  InstrumentationReport report(/*detailed=*/false);
  bool changed = orderVolatileAccesses(module);
  changed |= translateAtomicAssembly(module);
  changed |= markWaitedSingles(module);
  changed |= eraseRepeatedBarriers(module);
  changed |= passReductionSizes(module, report);
  changed |= stripDeclaredCaptures(module);
  changed |= declareBorrowers(module);
  changed |= askForExtractedValues(module);
  changed |= announceThreadLocalCaptures(module);
  changed |= initialiseCpuFeatures(module);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses CapturesPass::run(Module &module, ModuleAnalysisManager &) {
  return passReadOnlyCapturesByValue(module) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses InstrumentPass::run(Module &module, ModuleAnalysisManager &analyses) {
  PassOptions options;
  if (!readOptions(module, options))
    return PreservedAnalyses::all();
  InstrumentationReport report(options.report.has_value());
  // Of code that entered the pipeline late (bitcode that was compiled without the plugin).
  bool changed = passReductionSizes(module, report);
  changed |= announceThreadLocalCaptures(module);
  changed |= unmarkClones(module);
  SmallVector<Function *, 16> functions;
  const SmallPtrSet<const Function *, 4> resolvers = ifuncResolvers(module);
  for (Function &function : module) {
    function.removeFnAttr(PassOptions::attribute);
    if (wantsInstrumentation(function) && !resolvers.contains(&function))
      functions.push_back(&function);
  }
  RuntimeCallees callees(module);
  const bool moreOptimisation = moreOptimisation_ || isForLinkTimeOptimisation(module);
  // Atomics first, in all functions: nosync has to be right when CheckElimination reads it.
  SmallPtrSet<Function *, 16> altered;
  for (Function *function : functions) {
    bool asks = copySharedParameters(*function);
    gatherStaticAllocas(*function);
    forgetUnsignedSums(*function);
    asks |= lowerAtomics(*function, callees, report);
    asks |= askForFortranArguments(*function, callees);
    asks |= announceFortranOutput(*function, callees);
    if (asks)
      altered.insert(function);
  }
  stripFalseAttributes(module, altered);
  altered.clear();
  auto &functionAnalyses =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  const auto libraryOf = [&](Function &function) -> const TargetLibraryInfo & {
    return functionAnalyses.getResult<TargetLibraryAnalysis>(function);
  };
  // Again, and before the first check: slow paths are no quiet functions.
  changed |= markQuietFunctions(module, libraryOf);
  const auto foldable = foldableRegions(module, libraryOf);
  const ThreadPrivateObjects threadPrivate(functions);
  for (Function *function : functions) {
    const TargetLibraryInfo &library = libraryOf(*function);
    SmallVector<Instruction *, 8> polls;
    if (!options.noPolls)
      polls = placesOfPolls(*function, functionAnalyses);
    SharedPointerAnalysis shared(&threadPrivate);
    SmallVector<Access, 32> accesses = collectAccesses(*function, shared, library, report);
    if (!options.noEliminate) {
      widenChecks(*function, accesses, library);
      widenChecksForReading(*function, accesses, library);
      eliminateChecks(*function, accesses, library, report);
    }
    ReadableRuns runs(*function, callees, library,
                      /*useless=*/options.noRuns || moreOptimisation);
    emitChecks(accesses, callees, runs, report, moreOptimisation);
    runs.finish();
    inlineAtomics(*function, CheckBuilder(callees, runs, moreOptimisation));
    emitPolls(polls, callees, report);
    if (!accesses.empty() || !polls.empty())
      altered.insert(function);
    markInstrumented(*function);
  }
  stripFalseAttributes(module, altered);
  changed |= redirectToTwins(module);
  changed |= placeSharedGlobals(module, moreOptimisation);
  changed |= markCode(functions, foldable);
  changed |= listForeignCallees(module, functions, moreOptimisation, libraryOf);
  changed |= unmarkQuietFunctions(module);
  changed |= !functions.empty();
  if (!module.getModuleFlag(kModuleFlag)) {
    module.addModuleFlag(Module::Max, kModuleFlag, 1);
    changed = true;
  }
  if (options.report && !functions.empty())
    report.print(*options.report, module.getName());
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace ompdsm
