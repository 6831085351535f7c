// ThreadPrivateObjects.cpp: see ThreadPrivateObjects.h.
#include "ThreadPrivateObjects.h"
#include "OpenMPEntries.h"
#include "RuntimeCallees.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Above these nothing is found, or an object escapes.
constexpr std::size_t kMostObjects = 4000, kMostValues = 100000, kMostPlaces = 8, kMostOffsets = 4,
                      kMostParts = 64;

constexpr std::int64_t kAnywhere = INT64_MIN;

/// Where in an object a pointer may point to.
struct Place {
  unsigned object;
  std::int64_t offset;
  bool operator==(const Place &) const = default;
};

/// What is stored somewhere in an object.
struct Part {
  std::int64_t offset;
  std::uint64_t bytes;
  const Value *pointer; ///< Null: something else.
  bool operator==(const Part &) const = default;
};

using Parts = SmallVector<Part, 4>;
/// And where they read.
using Loads = SmallVector<std::pair<const Instruction *, std::int64_t>, 4>;

struct Object {
  bool escapes = false;
  Parts parts;
  Loads loads;
};

bool overlap(std::int64_t a, std::uint64_t aBytes, std::int64_t b, std::uint64_t bBytes) {
  return a == kAnywhere || b == kAnywhere ||
         (a < b + std::int64_t(bBytes) && b < a + std::int64_t(aBytes));
}

/// All of its calls are known.
bool isClosed(const Function &function) {
  return function.hasLocalLinkage() && !function.isDeclaration() && !function.isVarArg() &&
         all_of(function.uses(), [&](const Use &use) {
           const auto *call = dyn_cast<CallBase>(use.getUser());
           return call && call->isCallee(&use) &&
                  call->getFunctionType() == function.getFunctionType();
         });
}

/// A check, which takes an address and keeps none.
bool isCheck(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && RuntimeCallees::isRuntimeName(callee->getName()) &&
         callee->hasFnAttribute(Attribute::NoSync) && callee->onlyAccessesInaccessibleMemOrArgMem();
}

class Follower {
public:
  explicit Follower(ArrayRef<Function *> functions) {
    for (Function *function : functions)
      for (Instruction &instruction : instructions(*function))
        if (auto *variable = dyn_cast<AllocaInst>(&instruction);
            variable && objects_.size() < kMostObjects) {
          add(variable, {unsigned(objects_.size()), 0});
          objects_.emplace_back();
        }
    while (!work_.empty() && places_.size() <= kMostValues) {
      const Value *value = work_.pop_back_val();
      queued_.erase(value);
      for (const Use &use : value->uses())
        follow(*value, use);
    }
    isComplete_ = work_.empty();
    if (isComplete_)
      settle();
  }

  /// Pointers to private objects that other functions, or loads, have.
  void collect(DenseSet<const Value *> &pointers) const {
    if (!isComplete_)
      return;
    for (const auto &[value, places] : places_)
      if (!impure_.contains(value) &&
          none_of(places, [&](const Place &place) { return objects_[place.object].escapes; }))
        pointers.insert(value);
  }

private:
  using Places = SmallVector<Place, 2>;

  const Places &placesOf(const Value &value) const {
    static const Places none;
    const auto found = places_.find(&value);
    return found == places_.end() ? none : found->second;
  }

  void add(const Value *value, Place place) {
    Places &places = places_[value];
    if (is_contained(places, place) || is_contained(places, Place{place.object, kAnywhere}))
      return;
    const auto isOfObject = [&](const Place &other) { return other.object == place.object; };
    if (count_if(places, isOfObject) == kMostOffsets) { // a pointer that moves on, perhaps
      erase_if(places, isOfObject);
      place.offset = kAnywhere;
    }
    if (places.size() < kMostPlaces) {
      places.push_back(place);
    } else { // what it points to is not all known any more
      objects_[place.object].escapes = true;
      impure_.insert(value);
    }
    if (queued_.insert(value).second)
      work_.push_back(value);
  }
  void addAll(const Value *to, const Value &from) {
    for (const Place place : Places(placesOf(from)))
      add(to, place);
  }

  void escape(const Value &value) {
    for (const Place &place : placesOf(value))
      objects_[place.object].escapes = true;
  }

  void follow(const Value &value, const Use &use) {
    const auto *user = dyn_cast<Instruction>(use.getUser());
    if (!user)
      return escape(value); // A constant expression of a stack object: none that is known.
    if (const auto *element = dyn_cast<GetElementPtrInst>(user)) {
      if (element->getType()->isVectorTy())
        return escape(value);
      return followElement(value, *element);
    }
    if (isa<PHINode, SelectInst, FreezeInst, BitCastInst>(user)) {
      if (!user->getType()->isPointerTy())
        return escape(value);
      return addAll(user, value);
    }
    if (const auto *load = dyn_cast<LoadInst>(user))
      return load->isAtomic() ? escape(value) : followLoad(value, *load);
    if (const auto *store = dyn_cast<StoreInst>(user)) {
      if (store->isAtomic())
        return escape(value);
      if (use.getOperandNo() != StoreInst::getPointerOperandIndex()) {
        stores_.insert(store); // settled at the end, when it is known where to
        return followStored(value, *store);
      }
      const Value *stored = store->getValueOperand();
      return addPart(value, store->getModule()->getDataLayout().getTypeStoreSize(stored->getType()),
                     stored->getType()->isPointerTy() ? stored : nullptr, isNothing(*stored));
    }
    if (isa<ICmpInst>(user))
      return;
    if (const auto *call = dyn_cast<CallBase>(user))
      return followCall(value, use, *call);
    escape(value);
  }

  void followElement(const Value &value, const GetElementPtrInst &element) {
    const DataLayout &layout = element.getModule()->getDataLayout();
    APInt distance(layout.getIndexTypeSizeInBits(element.getType()), 0);
    const bool isKnown = element.accumulateConstantOffset(layout, distance);
    for (const Place place : Places(placesOf(value)))
      add(&element, {place.object, isKnown && place.offset != kAnywhere
                                       ? place.offset + distance.getSExtValue()
                                       : kAnywhere});
  }

  static std::uint64_t bytesOf(const Instruction &load) {
    return load.getModule()->getDataLayout().getTypeStoreSize(load.getType()).getKnownMinValue();
  }

  void followLoad(const Value &value, const LoadInst &load) {
    for (const Place place : Places(placesOf(value))) {
      Object &object = objects_[place.object];
      if (const std::pair<const Instruction *, std::int64_t> known(&load, place.offset);
          !is_contained(object.loads, known))
        object.loads.push_back(known);
      for (const Part &part : Parts(object.parts))
        connect(part, load, place.offset);
    }
  }

  /// What may be loaded there is what was stored there.
  void connect(const Part &part, const Instruction &load, std::int64_t offset) {
    if (part.pointer && load.getType()->isPointerTy() &&
        overlap(part.offset, part.bytes, offset, bytesOf(load)))
      addAll(&load, *part.pointer);
  }

  /// Whether it points nowhere.
  static bool isNothing(const Value &value) {
    return isa<ConstantPointerNull, UndefValue, ConstantAggregateZero>(value) ||
           (isa<ConstantInt>(value) && cast<ConstantInt>(value).isZero());
  }

  void addPart(const Value &target, TypeSize size, const Value *pointer, bool isNothing) {
    if (isNothing)
      return;
    for (const Place place : Places(placesOf(target))) {
      Object &object = objects_[place.object];
      const Part part{size.isScalable() ? kAnywhere : place.offset, size.getKnownMinValue(),
                      pointer};
      if (is_contained(object.parts, part))
        continue;
      if (object.parts.size() == kMostParts) {
        object.escapes = true;
        continue;
      }
      object.parts.push_back(part);
      for (const auto &[load, offset] : Loads(object.loads))
        connect(part, *load, offset);
    }
  }

  /// A pointer that may point to more by now.
  void followStored(const Value &pointer, const StoreInst &store) {
    const std::uint64_t bytes = store.getModule()->getDataLayout().getPointerSize();
    for (const Place place : Places(placesOf(*store.getPointerOperand())))
      for (const auto &[load, offset] : Loads(objects_[place.object].loads))
        connect({place.offset, bytes, &pointer}, *load, offset);
  }

  void followCall(const Value &value, const Use &use, const CallBase &call) {
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call)) {
      if (intrinsic->isAssumeLikeIntrinsic() && intrinsic->getType()->isVoidTy())
        return;
      if (const auto *fill = dyn_cast<MemSetInst>(intrinsic)) {
        const auto *length = dyn_cast<ConstantInt>(fill->getLength());
        return addPart(value, TypeSize::getFixed(length ? length->getZExtValue() : UINT32_MAX),
                       nullptr, isNothing(*fill->getValue()));
      }
      if (isa<MemTransferInst>(intrinsic)) {
        publishContents(value);
        if (use.getOperandNo() == 0)
          addUnknown(value);
        return;
      }
    }
    if (isCheck(call))
      return;
    if (!call.isArgOperand(&use))
      return escape(value);
    const unsigned number = call.getArgOperandNo(&use);
    const Function *callee = call.getCalledFunction();
    if (callee && isClosed(*callee) && !call.isByValArgument(number))
      return addAll(callee->getArg(number), value);
    if (callee && callee->hasMetadata(LLVMContext::MD_callback))
      return escape(value); // its attributes may be of the calling thread alone
    if (!call.doesNotCapture(number) && !borrowsPointers(call))
      return escape(value);
    publishContents(value);
    if (!call.onlyReadsMemory(number))
      addUnknown(value);
  }

  /// Somebody who is not followed may read the object while it is lent to him.
  void publishContents(const Value &value) {
    for (const Place &place : placesOf(value))
      published_.insert(place.object);
  }
  /// And he may write it.
  void addUnknown(const Value &value) {
    for (const Place &place : placesOf(value)) {
      const Part part{kAnywhere, 1, nullptr};
      if (!is_contained(objects_[place.object].parts, part))
        objects_[place.object].parts.push_back(part);
    }
  }

  // --- When everything has been followed: what is private of it. Both only grow.

  void settle() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const StoreInst *store : stores_)
        if (!isFollowed(*store->getPointerOperand()))
          changed |= makeEscape(*store->getValueOperand());
      for (unsigned number = 0; number < objects_.size(); ++number) {
        const Object &object = objects_[number];
        for (const Part &part : object.parts)
          if (part.pointer && (object.escapes || published_.contains(number) ||
                               isReadAsSomethingElse(object, part)))
            changed |= makeEscape(*part.pointer);
      }
      for (const auto &[value, places] : places_)
        if (!impure_.contains(value) && !isPure(*value)) {
          impure_.insert(value);
          changed = true;
        }
    }
  }

  bool makeEscape(const Value &value) {
    bool changed = false;
    for (const Place &place : placesOf(value))
      changed |= !std::exchange(objects_[place.object].escapes, true);
    return changed;
  }

  static bool isReadAsSomethingElse(const Object &object, const Part &part) {
    return any_of(object.loads, [&](const auto &each) {
      return !each.first->getType()->isPointerTy() &&
             overlap(part.offset, part.bytes, each.second, bytesOf(*each.first));
    });
  }

  /// All that the pointer may point to is followed, and private so far.
  bool isFollowed(const Value &value) const {
    return isNothing(value) || (places_.contains(&value) && !impure_.contains(&value) &&
                                none_of(placesOf(value), [&](const Place &place) {
                                  return objects_[place.object].escapes;
                                }));
  }
  /// The same, whether it is private or not.
  bool isKnown(const Value *value) const {
    return isNothing(*value) || (places_.contains(value) && !impure_.contains(value));
  }

  bool isPure(const Value &value) const {
    if (isa<AllocaInst>(value))
      return true;
    if (const auto *argument = dyn_cast<Argument>(&value)) {
      const Function &function = *argument->getParent();
      return isClosed(function) && all_of(function.uses(), [&](const Use &use) {
               return isKnown(cast<CallBase>(use.getUser())->getArgOperand(argument->getArgNo()));
             });
    }
    if (const auto *load = dyn_cast<LoadInst>(&value))
      return isFollowed(*load->getPointerOperand()) &&
             all_of(placesOf(*load->getPointerOperand()), [&](const Place &place) {
               return all_of(objects_[place.object].parts, [&](const Part &part) {
                 return !overlap(part.offset, part.bytes, place.offset, bytesOf(*load)) ||
                        (part.pointer && isKnown(part.pointer) &&
                         (part.offset == place.offset || part.offset == kAnywhere ||
                          place.offset == kAnywhere));
               });
             });
    if (const auto *element = dyn_cast<GetElementPtrInst>(&value))
      return isKnown(element->getPointerOperand());
    if (const auto *either = dyn_cast<SelectInst>(&value))
      return isKnown(either->getTrueValue()) && isKnown(either->getFalseValue());
    if (const auto *joined = dyn_cast<PHINode>(&value))
      return all_of(joined->incoming_values(), [&](const Use &use) { return isKnown(use.get()); });
    if (isa<FreezeInst, BitCastInst>(value))
      return isKnown(cast<Instruction>(value).getOperand(0));
    return false;
  }

  SmallVector<Object, 0> objects_;
  MapVector<const Value *, Places> places_;
  SmallVector<const Value *, 64> work_;
  DenseSet<const Value *> queued_, impure_;
  SetVector<const StoreInst *> stores_; ///< Of pointers that are followed.
  DenseSet<unsigned> published_;
  bool isComplete_ = false;
};

} // namespace

ThreadPrivateObjects::ThreadPrivateObjects(ArrayRef<Function *> functions) {
  Follower(functions).collect(pointers_);
}

} // namespace ompdsm
