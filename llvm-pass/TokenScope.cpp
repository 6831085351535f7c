// TokenScope.cpp: a brace is code if what precedes it is neither a namespace, a class nor an
// initialiser.
#include "TokenScope.h"
#include "clang/Basic/IdentifierTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace clang;

namespace ompdsm {
namespace {

/// Directives without a statement of their own.
bool isStandAlone(const Token &name) {
  static constexpr llvm::StringRef kNames[] = {
      "barrier",       "taskwait", "taskyield", "flush",    "cancel",  "cancellation",
      "threadprivate", "declare",  "requires",  "allocate", "interop", "depobj",
      "scan",          "error",    "nothing",   "end",      "assumes"};
  const IdentifierInfo *identifier = name.getIdentifierInfo();
  return identifier && llvm::is_contained(kNames, identifier->getName());
}

} // namespace

void TokenScope::see(const Token &token) {
  if (token.is(tok::annot_pragma_openmp))
    inDirective_ = firstOfDirective_ = true;
  else if (inDirective_)
    seeInDirective(token);
  else
    switch (token.getKind()) {
    case tok::kw_namespace:
      namesScope_ = true;
      break;
    case tok::kw_extern:
      externSeen_ = true;
      break;
    case tok::string_literal:
      namesScope_ |= externSeen_ && last_ == tok::kw_extern;
      break;
    case tok::kw_struct:
    case tok::kw_class:
    case tok::kw_union:
    case tok::kw_enum:
      namesClass_ |= parentheses_ == 0;
      break;
    case tok::equal:
      hasInitialiser_ |= parentheses_ == 0;
      break;
    case tok::l_paren:
      ++parentheses_;
      break;
    case tok::r_paren:
      parentheses_ -= parentheses_ != 0;
      break;
    case tok::l_brace:
      open();
      break;
    case tok::r_brace:
      close();
      break;
    case tok::semi:
      if (parentheses_ == 0)
        namesScope_ = namesClass_ = hasInitialiser_ = externSeen_ = false;
      break;
    default:
      break;
    }
  last_ = token.getKind();
}

void TokenScope::seeInDirective(const Token &token) {
  if (std::exchange(firstOfDirective_, false))
    standsAlone_ = isStandAlone(token);
  if (token.is(tok::annot_pragma_openmp_end))
    inDirective_ = false;
}

void TokenScope::open() {
  // `struct s f() {` names a class and is code all the same; `= [] {` is an initialiser and code.
  const bool afterParameters = last_ == tok::r_paren || last_ == tok::kw_const ||
                               last_ == tok::kw_noexcept || last_ == tok::r_square;
  const bool code =
      !namesScope_ && (isInCode() ? !namesClass_ || afterParameters
                                  : afterParameters || !(namesClass_ || hasInitialiser_));
  braces_.push_back(code ? Brace::Code : Brace::Other);
  codeDepth_ += code;
  namesScope_ = namesClass_ = hasInitialiser_ = externSeen_ = false;
}

void TokenScope::close() {
  if (braces_.empty())
    return;
  codeDepth_ -= braces_.pop_back_val() == Brace::Code;
  namesScope_ = namesClass_ = hasInitialiser_ = externSeen_ = false;
}

bool TokenScope::isBeforeSubstatement() const {
  return last_ == tok::r_paren || last_ == tok::kw_else || last_ == tok::kw_do;
}

bool TokenScope::isBeforeDirectivesStatement() const {
  return last_ == tok::annot_pragma_openmp_end && !standsAlone_;
}

} // namespace ompdsm
