// ClangPlugin.cpp: the entry of clang -fplugin=. It puts the passes into the compilation's
// pipeline, predefines __OMPDSM__ and takes the arguments -fplugin-arg-ompdsm-<name>[=value].
//
// Its Clang symbols are weak, because opt and lld, which have none, load the same file;
// registration happens only where they exist. With -fpass-plugin= this entry is used as well (Clang
// loads the file before it parses), but the passes are registered by PassPlugin.cpp.
#include "Compat.h"
#include "ExternTemplates.h"
#include "HintPragmas.h"
#include "PassOptions.h"
#include "Pipeline.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include <dlfcn.h>

using namespace clang;

namespace {

class OmpdsmAction : public PluginASTAction {
public:
  ActionType getActionType() override { return AddBeforeMainAction; }

  bool ParseArgs(const CompilerInstance &compiler,
                 const std::vector<std::string> &arguments) override {
    for (const std::string &argument : arguments) {
      if (!options_.empty())
        options_ += ',';
      options_ += argument;
    }
    ompdsm::PassOptions parsed;
    if (llvm::Error error = parsed.parse(options_)) {
      DiagnosticsEngine &diagnostics = compiler.getDiagnostics();
      diagnostics.Report(diagnostics.getCustomDiagID(DiagnosticsEngine::Error, "%0"))
          << llvm::toString(std::move(error));
      return false;
    }
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &compiler,
                                                 llvm::StringRef) override {
    CodeGenOptions &codeGeneration = compiler.getCodeGenOpts();
    if (!ompdsm::isPassPlugin(compiler))
      codeGeneration.PassBuilderCallbacks.push_back(ompdsm::registerPasses);
    if (!options_.empty())
      codeGeneration.DefaultFunctionAttrs.push_back(std::string(ompdsm::PassOptions::attribute) +
                                                    '=' + options_);
    Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.setPredefines(preprocessor.getPredefines() + "#undef __OMPDSM__\n"
                                                              "#define __OMPDSM__ 1\n");
    ompdsm::handleHintPragmas(preprocessor);
    ompdsm::instantiateLibraryTemplates(preprocessor);
    return std::make_unique<ASTConsumer>();
  }

private:
  std::string options_;
};

/// The head of Clang's list of plugins (FrontendPluginRegistry), which only Clang has.
constexpr const char *kRegistrySymbol = "_ZN4llvm8RegistryIN5clang15PluginASTActionEE4HeadE";

__attribute__((constructor)) void registerWithClang() {
  if (!dlsym(RTLD_DEFAULT, kRegistrySymbol))
    return;
  static FrontendPluginRegistry::Add<OmpdsmAction> action(ompdsm::kPluginName,
                                                          "OpenMP programs on several nodes");
  ompdsm::registerHintPragmas();
}

} // namespace
