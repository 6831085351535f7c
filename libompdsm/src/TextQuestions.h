// TextQuestions.h: reading a text no further than a function of the C library does.
//
// A text that lies in memory as a whole is taken apart by many short searches: each must not ask
// for all that follows.
#pragma once
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Checks.h"
#include "protocol/core/Types.h"
#include <bitset>

namespace ompdsm {

class CharacterSet {
public:
  /// Asks for the text.
  explicit CharacterSet(const char *characters) {
    ensureString(characters);
    for (; *characters; ++characters)
      set_.set(static_cast<unsigned char>(*characters));
  }
  bool contains(char c) const { return set_[static_cast<unsigned char>(c)]; }

private:
  std::bitset<256> set_;
};

/// Asks for the text up to the first character that stops the search, or its end, and returns where
/// that is.
template <class Stops> const char *ensureUntil(const char *text, Stops stops) {
  for (;; ++text) {
    // One question for a line: at its begin, and where the search begins.
    ensureRead(text, 1);
    do {
      if (*text == 0 || stops(*text))
        return text;
    } while (reinterpret_cast<Address>(++text) % OMPDSM_LINE_BYTES != 0);
    --text;
  }
}

} // namespace ompdsm
