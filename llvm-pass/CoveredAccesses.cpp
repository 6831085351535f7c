// CoveredAccesses.cpp: one alias scope per module, found by a named metadata node.
#include "CoveredAccesses.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace ompdsm {
namespace {

constexpr const char *kScopes = "ompdsm.covered";

} // namespace

void markCovered(Instruction &access) {
  LLVMContext &context = access.getContext();
  NamedMDNode *scopes = access.getModule()->getOrInsertNamedMetadata(kScopes);
  if (scopes->getNumOperands() == 0) {
    MDBuilder builder(context);
    scopes->addOperand(
        builder.createAnonymousAliasScope(builder.createAnonymousAliasScopeDomain(kScopes)));
  }
  access.setMetadata(LLVMContext::MD_noalias,
                     MDNode::concatenate(access.getMetadata(LLVMContext::MD_noalias),
                                         MDNode::get(context, scopes->getOperand(0))));
}

bool isCovered(const Instruction &access) {
  const MDNode *list = access.getMetadata(LLVMContext::MD_noalias);
  // Linked modules bring a scope each.
  const NamedMDNode *scopes = access.getModule()->getNamedMetadata(kScopes);
  return list && scopes && any_of(list->operands(), [&](const MDOperand &scope) {
           return is_contained(scopes->operands(), scope.get());
         });
}

} // namespace ompdsm
