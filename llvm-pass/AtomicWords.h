// AtomicWords.h: values of atomic operations as the 64 bits in which they travel.
#pragma once
#include "llvm/IR/IRBuilder.h"

namespace ompdsm {

/// Zero-extended; of floating-point numbers and vectors their bits. The type has at most 64 bits.
inline llvm::Value *toWord(llvm::IRBuilderBase &builder, llvm::Value *value) {
  llvm::Type *type = value->getType();
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, builder.getInt64Ty());
  if (!type->isIntegerTy())
    value = builder.CreateBitCast(
        value, builder.getIntNTy(unsigned(type->getPrimitiveSizeInBits().getFixedValue())));
  return builder.CreateZExt(value, builder.getInt64Ty());
}

/// The other way.
inline llvm::Value *fromWord(llvm::IRBuilderBase &builder, llvm::Value *word, llvm::Type *type) {
  if (type->isPointerTy())
    return builder.CreateIntToPtr(word, type);
  if (type->isIntegerTy())
    return builder.CreateTrunc(word, type);
  return builder.CreateBitCast(
      builder.CreateTrunc(
          word, builder.getIntNTy(unsigned(type->getPrimitiveSizeInBits().getFixedValue()))),
      type);
}

} // namespace ompdsm
