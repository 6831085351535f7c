// FieldCopies.cpp: see FieldCopies.h.
#include "FieldCopies.h"
#include "ArgumentCopies.h"
#include "ModuleInstrumentation.h"
#include "QuietLoops.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace ompdsm {
namespace {

/// Members of one structure; more are better copied as one.
constexpr unsigned kMaxFields = 4;

struct Field {
  std::uint64_t offset;
  Type *type;
  MDNode *tag; ///< As in !tbaa.
};
using Fields = SmallVector<Field, kMaxFields>;

/// The type that a scalar access tag of Clang's says; null if it is another one, which may be a
/// pointer, whose provenance must stay, or has several meanings.
Type *floatingPointTypeOf(const MDNode &tag, LLVMContext &context) {
  if (tag.getNumOperands() < 3)
    return nullptr;
  const auto *type = dyn_cast_or_null<MDNode>(tag.getOperand(1));
  const auto *name =
      type && type->getNumOperands() != 0 ? dyn_cast<MDString>(type->getOperand(0)) : nullptr;
  if (!name)
    return nullptr;
  return StringSwitch<Type *>(name->getString())
      .Case("double", Type::getDoubleTy(context))
      .Case("float", Type::getFloatTy(context))
      .Default(nullptr);
}

/// The members, if they are all that is copied: one behind the other, without padding.
Fields fieldsOf(const MemTransferInst &copy) {
  const auto *length = dyn_cast<ConstantInt>(copy.getLength());
  const MDNode *structure = copy.getMetadata(LLVMContext::MD_tbaa_struct);
  if (!length || !structure || copy.isVolatile())
    return {};
  Fields fields;
  std::uint64_t end = 0;
  for (unsigned i = 0; i + 2 < structure->getNumOperands(); i += 3) {
    const auto offset = mdconst::extract<ConstantInt>(structure->getOperand(i))->getZExtValue();
    const auto bytes = mdconst::extract<ConstantInt>(structure->getOperand(i + 1))->getZExtValue();
    auto *tag = cast<MDNode>(structure->getOperand(i + 2));
    Type *type = floatingPointTypeOf(*tag, copy.getContext());
    if (!type || offset != end || bytes != type->getPrimitiveSizeInBits() / 8 ||
        fields.size() == kMaxFields)
      return {};
    fields.push_back({offset, type, tag});
    end += bytes;
  }
  return end == length->getZExtValue() ? fields : Fields();
}

/// All are loaded before one is stored: both structures may be the same one.
void copyFields(MemTransferInst &copy, ArrayRef<Field> fields) {
  IRBuilder<> builder(&copy);
  const AAMDNodes aliasing = copy.getAAMetadata();
  const auto annotate = [&](Instruction &access, const Field &field) {
    access.setMetadata(LLVMContext::MD_tbaa, field.tag);
    access.setMetadata(LLVMContext::MD_alias_scope, aliasing.Scope);
    access.setMetadata(LLVMContext::MD_noalias, aliasing.NoAlias);
  };
  const auto addressOf = [&](Value *structure, const Field &field) {
    return field.offset
               ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), structure, field.offset)
               : structure;
  };
  SmallVector<Value *, kMaxFields> values;
  const Align from = copy.getSourceAlign().valueOrOne(), to = copy.getDestAlign().valueOrOne();
  for (const Field &field : fields) {
    LoadInst *load = builder.CreateAlignedLoad(field.type, addressOf(copy.getRawSource(), field),
                                               commonAlignment(from, field.offset));
    annotate(*load, field);
    values.push_back(load);
  }
  for (const auto &[field, value] : zip_equal(fields, values))
    annotate(*builder.CreateAlignedStore(value, addressOf(copy.getRawDest(), field),
                                         commonAlignment(to, field.offset)),
             field);
  copy.eraseFromParent();
}

} // namespace

PreservedAnalyses FieldCopiesPass::run(Function &function, FunctionAnalysisManager &) {
  if (!wantsInstrumentation(function) || isHoistingSwitchedOff(*function.getParent()))
    return PreservedAnalyses::all();
  bool changed = false;
  for (Instruction &instruction : make_early_inc_range(instructions(function)))
    if (auto *copy = dyn_cast<MemTransferInst>(&instruction); copy && !isForArgument(*copy))
      if (const Fields fields = fieldsOf(*copy); !fields.empty()) {
        copyFields(*copy, fields);
        changed = true;
      }
  if (!changed)
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace ompdsm
