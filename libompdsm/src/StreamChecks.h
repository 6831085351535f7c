// StreamChecks.h: permissions for streams of C++ and their buffers, which are memory of the program
// that code of libstdc++ uses.
#pragma once
#include "libompdsm/src/Checks.h"
#include <istream>
#include <streambuf>

namespace ompdsm {

/// Protected members of a buffer, by pointers that a derived class may form.
struct BufferAreas : std::streambuf {
  using Getter = char *(std::streambuf::*)() const;
  static constexpr Getter getBegin = &BufferAreas::eback, getEnd = &BufferAreas::egptr;
};

/// The buffer's pointers for writing, and what there is to be got.
inline void bufferForReading(std::streambuf *buffer) {
  ensureWrite(buffer, sizeof *buffer);
  if (const char *begin = (buffer->*BufferAreas::getBegin)())
    ensureRead(begin, std::size_t((buffer->*BufferAreas::getEnd)() - begin));
}
/// What an input function of the library uses of a stream without calling its buffer's functions.
inline void streamForReading(std::istream &in) {
  ensureWrite(&in, sizeof in);
  std::ios &state = in;
  ensureWrite(&state, sizeof state);
  if (std::streambuf *buffer = in.rdbuf())
    bufferForReading(buffer);
}

} // namespace ompdsm
