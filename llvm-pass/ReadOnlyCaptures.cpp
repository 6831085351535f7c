// ReadOnlyCaptures.cpp: see ReadOnlyCaptures.h.
#include "ReadOnlyCaptures.h"
#include "OpenMPEntries.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// __kmpc_fork_call(place, count, region, captures...); the region has two arguments before them.
constexpr unsigned kRegionOperand = 2, kFirstCapture = 3, kFirstParameter = 2;
/// What a void * can carry.
constexpr unsigned kMaxBytes = 8;
/// Uses of one variable that are followed before it counts as written.
constexpr unsigned kMaxUses = 1000;

/// The region that a call starts, if it is known.
Function *regionOf(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || callee->getName() != "__kmpc_fork_call" || call.arg_size() < kFirstCapture)
    return nullptr;
  return dyn_cast<Function>(call.getArgOperand(kRegionOperand)->stripPointerCasts());
}

/// The parameter that an argument of a call becomes, in a body that can be looked at.
Argument *parameterOf(const CallBase &call, unsigned operand) {
  Function *callee = regionOf(call);
  if (callee)
    operand = operand - kFirstCapture + kFirstParameter;
  else
    callee = call.getCalledFunction();
  if (!callee || !callee->hasExactDefinition() || callee->isVarArg() ||
      operand >= callee->arg_size())
    return nullptr;
  return callee->getArg(operand);
}

/// Follows what is done with the address of a variable.
class Uses {
public:
  /// Nothing that gets the address writes through it, keeps it, or looks at its number.
  bool areReads(Value &pointer) {
    return follow(pointer, [this](const Use &use) { return isRead(use); });
  }
  /// The caller's own may write, but nobody can when the call that got the address has returned,
  /// and no region that gets it does.
  bool areCallersOwn(Value &pointer) {
    return follow(pointer, [this](const Use &use) { return isRead(use) || isOwnWrite(use); });
  }

private:
  template <class Predicate> bool follow(Value &pointer, Predicate isGood) {
    if (!visited_.insert(&pointer).second)
      return true;
    for (const Use &use : pointer.uses()) {
      if (++count_ > kMaxUses)
        return false;
      User *user = use.getUser();
      if (isa<GetElementPtrInst, BitCastInst, PHINode, SelectInst>(user) ? !follow(*user, isGood)
                                                                         : !isGood(use))
        return false;
    }
    return true;
  }

  bool isRead(const Use &use) {
    if (auto *load = dyn_cast<LoadInst>(use.getUser()))
      return load->isSimple();
    const auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call)
      return false;
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(call);
        intrinsic && intrinsic->isLifetimeStartOrEnd())
      return true;
    if (!call->isArgOperand(&use))
      return false;
    const unsigned operand = call->getArgOperandNo(&use);
    if (auto *copy = dyn_cast<MemTransferInst>(call))
      return operand == 1 && !copy->isVolatile();
    if (Argument *parameter = parameterOf(*call, operand))
      return areReads(*parameter);
    return call->doesNotCapture(operand) && call->onlyReadsMemory(operand);
  }

  static bool isOwnWrite(const Use &use) {
    if (auto *store = dyn_cast<StoreInst>(use.getUser()))
      return use.getOperandNo() == StoreInst::getPointerOperandIndex() && store->isSimple();
    const auto *call = dyn_cast<CallBase>(use.getUser());
    if (!call || !call->isArgOperand(&use) || regionOf(*call))
      return false;
    return call->doesNotCapture(call->getArgOperandNo(&use)) || borrowsPointers(*call);
  }

  SmallPtrSet<const Value *, 16> visited_;
  unsigned count_ = 0;
};

/// A scalar of the stack that fits.
AllocaInst *scalarOf(Value &argument) {
  auto *variable = dyn_cast<AllocaInst>(&argument);
  if (!variable || !variable->isStaticAlloca() || variable->isArrayAllocation())
    return nullptr;
  Type *type = variable->getAllocatedType();
  if (!type->isSingleValueType() || type->isVectorTy())
    return nullptr;
  const TypeSize bytes = variable->getModule()->getDataLayout().getTypeStoreSize(type);
  return bytes.getFixedValue() <= kMaxBytes ? variable : nullptr;
}

/// A call that passes the captures on, and where the first of them stands.
struct Site {
  CallBase *call;
  unsigned firstCapture;
  Use &argument(unsigned parameter) const {
    return call->getArgOperandUse(parameter - kFirstParameter + firstCapture);
  }
};

/// All calls of a region; empty if it is started from elsewhere, or not at all.
SmallVector<Site, 2> sitesOf(Function &region) {
  SmallVector<Site, 2> sites;
  bool starts = false;
  for (const Use &use : region.uses()) {
    auto *call = dyn_cast<CallBase>(use.getUser());
    if (call && call->isCallee(&use) && call->arg_size() == region.arg_size()) {
      sites.push_back({call, kFirstParameter});
      continue;
    }
    if (!call || regionOf(*call) != &region || !call->isArgOperand(&use) ||
        call->getArgOperandNo(&use) != kRegionOperand ||
        call->arg_size() - kFirstCapture != region.arg_size() - kFirstParameter)
      return {};
    sites.push_back({call, kFirstCapture});
    starts = true;
  }
  return starts ? sites : SmallVector<Site, 2>();
}

/// The type that all callers have for a capture that may travel by value, or null.
Type *typeByValue(Argument &parameter, ArrayRef<Site> sites) {
  Type *type = nullptr;
  for (const Site &site : sites) {
    const AllocaInst *variable = scalarOf(*site.argument(parameter.getArgNo()));
    if (!variable || (type && variable->getAllocatedType() != type))
      return nullptr;
    type = variable->getAllocatedType();
  }
  if (!type || !Uses().areReads(parameter))
    return nullptr;
  return all_of(sites,
                [&](const Site &site) {
                  return Uses().areCallersOwn(*site.argument(parameter.getArgNo()));
                })
             ? type
             : nullptr;
}

void passByValue(Argument &parameter, Type *type, ArrayRef<Site> sites) {
  Function &region = *parameter.getParent();
  const DataLayout &layout = region.getParent()->getDataLayout();
  Type *pointer = parameter.getType();
  Type *bits = Type::getIntNTy(region.getContext(), unsigned(layout.getTypeStoreSizeInBits(type)));
  Type *carried = type->isPointerTy() ? type : bits;
  for (const Site &site : sites) {
    Use &argument = site.argument(parameter.getArgNo());
    IRBuilder<> builder(site.call);
    // What was never written may have any value, but only one.
    Value *value = builder.CreateFreeze(builder.CreateLoad(carried, argument.get()));
    if (carried == bits)
      value = builder.CreateIntToPtr(builder.CreateZExt(value, builder.getInt64Ty()), pointer);
    const unsigned operand = site.call->getArgOperandNo(&argument);
    argument.set(value);
    // All that was said is about an address.
    LLVMContext &context = site.call->getContext();
    const AttributeList attributes = site.call->getAttributes();
    site.call->setAttributes(attributes.removeParamAttributes(
        context, operand, AttributeMask(attributes.getParamAttrs(operand))));
  }
  parameter.removeAttrs(AttributeMask(region.getAttributes().getParamAttrs(parameter.getArgNo())));

  BasicBlock &entry = region.getEntryBlock();
  IRBuilder<> builder(&entry, entry.getFirstInsertionPt());
  AllocaInst *copy = builder.CreateAlloca(type, nullptr, parameter.getName() + ".value");
  parameter.replaceAllUsesWith(copy);
  Value *value = &parameter;
  if (carried == bits)
    value = builder.CreateTrunc(builder.CreatePtrToInt(value, builder.getInt64Ty()), bits);
  builder.CreateStore(value, copy);
}

bool passCapturesByValue(Function &region) {
  if (region.isDeclaration() || region.isVarArg() || region.arg_size() <= kFirstParameter)
    return false;
  const SmallVector<Site, 2> sites = sitesOf(region);
  if (sites.empty())
    return false;
  bool changed = false;
  for (unsigned i = kFirstParameter; i < region.arg_size(); ++i) {
    Argument &parameter = *region.getArg(i);
    if (!parameter.getType()->isPointerTy())
      continue;
    if (Type *type = typeByValue(parameter, sites)) {
      passByValue(parameter, type, sites);
      changed = true;
    }
  }
  return changed;
}

} // namespace

bool passReadOnlyCapturesByValue(Module &module) {
  bool changed = false;
  // A nested region's capture may be the outer one's, which has a copy of its own by then.
  for (bool again = true; again;) {
    again = false;
    for (Function &function : module)
      again |= passCapturesByValue(function);
    changed |= again;
  }
  return changed;
}

} // namespace ompdsm
