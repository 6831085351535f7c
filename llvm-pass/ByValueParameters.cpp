// ByValueParameters.cpp: see ByValueParameters.h.
#include "ByValueParameters.h"
#include "SharedPointerAnalysis.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {

bool copySharedParameters(Function &function) {
  SmallVector<Argument *, 2> shared;
  SharedPointerAnalysis analysis;
  for (Argument &argument : function.args())
    if (argument.hasByValAttr() && !analysis.whyPrivate(&argument))
      shared.push_back(&argument);
  const DataLayout &layout = function.getParent()->getDataLayout();
  for (Argument *argument : shared) {
    IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
    Type *type = argument->getParamByValType();
    const Align alignment = argument->getParamAlign().value_or(layout.getABITypeAlign(type));
    AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument->getName() + ".copy");
    copy->setAlignment(std::max(alignment, copy->getAlign()));
    argument->replaceAllUsesWith(copy);
    builder.CreateMemCpy(copy, copy->getAlign(), argument, alignment,
                         layout.getTypeAllocSize(type).getFixedValue());
  }
  return !shared.empty();
}

} // namespace ompdsm
