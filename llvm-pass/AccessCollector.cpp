// AccessCollector.cpp: one function for each kind of instruction that accesses memory.
#include "AccessCollector.h"
#include "Compat.h"
#include "CoveredAccesses.h"
#include "ompdsm/abi.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace ompdsm {

namespace {

/// The state of a list of variable arguments (va_list) of the x86-64 ABI, section 3.5.7.
constexpr std::uint64_t kVaListBytes = 24;
/// What llvm.init.trampoline writes on x86-64, and who jumps there executes.
constexpr std::uint64_t kTrampolineBytes = 24;

/// Whether some of the module was compiled by flang.
bool isFromFortran(const Module &module) {
  const NamedMDNode *producers = module.getNamedMetadata("llvm.ident");
  return producers && any_of(producers->operands(), [](const MDNode *producer) {
           const auto *name = dyn_cast_or_null<MDString>(producer->getOperand(0).get());
           return name && name->getString().contains("flang");
         });
}

class Collector {
public:
  Collector(Function &function, SharedPointerAnalysis &shared, const TargetLibraryInfo &library,
            InstrumentationReport &report)
      : layout_(function.getParent()->getDataLayout()), shared_(shared), library_(library),
        report_(report), isFortran_(isFromFortran(*function.getParent())) {}

  void visit(Instruction &instruction) {
    if (instruction.isAtomic())
      return;
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      addTyped(instruction, load->getPointerOperand(), load->getType(), load->getAlign(), false);
    else if (auto *store = dyn_cast<StoreInst>(&instruction))
      addTyped(instruction, store->getPointerOperand(), store->getValueOperand()->getType(),
               store->getAlign(), true);
    else if (auto *argument = dyn_cast<VAArgInst>(&instruction))
      addVaList(instruction, argument->getPointerOperand(), true);
    else if (auto *memory = dyn_cast<AnyMemIntrinsic>(&instruction))
      addMemory(*memory);
    else if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
      addIntrinsic(*intrinsic);
    else if (auto *call = dyn_cast<CallBase>(&instruction))
      addCall(*call);
  }

  SmallVector<Access, 32> take() { return std::move(accesses_); }

private:
  /// False if the access needs no check, which is reported.
  bool mayBeShared(Instruction &instruction, Value *pointer) {
    std::optional<Omission> why =
        isCovered(instruction) ? Omission::InSection : shared_.whyPrivate(pointer);
    if (why)
      report_.omitted(instruction, *why);
    return !why;
  }

  void refuseScalable(Instruction &instruction) {
    report_.unsupported(instruction, "vectors of scalable size are not supported; compile without "
                                     "them (-fno-vectorize or another -march)");
  }

  void addFixed(Instruction &instruction, Value *pointer, std::uint64_t bytes, Align alignment,
                bool isWrite) {
    if (bytes == 0)
      return report_.omitted(instruction, Omission::Empty);
    Access access;
    access.instruction = &instruction;
    access.pointer = pointer;
    access.bytes = bytes;
    access.alignment = alignment;
    // What is known of the pointer's value may spare the test of a second line.
    if (bytes <= OMPDSM_LINE_BYTES && alignment.value() < bytes)
      access.alignment = std::max(alignment, getKnownAlignment(pointer, layout_, &instruction));
    access.isWrite = isWrite;
    accesses_.push_back(access);
  }

  void addTyped(Instruction &instruction, Value *pointer, Type *type, Align alignment,
                bool isWrite) {
    if (!mayBeShared(instruction, pointer))
      return;
    TypeSize size = layout_.getTypeStoreSize(type);
    if (size.isScalable())
      return refuseScalable(instruction);
    addFixed(instruction, pointer, size.getFixedValue(), alignment, isWrite);
  }

  void addRange(Instruction &instruction, Value *pointer, Value *length, MaybeAlign alignment,
                bool isWrite) {
    if (!mayBeShared(instruction, pointer))
      return;
    if (auto *constant = dyn_cast<ConstantInt>(length))
      return addFixed(instruction, pointer, constant->getZExtValue(), alignment.valueOrOne(),
                      isWrite);
    Access access;
    access.shape = Access::Shape::Range;
    access.instruction = &instruction;
    access.pointer = pointer;
    access.length = length;
    access.isWrite = isWrite;
    accesses_.push_back(access);
  }

  /// Code that passes the frame of the host to its internal procedure, on the host's stack: a
  /// procedure argument of Fortran may point to it, on another node's.
  void addTrampoline(Instruction &instruction, Value *code, bool isWrite) {
    if (mayBeShared(instruction, code))
      addFixed(instruction, code, kTrampolineBytes, Align(1), isWrite);
  }

  void addVaList(Instruction &instruction, Value *list, bool isWrite) {
    if (mayBeShared(instruction, list))
      addFixed(instruction, list, kVaListBytes, Align(8), isWrite);
  }

  /// The checks come in the reverse order: what memmove reads must be there before what it writes
  /// is given up.
  void addMemory(AnyMemIntrinsic &memory) {
    const std::size_t before = accesses_.size();
    addRange(memory, memory.getRawDest(), memory.getLength(), memory.getDestAlign(), true);
    if (accesses_.size() > before)
      accesses_.back().isOverwrite = accesses_.back().shape == Access::Shape::Range;
    if (auto *transfer = dyn_cast<AnyMemTransferInst>(&memory))
      addRange(memory, transfer->getRawSource(), memory.getLength(), transfer->getSourceAlign(),
               false);
  }

  void addLanes(IntrinsicInst &intrinsic, Access::Shape shape, unsigned pointerArgument,
                Type *vector, bool isWrite) {
    Value *pointer = intrinsic.getArgOperand(pointerArgument);
    if (!mayBeShared(intrinsic, pointer))
      return;
    auto *type = dyn_cast<FixedVectorType>(vector);
    if (!type)
      return refuseScalable(intrinsic);
    Access access;
    access.shape = shape;
    access.instruction = &intrinsic;
    access.pointer = pointer;
    access.bytes = layout_.getTypeStoreSize(type->getElementType()).getFixedValue();
    const MaskOperands operands = maskOperandsOf(intrinsic, pointerArgument);
    access.alignment = operands.alignment.valueOrOne();
    access.lanes = type->getNumElements();
    access.mask = operands.mask;
    access.isWrite = isWrite;
    if (layout_.getTypeSizeInBits(type->getElementType()) != access.bytes * 8)
      return report_.unsupported(intrinsic, "masked vectors of elements that are not whole bytes "
                                            "are not supported; use another element type");
    accesses_.push_back(access);
  }

  void addIntrinsic(IntrinsicInst &intrinsic) {
    using Shape = Access::Shape;
    auto stored = [&] { return intrinsic.getArgOperand(0)->getType(); };
    switch (intrinsic.getIntrinsicID()) {
    case Intrinsic::masked_load:
      return addLanes(intrinsic, Shape::MaskedRun, 0, intrinsic.getType(), false);
    case Intrinsic::masked_store:
      return addLanes(intrinsic, Shape::MaskedRun, 1, stored(), true);
    case Intrinsic::masked_gather:
      return addLanes(intrinsic, Shape::Scattered, 0, intrinsic.getType(), false);
    case Intrinsic::masked_scatter:
      return addLanes(intrinsic, Shape::Scattered, 1, stored(), true);
    case Intrinsic::masked_expandload:
      return addLanes(intrinsic, Shape::Compressed, 0, intrinsic.getType(), false);
    case Intrinsic::masked_compressstore:
      return addLanes(intrinsic, Shape::Compressed, 1, stored(), true);
    case kMemsetPattern: {
      IRBuilder<> builder(&intrinsic);
      Value *pattern = intrinsic.getArgOperand(1);
      Value *count = builder.CreateZExtOrTrunc(intrinsic.getArgOperand(2), builder.getInt64Ty());
      return addRange(
          intrinsic, intrinsic.getArgOperand(0),
          builder.CreateMul(count, builder.getInt64(layout_.getTypeAllocSize(pattern->getType()))),
          intrinsic.getParamAlign(0), true);
    }
    case Intrinsic::vastart:
      return addVaList(intrinsic, intrinsic.getArgOperand(0), true);
    case Intrinsic::vacopy:
      addVaList(intrinsic, intrinsic.getArgOperand(1), false);
      return addVaList(intrinsic, intrinsic.getArgOperand(0), true);
    case Intrinsic::init_trampoline:
      return addTrampoline(intrinsic, intrinsic.getArgOperand(0), true);
    // They name memory without accessing it.
    case Intrinsic::adjust_trampoline:
    case Intrinsic::prefetch:
    case Intrinsic::vaend:
    case Intrinsic::stackrestore:
    case Intrinsic::eh_typeid_for:
      return;
    default:
      break;
    }
    if (intrinsic.isAssumeLikeIntrinsic() || intrinsic.doesNotAccessMemory() ||
        intrinsic.onlyAccessesInaccessibleMemory())
      return;
    for (Value *argument : intrinsic.args())
      if (argument->getType()->isPtrOrPtrVectorTy() && !shared_.whyPrivate(argument))
        return report_.uncovered(intrinsic, "memory accesses of " +
                                                intrinsic.getCalledFunction()->getName() +
                                                " are not instrumented: on several nodes they may "
                                                "see stale data");
  }

  void addCall(CallBase &call) {
    if (auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand()))
      return addAssembly(call, *assembly);
    // Passing by value copies the object to the callee's stack.
    for (unsigned i = 0; i < call.arg_size(); ++i)
      if (call.isByValArgument(i) && mayBeShared(call, call.getArgOperand(i)))
        addFixed(call, call.getArgOperand(i), layout_.getTypeAllocSize(call.getParamByValType(i)),
                 call.getParamAlign(i).valueOrOne(), false);
    if (call.isIndirectCall() && isFortran_)
      addTrampoline(call, call.getCalledOperand(), false);
    LibFunc function;
    const Function *callee = call.getCalledFunction();
    if (callee && callee->isDeclaration() && library_.getLibFunc(*callee, function))
      addLibraryCall(call, function);
  }

  /// Memory functions that are calls (memcmp always is one). The code generator may expand them in
  /// place, so the runtime's interception of the library is not enough.
  void addLibraryCall(CallBase &call, LibFunc function) {
    auto argument = [&](unsigned i) { return call.getArgOperand(i); };
    auto range = [&](unsigned pointer, unsigned length, bool isWrite) {
      addRange(call, argument(pointer), argument(length), MaybeAlign(), isWrite);
    };
    switch (function) {
    case LibFunc_memcpy:
    case LibFunc_memmove:
    case LibFunc_mempcpy:
    case LibFunc_memcpy_chk:
    case LibFunc_memmove_chk:
    case LibFunc_mempcpy_chk:
    case LibFunc_memccpy:
      range(1, function == LibFunc_memccpy ? 3 : 2, false);
      return range(0, function == LibFunc_memccpy ? 3 : 2, true);
    case LibFunc_memset:
    case LibFunc_memset_chk:
      return range(0, 2, true);
    case LibFunc_bzero:
      return range(0, 1, true);
    case LibFunc_bcopy:
      range(0, 2, false);
      return range(1, 2, true);
    case LibFunc_memcmp:
    case LibFunc_bcmp:
      range(0, 2, false);
      return range(1, 2, false);
    case LibFunc_memchr:
    case LibFunc_memrchr:
      return range(0, 2, false);
    default:
      return;
    }
  }

  void addAssembly(CallBase &call, const InlineAsm &assembly) {
    bool memory = false;
    for (const InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints()) {
      memory |= constraint.isIndirect;
      memory |=
          constraint.Type == InlineAsm::isClobber && is_contained(constraint.Codes, "{memory}");
    }
    // An empty text is a barrier for the compiler and touches nothing.
    if (memory && !assembly.getAsmString().empty())
      report_.uncovered(call, "inline assembly that may access memory is not instrumented: on "
                              "several nodes it may see stale data");
  }

  const DataLayout &layout_;
  SharedPointerAnalysis &shared_;
  const TargetLibraryInfo &library_;
  InstrumentationReport &report_;
  const bool isFortran_;
  SmallVector<Access, 32> accesses_;
};

} // namespace

SmallVector<Access, 32> collectAccesses(Function &function, SharedPointerAnalysis &shared,
                                        const TargetLibraryInfo &library,
                                        InstrumentationReport &report) {
  Collector collector(function, shared, library, report);
  for (Instruction &instruction : instructions(function))
    collector.visit(instruction);
  return collector.take();
}

} // namespace ompdsm
