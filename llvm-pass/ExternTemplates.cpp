// ExternTemplates.cpp: follows the files that the preprocessor enters and leaves.
#include "ExternTemplates.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace ompdsm {
namespace {

/// Headers of libstdc++ whose templates read or write objects of the program: strings, streams and
/// their buffers, what is extracted from and inserted into them, complex numbers. Not those of
/// files, whose descriptors are of one node (libompdsm/src/InterceptFileBuffers.cpp).
bool touchesProgramObjects(llvm::StringRef file) {
  static constexpr llvm::StringRef headers[] = {
      "basic_string.tcc", "istream.tcc", "ostream.tcc",   "ostream_insert.h", "sstream.tcc",
      "complex",          "iomanip",     "streambuf.tcc", "basic_ios.tcc"};
  return llvm::is_contained(headers, llvm::sys::path::filename(file));
}

class ReplaceMacroInHeaders final : public PPCallbacks {
public:
  explicit ReplaceMacroInHeaders(Preprocessor &preprocessor)
      : preprocessor_(preprocessor),
        macro_(preprocessor.getIdentifierInfo("_GLIBCXX_EXTERN_TEMPLATE")) {}

  void LexedFileChanged(FileID file, LexedFileChangeReason, SrcMgr::CharacteristicKind, FileID,
                        SourceLocation where) override {
    restore();
    const SourceManager &sources = preprocessor_.getSourceManager();
    const OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
    if (entry && touchesProgramObjects(entry->getName()))
      replace(where);
  }

private:
  void replace(SourceLocation where) {
    saved_ = preprocessor_.getMacroInfo(macro_);
    if (saved_)
      define(where, zeroToken());
  }

  void restore() {
    if (!saved_)
      return;
    define(saved_->getDefinitionLoc(), {saved_->tokens_begin(), saved_->tokens_end()});
    saved_ = nullptr;
  }

  void define(SourceLocation where, llvm::ArrayRef<Token> tokens) {
    MacroInfo *info = preprocessor_.AllocateMacroInfo(where);
    info->setTokens(tokens, preprocessor_.getPreprocessorAllocator());
    info->setDefinitionEndLoc(where);
    preprocessor_.appendDefMacroDirective(macro_, info, where);
  }

  Token zeroToken() {
    Token token;
    token.startToken();
    token.setKind(tok::numeric_constant);
    preprocessor_.CreateString("0", token);
    return token;
  }

  Preprocessor &preprocessor_;
  IdentifierInfo *macro_;
  const MacroInfo *saved_ = nullptr;
};

} // namespace

void instantiateLibraryTemplates(Preprocessor &preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<ReplaceMacroInHeaders>(preprocessor));
}

} // namespace ompdsm
