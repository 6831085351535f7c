// ExtractedValues.h: values that streams of libstdc++ read into the program's variables.
#pragma once
namespace llvm {
class Module;
}
namespace ompdsm {

/// std::istream::_M_extract<T>(T &), which is instantiated in the program (ExternTemplates), hands
/// its reference to a virtual function of libstdc++.so, which stores without a check. Asks for the
/// write permission in front. Runs before the optimiser, which inlines the function. Returns
/// whether the module changed.
bool askForExtractedValues(llvm::Module &module);

} // namespace ompdsm
