// Pipeline.h: where the passes of ompdsm run in LLVM's pipeline.
#pragma once

namespace llvm {
class PassBuilder;
}
namespace ompdsm {

/// Registers all passes with a pass builder. Registered twice (the plugin came in two ways), each
/// function is still instrumented once.
void registerPasses(llvm::PassBuilder &builder);

} // namespace ompdsm
