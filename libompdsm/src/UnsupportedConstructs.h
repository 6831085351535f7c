// UnsupportedConstructs.h: which entries of libomp end the job when they are called in a region
// that spans nodes, instead of silently working in one node only.
#pragma once
#include <cstddef>

namespace ompdsm {

struct UnsupportedConstruct {
  const char *function;  ///< The entry's name in libomp.
  const char *construct; ///< In OpenMP's words, for the message.
  bool hasLocation;      ///< Its first argument is an Ident.
};

/// The list of UnsupportedConstructs.def.
extern const UnsupportedConstruct kUnsupportedConstructs[];
extern const std::size_t kUnsupportedConstructCount;

} // namespace ompdsm
