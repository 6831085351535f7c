// HintClauses.cpp: a clause is parsed from the line's tokens and replaced by those of a call.
#include "HintClauses.h"
#include "TokenScope.h"
#include "ompdsm/abi.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/StringExtras.h"
#include <memory>
#include <optional>

using namespace clang;
using llvm::ArrayRef;
using llvm::StringRef;

namespace ompdsm {
namespace {

constexpr int kPlanned = -1;

struct Clause {
  StringRef pragma, name, modifier;
  int kind;
};
constexpr Clause kClauses[] = {
#define OMPDSM_HINT_CLAUSE(pragma, name, modifier, kind) {pragma, name, modifier, kind},
#include "Hints.def"
};

/// The tokens of the calls that replace a line. Each has the place of a token that the user wrote.
class Replacement {
public:
  explicit Replacement(Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

  void place(SourceLocation where) { where_ = where; }
  void word(StringRef text) {
    Token token = make();
    IdentifierInfo *identifier = preprocessor_.getIdentifierInfo(text);
    token.setIdentifierInfo(identifier);
    token.setKind(identifier->getTokenID());
    token.setLength(static_cast<unsigned>(text.size()));
    tokens_.push_back(token);
  }
  void punctuation(tok::TokenKind kind) { spelled(kind, tok::getPunctuatorSpelling(kind)); }
  void number(int value) { spelled(tok::numeric_constant, std::to_string(value)); }
  void string(StringRef text) {
    std::string quoted;
    llvm::raw_string_ostream stream(quoted);
    stream << '"';
    stream.write_escaped(text);
    stream << '"';
    spelled(tok::string_literal, quoted);
  }
  void tokens(ArrayRef<Token> given) { tokens_.append(given.begin(), given.end()); }

  void enter() {
    if (!tokens_.empty())
      enterTokens(preprocessor_, tokens_);
  }

private:
  Token make() const {
    Token token;
    token.startToken();
    token.setLocation(where_);
    return token;
  }
  void spelled(tok::TokenKind kind, StringRef text) {
    Token token = make();
    token.setKind(kind);
    preprocessor_.CreateString(text, token, where_, where_);
    tokens_.push_back(token);
  }

  Preprocessor &preprocessor_;
  SourceLocation where_;
  llvm::SmallVector<Token, 64> tokens_;
};

/// One pragma line. Every error is reported once, and ends it.
class LineParser {
public:
  LineParser(Preprocessor &preprocessor, const HintLine &line, const TokenScope &scope)
      : preprocessor_(preprocessor), rest_(line.tokens), end_(line.end), begin_(line.begin),
        pragma_(line.pragma), scope_(scope) {}

  void handle() {
    if (rest_.empty()) {
      error(end_, "expected a clause after '#pragma %0'; known are %1") << pragma_ << known();
      return;
    }
    Replacement replacement(preprocessor_);
    while (!rest_.empty())
      if (rest_.front().is(tok::comma))
        rest_ = rest_.drop_front();
      else if (!handleClause(replacement))
        return;
    replacement.enter();
  }

private:
  template <unsigned N> DiagnosticBuilder error(SourceLocation where, const char (&text)[N]) {
    return report(where, DiagnosticsEngine::Error, text);
  }
  template <unsigned N>
  DiagnosticBuilder report(SourceLocation where, DiagnosticsEngine::Level level,
                           const char (&text)[N]) {
    DiagnosticsEngine &diagnostics = preprocessor_.getDiagnostics();
    return diagnostics.Report(where, diagnostics.getCustomDiagID(level, text));
  }

  std::string known() const {
    llvm::SmallVector<std::string, 8> names;
    for (const Clause &clause : kClauses)
      if (clause.pragma == pragma_ && clause.kind != kPlanned)
        names.push_back("'" + clause.name.str() + "'");
    return llvm::join(names, ", ");
  }

  const Clause *clauseNamed(const Token &name) const {
    const IdentifierInfo *identifier = name.getIdentifierInfo();
    for (const Clause &clause : kClauses)
      if (identifier && clause.pragma == pragma_ && identifier->getName() == clause.name)
        return &clause;
    return nullptr;
  }

  bool handleClause(Replacement &replacement) {
    const Token name = rest_.front();
    const Clause *clause = clauseNamed(name);
    if (!clause) {
      error(name.getLocation(), "unknown hint '%0' in '#pragma %1'; known are %2")
          << preprocessor_.getSpelling(name) << pragma_ << known()
          << SourceRange(name.getLocation());
      return false;
    }
    if (clause->kind == kPlanned) {
      report(name.getLocation(), DiagnosticsEngine::Warning,
             "the hint '%0' is not supported yet and has no effect")
          << clause->name;
      rest_ = {};
      return true;
    }
    rest_ = rest_.drop_front();
    if (rest_.empty() || rest_.front().isNot(tok::l_paren)) {
      error(rest_.empty() ? end_ : rest_.front().getLocation(), "expected '(' after '%0'")
          << clause->name;
      return false;
    }
    const SourceLocation opening = rest_.front().getLocation();
    const std::optional<ArrayRef<Token>> inside = takeParenthesised();
    if (!inside) {
      error(end_, "expected ')'");
      report(opening, DiagnosticsEngine::Note, "to match this '('");
      return false;
    }
    return isPlaceOfStatement() && handleObjects(*clause, *inside, opening, replacement);
  }

  /// What is between the parenthesis at the front and its partner; takes both away.
  std::optional<ArrayRef<Token>> takeParenthesised() {
    unsigned depth = 0;
    for (std::size_t at = 0; at < rest_.size(); ++at) {
      depth += rest_[at].isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
      depth -= rest_[at].isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
      if (depth == 0) {
        const ArrayRef<Token> inside = rest_.slice(1, at - 1);
        const bool matches = rest_[at].is(tok::r_paren);
        rest_ = rest_.drop_front(at + 1);
        return matches ? std::optional(inside) : std::nullopt;
      }
    }
    return std::nullopt;
  }

  /// A call is a statement of its own: elsewhere it would change what the program does.
  bool isPlaceOfStatement() {
    if (!scope_.isInCode())
      error(begin_, "'#pragma %0' may only be used inside a function") << pragma_;
    else if (scope_.isBeforeSubstatement())
      error(begin_, "'#pragma %0' cannot be the body of a statement; put braces around it and the "
                    "statement that follows")
          << pragma_;
    else if (scope_.isBeforeDirectivesStatement())
      error(begin_, "'#pragma %0' must come before the OpenMP directive, not between it and its "
                    "statement")
          << pragma_;
    else
      return true;
    return false;
  }

  bool handleObjects(const Clause &clause, ArrayRef<Token> inside, SourceLocation opening,
                     Replacement &replacement) {
    if (!clause.modifier.empty()) {
      const IdentifierInfo *word = inside.empty() ? nullptr : inside[0].getIdentifierInfo();
      if (!word || word->getName() != clause.modifier || inside.size() < 2 ||
          inside[1].isNot(tok::colon)) {
        error(inside.empty() ? opening : inside[0].getLocation(), "expected '%0:' in '%1'")
            << clause.modifier << clause.name;
        return false;
      }
      inside = inside.drop_front(2);
    }
    for (bool more = true; more;) {
      std::size_t length = 0;
      for (unsigned depth = 0; length < inside.size(); ++length) {
        if (depth == 0 && inside[length].is(tok::comma))
          break;
        depth += inside[length].isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
        depth -= inside[length].isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
      }
      if (length == 0) {
        error(inside.empty() ? opening : inside[0].getLocation(), "expected a variable in '%0'")
            << clause.name;
        return false;
      }
      addCall(clause, inside.take_front(length), replacement);
      more = length < inside.size();
      inside = inside.drop_front(length + more);
    }
    return true;
  }

  /// { auto p = &(object); __ompdsm_hint(kind, p, sizeof(*p), "file:line"); } The object's tokens
  /// appear once, so that an error in them is reported once. `object[lo:n]` becomes
  /// `&(object)[lo]` and `(n) * sizeof(*p)`.
  void addCall(const Clause &clause, ArrayRef<Token> object, Replacement &out) {
    ArrayRef<Token> low, count;
    const bool isSection = splitSection(object, low, count);
    out.place(object.front().getLocation());
    out.punctuation(tok::l_brace);
    if (preprocessor_.getLangOpts().CPlusPlus) {
      out.word("auto");
    } else {
      out.word("__extension__");
      out.word("__auto_type");
    }
    out.word("__ompdsm_object");
    out.punctuation(tok::equal);
    out.punctuation(tok::amp);
    out.punctuation(tok::l_paren);
    out.tokens(object);
    out.place(object.back().getLocation());
    out.punctuation(tok::r_paren);
    if (isSection) {
      out.punctuation(tok::l_square);
      if (low.empty())
        out.number(0);
      out.tokens(low);
      out.punctuation(tok::r_square);
    }
    out.punctuation(tok::semi);
    out.word("__ompdsm_hint");
    out.punctuation(tok::l_paren);
    out.number(clause.kind);
    out.punctuation(tok::comma);
    out.word("__ompdsm_object");
    out.punctuation(tok::comma);
    if (isSection) {
      out.punctuation(tok::l_paren);
      out.tokens(count);
      out.punctuation(tok::r_paren);
      out.punctuation(tok::star);
    }
    out.word("sizeof");
    out.punctuation(tok::l_paren);
    out.punctuation(tok::star);
    out.word("__ompdsm_object");
    out.punctuation(tok::r_paren);
    out.punctuation(tok::comma);
    const PresumedLoc place = preprocessor_.getSourceManager().getPresumedLoc(begin_);
    out.string(place.isValid()
                   ? std::string(place.getFilename()) + ":" + std::to_string(place.getLine())
                   : std::string());
    out.punctuation(tok::r_paren);
    out.punctuation(tok::semi);
    out.punctuation(tok::r_brace);
  }

  /// `object[low:count]`: clang takes a colon there for another language's.
  static bool splitSection(ArrayRef<Token> &object, ArrayRef<Token> &low, ArrayRef<Token> &count) {
    if (object.back().isNot(tok::r_square))
      return false;
    std::size_t opening = 0, colon = 0;
    unsigned depth = 0;
    for (std::size_t at = 0; at < object.size(); ++at) {
      if (object[at].is(tok::l_square) && depth++ == 0)
        opening = at, colon = 0;
      depth -= object[at].is(tok::r_square);
      if (object[at].is(tok::colon) && depth == 1)
        colon = at;
    }
    if (colon == 0)
      return false;
    low = object.slice(opening + 1, colon - opening - 1);
    count = object.slice(colon + 1, object.size() - colon - 2);
    object = object.take_front(opening);
    return true;
  }

  Preprocessor &preprocessor_;
  ArrayRef<Token> rest_; ///< What is still to be parsed.
  const SourceLocation end_, begin_;
  const StringRef pragma_;
  const TokenScope &scope_;
};

} // namespace

void enterTokens(Preprocessor &preprocessor, ArrayRef<Token> tokens) {
  auto owned = std::make_unique<Token[]>(tokens.size());
  std::copy(tokens.begin(), tokens.end(), owned.get());
  preprocessor.EnterTokenStream(std::move(owned), static_cast<unsigned>(tokens.size()),
                                /*DisableMacroExpansion=*/true, /*IsReinject=*/false);
}

void replaceHints(Preprocessor &preprocessor, const HintLine &line, const TokenScope &scope) {
  LineParser(preprocessor, line, scope).handle();
}

} // namespace ompdsm
