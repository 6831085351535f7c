// ExternTemplates.h: makes the compilation instantiate the templates of libstdc++ that touch the
// program's own objects, instead of calling the copies that libstdc++.so has of them, without
// checks.
//
// libstdc++ declares these instantiations extern only where its macro _GLIBCXX_EXTERN_TEMPLATE is
// not 0. The macro is set without asking whether it is defined, so a predefinition has no effect;
// it is replaced while one of the headers in question is read. Others (locales, file buffers) keep
// theirs: they hold objects of the library, which must exist once.
#pragma once

namespace clang {
class Preprocessor;
}

namespace ompdsm {

/// To be called before the main file is entered.
void instantiateLibraryTemplates(clang::Preprocessor &preprocessor);

} // namespace ompdsm
