// AtomicAssembly.cpp: reads templates and constraints of inline assembly.
#include "AtomicAssembly.h"
#include "ModuleInstrumentation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace ompdsm {
namespace {

/// One instruction in AT&T's syntax.
struct AsmInstruction {
  bool isLocked = false;
  StringRef name; ///< Without the suffix of the operands' size.
  SmallVector<StringRef, 2> operands;
};

enum class Shape { Unknown, Unary, Binary, Exchange, CompareExchange, Fence };

Shape shapeOf(StringRef name) {
  return StringSwitch<Shape>(name)
      .Case("inc", Shape::Unary)
      .Case("dec", Shape::Unary)
      .Case("add", Shape::Binary)
      .Case("sub", Shape::Binary)
      .Case("and", Shape::Binary)
      .Case("or", Shape::Binary)
      .Case("xor", Shape::Binary)
      .Case("xadd", Shape::Exchange)
      .Case("xchg", Shape::Exchange)
      .Case("cmpxchg", Shape::CompareExchange)
      .Case("mfence", Shape::Fence)
      .Case("sfence", Shape::Fence)
      .Case("lfence", Shape::Fence)
      .Default(Shape::Unknown);
}

/// The name without a suffix, if the table knows it so.
StringRef withoutSuffix(StringRef name) {
  if (shapeOf(name) == Shape::Unknown && !name.empty() && StringRef("bwlq").contains(name.back()))
    return name.drop_back();
  return name;
}

std::optional<AsmInstruction> parse(StringRef text) {
  SmallVector<StringRef, 4> statements;
  SplitString(text, statements, ";\n");
  AsmInstruction found;
  for (StringRef statement : statements) {
    statement = statement.trim();
    if (statement.consume_front("lock")) {
      if (!statement.empty() && !isSpace(statement.front()))
        return std::nullopt;
      found.isLocked = true;
      statement = statement.ltrim();
    }
    if (statement.empty())
      continue;
    if (!found.name.empty())
      return std::nullopt; // A second instruction.
    const size_t end = statement.find_first_of(" \t");
    found.name = withoutSuffix(statement.substr(0, end));
    if (end == StringRef::npos)
      continue;
    SmallVector<StringRef, 2> operands;
    statement.substr(end).split(operands, ',');
    for (StringRef operand : operands)
      found.operands.push_back(operand.trim());
  }
  if (shapeOf(found.name) == Shape::Unknown)
    return std::nullopt;
  return found;
}

/// What stands for one constraint.
struct AsmOperand {
  Value *pointer = nullptr; ///< Of memory.
  Type *type = nullptr;     ///< Of what is there, or of the value.
  Value *input = nullptr;   ///< Also of the constraint that an output is tied to.
  bool isResult = false;    ///< The assembly's only one.
};

class Translation {
public:
  explicit Translation(CallInst &call) : call_(call), layout_(call.getModule()->getDataLayout()) {}

  bool translate() {
    const auto &text = *cast<InlineAsm>(call_.getCalledOperand());
    if (text.getDialect() != InlineAsm::AD_ATT || call_.getType()->isStructTy())
      return false;
    const std::optional<AsmInstruction> instruction = parse(text.getAsmString());
    if (!instruction || !readOperands(text))
      return false;
    IRBuilder<> builder(&call_);
    Value *result = nullptr;
    if (!emit(builder, *instruction, result))
      return false;
    if (result)
      call_.replaceAllUsesWith(result);
    call_.eraseFromParent();
    return true;
  }

private:
  bool readOperands(const InlineAsm &text) {
    unsigned argument = 0;
    for (const InlineAsm::ConstraintInfo &constraint : text.ParseConstraints()) {
      if (constraint.Type == InlineAsm::isClobber)
        continue;
      if (constraint.Type == InlineAsm::isLabel || constraint.isMultipleAlternative)
        return false;
      AsmOperand operand;
      if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect) {
        operand.isResult = true;
        operand.type = call_.getType();
      } else {
        Value *value = call_.getArgOperand(argument);
        if (constraint.isIndirect) {
          operand.pointer = value;
          operand.type = call_.getParamElementType(argument);
        } else {
          operand.input = value;
          operand.type = value->getType();
        }
        unsigned tied = 0;
        if (!constraint.Codes.empty() && to_integer(constraint.Codes[0], tied, 10)) {
          if (tied >= operands_.size())
            return false;
          operands_[tied].input = value;
        }
        ++argument;
      }
      isAccumulator_.push_back(is_contained(constraint.Codes, "{ax}"));
      operands_.push_back(operand);
    }
    return true;
  }

  /// "$1" or "${1:q}".
  const AsmOperand *operandOf(StringRef text) const {
    unsigned number = 0;
    if (!text.consume_front("$"))
      return nullptr;
    if (text.consume_front("{"))
      text = text.take_until([](char c) { return c == ':' || c == '}'; });
    return text.getAsInteger(10, number) || number >= operands_.size() ? nullptr
                                                                       : &operands_[number];
  }

  Type *memoryType(const AsmOperand *memory) const {
    if (!memory || !memory->pointer || !memory->type || !memory->type->isSized())
      return nullptr;
    const uint64_t bits = layout_.getTypeSizeInBits(memory->type).getFixedValue();
    return bits >= 8 && bits <= 64 && isPowerOf2_64(bits)
               ? Type::getIntNTy(call_.getContext(), bits)
               : nullptr;
  }

  /// "$$4" or an input of the memory's type.
  Value *valueOf(StringRef text, Type *type) const {
    if (StringRef number = text; number.consume_front("$$")) {
      int64_t value = 0;
      return number.getAsInteger(0, value) ? nullptr : ConstantInt::getSigned(type, value);
    }
    const AsmOperand *operand = operandOf(text);
    return operand && operand->input && operand->input->getType() == type ? operand->input
                                                                          : nullptr;
  }

  Value *update(IRBuilder<> &builder, AtomicRMWInst::BinOp operation, const AsmOperand &memory,
                Value *value) const {
    return builder.CreateAtomicRMW(operation, memory.pointer, value,
                                   Align(layout_.getTypeStoreSize(value->getType())),
                                   AtomicOrdering::SequentiallyConsistent);
  }

  /// Nothing if false. What has no value in a register may still have one, of its flags.
  bool emit(IRBuilder<> &builder, const AsmInstruction &instruction, Value *&result) const {
    ArrayRef<StringRef> texts = instruction.operands;
    const bool hasValue = !call_.getType()->isVoidTy();
    switch (shapeOf(instruction.name)) {
    case Shape::Fence:
      if (!texts.empty() || hasValue)
        return false;
      builder.CreateFence(instruction.name == "mfence"   ? AtomicOrdering::SequentiallyConsistent
                          : instruction.name == "sfence" ? AtomicOrdering::Release
                                                         : AtomicOrdering::Acquire);
      return true;
    case Shape::Unary:
      return instruction.isLocked && texts.size() == 1 && !hasValue &&
             emitUnary(builder, instruction);
    case Shape::Binary:
      return instruction.isLocked && texts.size() == 2 && !hasValue &&
             emitBinary(builder, instruction);
    case Shape::Exchange:
      return texts.size() == 2 && (instruction.isLocked || instruction.name == "xchg") &&
             emitExchange(builder, instruction, result);
    case Shape::CompareExchange:
      return instruction.isLocked && texts.size() == 2 &&
             emitCompareExchange(builder, instruction, result);
    case Shape::Unknown:
      break;
    }
    return false;
  }

  bool emitUnary(IRBuilder<> &builder, const AsmInstruction &instruction) const {
    const AsmOperand *memory = operandOf(instruction.operands[0]);
    Type *type = memoryType(memory);
    if (!type)
      return false;
    update(builder, instruction.name == "inc" ? AtomicRMWInst::Add : AtomicRMWInst::Sub, *memory,
           ConstantInt::get(type, 1));
    return true;
  }

  bool emitBinary(IRBuilder<> &builder, const AsmInstruction &instruction) const {
    // Of the top of the stack, nothing is added: a fence.
    if (instruction.operands[0] == "$$0" && (instruction.operands[1].ends_with("(%rsp)") ||
                                             instruction.operands[1].ends_with("(%esp)"))) {
      builder.CreateFence(AtomicOrdering::SequentiallyConsistent);
      return true;
    }
    const AsmOperand *memory = operandOf(instruction.operands[1]);
    Type *type = memoryType(memory);
    Value *value = type ? valueOf(instruction.operands[0], type) : nullptr;
    if (!value)
      return false;
    update(builder,
           StringSwitch<AtomicRMWInst::BinOp>(instruction.name)
               .Case("add", AtomicRMWInst::Add)
               .Case("sub", AtomicRMWInst::Sub)
               .Case("and", AtomicRMWInst::And)
               .Case("or", AtomicRMWInst::Or)
               .Default(AtomicRMWInst::Xor),
           *memory, value);
    return true;
  }

  /// The register gets what was in memory; of xchg either operand may be the memory.
  bool emitExchange(IRBuilder<> &builder, const AsmInstruction &instruction, Value *&result) const {
    const AsmOperand *registers = operandOf(instruction.operands[0]);
    const AsmOperand *memory = operandOf(instruction.operands[1]);
    if (instruction.name == "xchg" && registers && registers->pointer)
      std::swap(registers, memory);
    Type *type = memoryType(memory);
    if (!type || !registers || !registers->isResult || registers->type != type ||
        !registers->input || registers->input->getType() != type)
      return false;
    result = update(builder, instruction.name == "xadd" ? AtomicRMWInst::Add : AtomicRMWInst::Xchg,
                    *memory, registers->input);
    return true;
  }

  /// Both the value that is expected and the one that is found are in the accumulator.
  bool emitCompareExchange(IRBuilder<> &builder, const AsmInstruction &instruction,
                           Value *&result) const {
    const AsmOperand *memory = operandOf(instruction.operands[1]);
    Type *type = memoryType(memory);
    Value *desired = type ? valueOf(instruction.operands[0], type) : nullptr;
    Value *expected = nullptr;
    bool isFound = false;
    for (const auto &[operand, isAccumulator] : zip(operands_, isAccumulator_))
      if (isAccumulator) {
        isFound |= operand.isResult;
        if (operand.input)
          expected = operand.input;
      }
    if (!desired || !isFound || !expected || expected->getType() != type || call_.getType() != type)
      return false;
    constexpr auto kOrder = AtomicOrdering::SequentiallyConsistent;
    Value *both = builder.CreateAtomicCmpXchg(
        memory->pointer, expected, desired, Align(layout_.getTypeStoreSize(type)), kOrder, kOrder);
    result = builder.CreateExtractValue(both, 0);
    return true;
  }

  CallInst &call_;
  const DataLayout &layout_;
  SmallVector<AsmOperand, 4> operands_;
  SmallVector<bool, 4> isAccumulator_;
};

} // namespace

bool translateAtomicAssembly(Module &module) {
  bool changed = false;
  for (Function &function : module) {
    if (!wantsInstrumentation(function))
      continue;
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm())
        changed |= Translation(*call).translate();
  }
  return changed;
}

} // namespace ompdsm
