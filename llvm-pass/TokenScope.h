// TokenScope.h: where in the grammar the parser is, from the tokens that it was given: whether a
// statement could stand there. Sema cannot be asked, because it is one token behind.
#pragma once
#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallVector.h"

namespace ompdsm {

class TokenScope {
public:
  /// Each token that the preprocessor hands out, in order.
  void see(const clang::Token &token);

  /// Inside the braces of a function.
  bool isInCode() const { return codeDepth_ != 0; }
  /// What comes next would be the body of an if, else, for, while, do or switch.
  bool isBeforeSubstatement() const;
  /// What comes next belongs to an OpenMP directive.
  bool isBeforeDirectivesStatement() const;

private:
  enum class Brace : char { Code, Other };
  void seeInDirective(const clang::Token &token);
  void open();
  void close();

  llvm::SmallVector<Brace, 32> braces_;
  unsigned codeDepth_ = 0;   ///< Of braces_, those of code.
  unsigned parentheses_ = 0; ///< Open now.
  clang::tok::TokenKind last_ = clang::tok::unknown;
  // What the declaration or statement under way has shown so far.
  bool namesScope_ = false; ///< namespace, or extern "C".
  bool namesClass_ = false;
  bool hasInitialiser_ = false;
  bool externSeen_ = false;
  // The OpenMP directive under way, and the last one.
  bool inDirective_ = false, firstOfDirective_ = false, standsAlone_ = false;
};

} // namespace ompdsm
