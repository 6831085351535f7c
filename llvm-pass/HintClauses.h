// HintClauses.h: the clauses of one line of hints, replaced by calls of the runtime (Hints.def).
#pragma once
#include "clang/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace clang {
class Preprocessor;
}

namespace ompdsm {

class TokenScope;

struct HintLine {
  llvm::StringRef pragma;              ///< "ompdsm" or "ompd".
  clang::SourceLocation begin, end;    ///< Of that word, and of the line's end.
  llvm::ArrayRef<clang::Token> tokens; ///< What follows it, macros expanded.
};

/// What the parser reads next; macros are not expanded again.
void enterTokens(clang::Preprocessor &preprocessor, llvm::ArrayRef<clang::Token> tokens);

/// Puts the calls that the line stands for in front of what the parser reads next, or reports what
/// is wrong with it. `scope`: where the parser is.
void replaceHints(clang::Preprocessor &preprocessor, const HintLine &line, const TokenScope &scope);

} // namespace ompdsm
