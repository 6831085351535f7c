// ListTexts.cpp: see ListTexts.h.
#include "ListTexts.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {

GlobalVariable *addListText(Module &module, StringRef text) {
  auto *contents = ConstantDataArray::getString(module.getContext(), text);
  auto *global = new GlobalVariable(module, contents->getType(), /*isConstant=*/true,
                                    GlobalValue::PrivateLinkage, contents, "ompdsm.text");
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

} // namespace ompdsm
