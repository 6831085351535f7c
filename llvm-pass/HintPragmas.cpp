// HintPragmas.cpp: how the pragmas get to the parser of their clauses, or to the text of -E.
//
// Clang makes a preprocessor's handlers by a registry, before the plugin knows what the compilation
// is for. So the registry has namespaces without handlers, which print the line again under -E, as
// clang does for OpenMP (with its macros expanded: the text has none); a compilation that makes
// code puts the handler into them.
#include "HintPragmas.h"
#include "HintClauses.h"
#include "TokenScope.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>

using namespace clang;
using llvm::StringRef;

namespace ompdsm {
namespace {

/// Takes the rest of the line; returns where it ends.
SourceLocation takeLine(Preprocessor &preprocessor, llvm::SmallVectorImpl<Token> &line) {
  Token token;
  for (preprocessor.Lex(token); token.isNot(tok::eod); preprocessor.Lex(token))
    line.push_back(token);
  return token.getLocation();
}

class HintNamespace : public PragmaNamespace {
public:
  using PragmaNamespace::PragmaNamespace;

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &first) override {
    if (!preprocessor.isPreprocessedOutput())
      return PragmaNamespace::HandlePragma(preprocessor, introducer, first);
    llvm::SmallVector<Token, 32> line;
    takeLine(preprocessor, line);
    std::string text = ("#pragma " + getName()).str();
    for (const Token &token : line)
      text += " " + preprocessor.getSpelling(token);
    // One token, whose text is the line. Punctuators would be printed without their spelling.
    Token whole;
    whole.startToken();
    whole.setKind(tok::unknown);
    preprocessor.CreateString(text + "\n", whole, first.getLocation(), first.getLocation());
    whole.setFlag(Token::StartOfLine);
    enterTokens(preprocessor, whole);
  }
};
struct OmpdsmNamespace : HintNamespace {
  OmpdsmNamespace() : HintNamespace("ompdsm") {}
};
struct OmpdNamespace : HintNamespace {
  OmpdNamespace() : HintNamespace("ompd") {}
};

/// Handles every line of a namespace, as the handler without a name.
class HintHandler final : public PragmaHandler {
public:
  HintHandler(StringRef pragma, std::shared_ptr<const TokenScope> scope)
      : pragma_(pragma), scope_(std::move(scope)) {}

  void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer,
                    Token &first) override {
    const TokenScope before = *scope_; // The line's own tokens do not count.
    llvm::SmallVector<Token, 32> line;
    SourceLocation end = first.getLocation();
    if (first.isNot(tok::eod)) {
      line.push_back(first);
      end = takeLine(preprocessor, line);
    }
    replaceHints(preprocessor, {pragma_, introducer.Loc, end, line}, before);
  }

private:
  const StringRef pragma_;
  const std::shared_ptr<const TokenScope> scope_;
};

} // namespace

void registerHintPragmas() {
  static PragmaHandlerRegistry::Add<OmpdsmNamespace> ompdsm("ompdsm", "hints of ompdsm");
  static PragmaHandlerRegistry::Add<OmpdNamespace> ompd("ompd", "hints of Balder");
}

void handleHintPragmas(Preprocessor &preprocessor) {
  const bool plusPlus = preprocessor.getLangOpts().CPlusPlus;
  preprocessor.setPredefines(
      preprocessor.getPredefines() + (plusPlus ? "extern \"C\" " : "") +
      "void __ompdsm_hint(int, const volatile void *, __typeof__(sizeof(0)), "
      "const char *) __attribute__((nothrow));\n");
  auto scope = std::make_shared<TokenScope>();
  preprocessor.setTokenWatcher([scope](const Token &token) { scope->see(token); });
  for (StringRef name : {"ompdsm", "ompd"})
    preprocessor.AddPragmaHandler(name, new HintHandler(name, scope)); // The namespace owns it.
}

} // namespace ompdsm
