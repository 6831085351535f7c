// HintPragmas.h: #pragma ompdsm and #pragma ompd: what they say becomes calls of the runtime
// (__ompdsm_hint of ompdsm/abi.def) at their place.
//
//   #pragma ompdsm distribute(block: a, b[0:n])   threads work on contiguous parts of a
//   #pragma ompd broadcast(x)                     all nodes read x next
//
// What the clauses are is in Hints.def. A hint never changes a result; a wrong one is an error at
// its place. Under -E the pragma stays in the text, for the compilation of it.
#pragma once

namespace clang {
class Preprocessor;
}

namespace ompdsm {

/// Once, where the host is Clang: every preprocessor knows the pragmas.
void registerHintPragmas();

/// To be called before the main file is entered, by a compilation that makes code.
void handleHintPragmas(clang::Preprocessor &preprocessor);

} // namespace ompdsm
