// SharedPointerAnalysis.cpp: underlying objects and escape of stack objects.
#include "SharedPointerAnalysis.h"
#include "Compat.h"
#include "OpenMPEntries.h"
#include "ThreadPrivateObjects.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// Uses of one stack object that are followed before it counts as escaped.
constexpr unsigned kMaxStackUses = 10000;

/// X86 address spaces of the segment registers (GS, FS, SS).
constexpr unsigned kFirstSegment = 256, kLastSegment = 258;

/// Finds whether another thread may get an address that it can access the object through.
class EscapeTracker : public AccessCaptureTracker {
public:
  bool escaped() const { return escaped_; }
  void tooManyUses() override { escaped_ = true; }

  bool shouldExplore(const Use *use) override {
    // A function that hands its arguments to another one in other threads (__kmpc_fork_call) may
    // carry attributes that were inferred for the calling thread alone.
    if (auto *call = dyn_cast<CallBase>(use->getUser()))
      if (const Function *callee = call->getCalledFunction();
          callee && callee->hasMetadata(LLVMContext::MD_callback))
        escaped_ = true;
    return !escaped_;
  }

private:
  bool isCapturedBy(const Use *use) override {
    // LLVM counts the address of a volatile access as seen, but no thread gets it by that.
    if (isa<LoadInst>(use->getUser()) ||
        (isa<StoreInst>(use->getUser()) &&
         use->getOperandNo() == StoreInst::getPointerOperandIndex()))
      return false;
    if (auto *call = dyn_cast<CallBase>(use->getUser()); call && borrowsPointers(*call))
      return false;
    escaped_ = true;
    return true;
  }

  bool escaped_ = false;
};

bool mayEscape(const Value *stackObject) {
  EscapeTracker tracker;
  PointerMayBeCaptured(stackObject, &tracker, kMaxStackUses);
  return tracker.escaped();
}

} // namespace

bool isOpenMPLibraryVariable(StringRef name) {
  return name.starts_with(".gomp_critical_user_") || name.ends_with(".cache.");
}

std::optional<Omission> SharedPointerAnalysis::whyPrivate(const Value *pointer) {
  unsigned space = pointer->getType()->getScalarType()->getPointerAddressSpace();
  if (space >= kFirstSegment && space <= kLastSegment)
    return Omission::SegmentRelative;
  // A vector of addresses into one object.
  while (pointer->getType()->isVectorTy()) {
    auto *element = dyn_cast<GEPOperator>(pointer);
    if (!element)
      return std::nullopt;
    pointer = element->getPointerOperand();
  }
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  std::optional<Omission> why;
  for (const Value *object : objects) {
    auto known = objects_.find(object);
    if (known == objects_.end())
      known = objects_.try_emplace(object, whyObjectPrivate(object)).first;
    why = known->second;
    if (!why)
      return std::nullopt;
  }
  return why;
}

std::optional<Omission> SharedPointerAnalysis::whyObjectPrivate(const Value *object) {
  if (threadPrivate_ && threadPrivate_->holds(*object) &&
      (!isa<AllocaInst>(object) || mayEscape(object)))
    return Omission::ThreadPrivate;
  if (isa<AllocaInst>(object))
    return mayEscape(object) ? std::nullopt : std::optional(Omission::PrivateStack);
  if (auto *argument = dyn_cast<Argument>(object)) // The caller's copy, on this thread's stack.
    return !argument->hasByValAttr() || mayEscape(object) ? std::nullopt
                                                          : std::optional(Omission::PrivateStack);
  if (auto *global = dyn_cast<GlobalVariable>(object)) {
    if (global->isThreadLocal())
      return Omission::ThreadLocal;
    // A declaration may say constant (C++: extern const) while the definition is initialised at run
    // time, and so lies in shared memory.
    if (global->isConstant() && !global->isDeclaration() && !global->isInterposable())
      return Omission::Constant;
    if (isOpenMPLibraryVariable(global->getName()))
      return Omission::OpenMPLibrary;
    return std::nullopt;
  }
  if (isa<Function>(object))
    return Omission::Constant;
  return std::nullopt;
}

} // namespace ompdsm
