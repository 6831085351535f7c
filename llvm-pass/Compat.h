// Compat.h: what differs between the versions of LLVM that the plugin is built for, in one place,
// and what both entries of the plugin need.
//
// Each half gives the same names the same meaning. Where 19 knows less than 22, its half is the
// more cautious one: more counts as shared or as a synchronisation point, never less.
#pragma once
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <dlfcn.h>
#if LLVM_VERSION_MAJOR == 22
#include "llvm/Plugins/PassPlugin.h"
#elif LLVM_VERSION_MAJOR == 19
#include "llvm/Passes/PassPlugin.h"
#else
#error "the plugin is written for LLVM 22 and 19"
#endif

namespace ompdsm {

/// As in -fplugin-arg-ompdsm-<option>.
inline constexpr const char *kPluginName = "ompdsm";

/// Of a masked load, store, gather or scatter, or of their compressed forms.
struct MaskOperands {
  llvm::Value *mask;
  llvm::MaybeAlign alignment; ///< Of the pointer, or of each pointer.
};

#if LLVM_VERSION_MAJOR == 22

inline constexpr llvm::Attribute::AttrKind kCapturesAttribute = llvm::Attribute::Captures;

inline llvm::Attribute capturesNothing(llvm::LLVMContext &context) {
  return llvm::Attribute::getWithCaptureInfo(context, llvm::CaptureInfo::none());
}

/// A CaptureTracker that is asked about each use that lets out an address through which the object
/// can be accessed.
class AccessCaptureTracker : public llvm::CaptureTracker {
  virtual bool isCapturedBy(const llvm::Use *use) = 0;

  Action captured(const llvm::Use *use, llvm::UseCaptureInfo info) final {
    if (!capturesAnyProvenance(info.UseCC))
      return Continue; // At most the address as a number, which grants no access.
    return isCapturedBy(use) ? Stop : Continue;
  }
};

inline llvm::MemoryEffects withoutErrno(llvm::MemoryEffects effects) {
  return effects.getWithoutLoc(llvm::IRMemLocation::ErrnoMem);
}

/// Indices of an address, each with the bytes that one step of it means.
using IndexScales = llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4>;

/// Fills memory with copies of a value; no intrinsic if the version has none.
inline constexpr llvm::Intrinsic::ID kMemsetPattern = llvm::Intrinsic::experimental_memset_pattern;

inline MaskOperands maskOperandsOf(const llvm::IntrinsicInst &intrinsic, unsigned pointerArgument) {
  return {intrinsic.getArgOperand(pointerArgument + 1), intrinsic.getParamAlign(pointerArgument)};
}

/// Operations of atomicrmw that came after LLVM 19: apply(LLVM's name, the runtime's name).
#define OMPDSM_LATER_ATOMIC_UPDATES(apply) apply(USubCond, USUB_COND) apply(USubSat, USUB_SAT)
/// The last one that the plugin knows.
inline constexpr llvm::AtomicRMWInst::BinOp kLastAtomicUpdate = llvm::AtomicRMWInst::USubSat;

/// A message without a place in the source.
using PlainDiagnostic = llvm::DiagnosticInfoGeneric;

/// The body's end and the counter of a loop from 0 to `count` before the instruction.
inline auto insertLoop(llvm::Value *count, llvm::Instruction *before) {
  return llvm::SplitBlockAndInsertSimpleForLoop(count, before->getIterator());
}

inline llvm::SCEVExpander makeExpander(llvm::ScalarEvolution &evolution, const llvm::DataLayout &) {
  return llvm::SCEVExpander(evolution, "ompdsm");
}

/// Callbacks are (manager, level, phase of link-time optimisation).
template <class Callback>
void registerEarlySimplification(llvm::PassBuilder &builder, Callback callback) {
  builder.registerPipelineEarlySimplificationEPCallback(callback);
}
template <class Callback>
void registerOptimizerEarly(llvm::PassBuilder &builder, Callback callback) {
  builder.registerOptimizerEarlyEPCallback(callback);
}
template <class Callback>
void registerOptimizerLast(llvm::PassBuilder &builder, Callback callback) {
  builder.registerOptimizerLastEPCallback(callback);
}
/// Whether an optimiser will run in the linker, as far as the callbacks are not told.
inline bool isForLinkTimeOptimisation(const llvm::Module &) { return false; }

/// Whether Clang loads the plugin with -fpass-plugin= too, and so registers its passes itself.
template <class CompilerInstance> bool isPassPlugin(const CompilerInstance &compiler) {
  return llvm::any_of(compiler.getPassPlugins(),
                      [](const auto &plugin) { return plugin->getPluginName() == kPluginName; });
}

#else // 19

inline constexpr llvm::Attribute::AttrKind kCapturesAttribute = llvm::Attribute::NoCapture;

inline llvm::Attribute capturesNothing(llvm::LLVMContext &context) {
  return llvm::Attribute::get(context, llvm::Attribute::NoCapture);
}

class AccessCaptureTracker : public llvm::CaptureTracker {
  virtual bool isCapturedBy(const llvm::Use *use) = 0;

  bool captured(const llvm::Use *use) final { return isCapturedBy(use); }
};

/// errno is part of the other memory, so what may set it stays a synchronisation point.
inline llvm::MemoryEffects withoutErrno(llvm::MemoryEffects effects) { return effects; }

using IndexScales = llvm::MapVector<llvm::Value *, llvm::APInt>;

inline constexpr llvm::Intrinsic::ID kMemsetPattern = llvm::Intrinsic::not_intrinsic;

/// All but the compressed forms have the alignment as an argument of its own, behind the pointer; 0
/// stands for the element's usual one, which is not relied on.
inline MaskOperands maskOperandsOf(const llvm::IntrinsicInst &intrinsic, unsigned pointerArgument) {
  const unsigned next = pointerArgument + 1;
  if (auto *alignment = llvm::dyn_cast<llvm::ConstantInt>(intrinsic.getArgOperand(next)))
    return {intrinsic.getArgOperand(next + 1), alignment->getMaybeAlignValue()};
  return {intrinsic.getArgOperand(next), intrinsic.getParamAlign(pointerArgument)};
}

#define OMPDSM_LATER_ATOMIC_UPDATES(apply)
inline constexpr llvm::AtomicRMWInst::BinOp kLastAtomicUpdate = llvm::AtomicRMWInst::LAST_BINOP;

/// What LLVMContext::emitError makes: the only kind of 19 that needs no function.
using PlainDiagnostic = llvm::DiagnosticInfoInlineAsm;

inline auto insertLoop(llvm::Value *count, llvm::Instruction *before) {
  return llvm::SplitBlockAndInsertSimpleForLoop(count, before);
}

inline llvm::SCEVExpander makeExpander(llvm::ScalarEvolution &evolution,
                                       const llvm::DataLayout &layout) {
  return llvm::SCEVExpander(evolution, layout, "ompdsm");
}

/// 19 does not tell the phase.
template <class Callback>
void registerEarlySimplification(llvm::PassBuilder &builder, Callback callback) {
  builder.registerPipelineEarlySimplificationEPCallback(
      [callback](llvm::ModulePassManager &manager, llvm::OptimizationLevel level) {
        callback(manager, level, llvm::ThinOrFullLTOPhase::None);
      });
}
template <class Callback>
void registerOptimizerEarly(llvm::PassBuilder &builder, Callback callback) {
  builder.registerOptimizerEarlyEPCallback(
      [callback](llvm::ModulePassManager &manager, llvm::OptimizationLevel level) {
        callback(manager, level, llvm::ThinOrFullLTOPhase::None);
      });
}
template <class Callback>
void registerOptimizerLast(llvm::PassBuilder &builder, Callback callback) {
  builder.registerOptimizerLastEPCallback(
      [callback](llvm::ModulePassManager &manager, llvm::OptimizationLevel level) {
        callback(manager, level, llvm::ThinOrFullLTOPhase::None);
      });
}
/// Clang sets the flag, to 0 or 1, in all modules that it compiles for link-time optimisation,
/// before the passes run. In the linker it is still there; the checks are then the dearer ones.
inline bool isForLinkTimeOptimisation(const llvm::Module &module) {
  return module.getModuleFlag("EnableSplitLTOUnit") != nullptr;
}

/// 19 loads the plugin later and knows but its path.
template <class CompilerInstance> bool isPassPlugin(const CompilerInstance &compiler) {
  Dl_info self;
  return dladdr(&kPluginName, &self) &&
         llvm::any_of(compiler.getCodeGenOpts().PassPlugins, [&](const std::string &path) {
           return llvm::sys::fs::equivalent(path, self.dli_fname);
         });
}

#endif

} // namespace ompdsm
