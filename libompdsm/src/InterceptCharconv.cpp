// InterceptCharconv.cpp: std::to_chars and std::from_chars of floating-point numbers, which are in
// libstdc++.so. (Those of integers are templates.)
#include "libompdsm/src/Interception.h"
#include <algorithm>

using namespace ompdsm;

namespace {

/// std::to_chars_result and std::from_chars_result, as they travel in registers.
struct CharsResult {
  const char *end;
  int error;
};

/// No number has more characters that matter; the text may go on for megabytes.
constexpr std::ptrdiff_t kMostCharacters = 8192;

void forWriting(char *first, char *last) {
  if (first < last)
    ensureWriteUpTo(first, std::size_t(std::min(last - first, kMostCharacters)));
}

void forReading(const char *first, const char *last) {
  if (first < last)
    ensureRead(first, std::size_t(std::min(last - first, kMostCharacters)));
}

} // namespace

/// The functions of one type; `letter` is the type's in mangled names. A format is a number.
#define OMPDSM_CHARCONV(letter, type)                                                              \
  OMPDSM_INTERPOSE(CharsResult, _ZSt8to_charsPcS_##letter,                                         \
                   (char *first, char *last, type value)) {                                        \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      forWriting(first, last);                                                                     \
    return real__ZSt8to_charsPcS_##letter.get()(first, last, value);                               \
  }                                                                                                \
  OMPDSM_INTERPOSE(CharsResult, _ZSt8to_charsPcS_##letter##St12chars_format,                       \
                   (char *first, char *last, type value, int format)) {                            \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      forWriting(first, last);                                                                     \
    return real__ZSt8to_charsPcS_##letter##St12chars_format.get()(first, last, value, format);     \
  }                                                                                                \
  OMPDSM_INTERPOSE(CharsResult, _ZSt8to_charsPcS_##letter##St12chars_formati,                      \
                   (char *first, char *last, type value, int format, int precision)) {             \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      forWriting(first, last);                                                                     \
    return real__ZSt8to_charsPcS_##letter##St12chars_formati.get()(first, last, value, format,     \
                                                                   precision);                     \
  }                                                                                                \
  OMPDSM_INTERPOSE(CharsResult, _ZSt10from_charsPKcS0_R##letter##St12chars_format,                 \
                   (const char *first, const char *last, type *value, int format)) {               \
    if (mustAsk(OMPDSM_CALLER)) {                                                                  \
      forReading(first, last);                                                                     \
      ensureWrite(value, sizeof *value);                                                           \
    }                                                                                              \
    return real__ZSt10from_charsPKcS0_R##letter##St12chars_format.get()(first, last, value,        \
                                                                        format);                   \
  }

OMPDSM_CHARCONV(f, float)
OMPDSM_CHARCONV(d, double)
OMPDSM_CHARCONV(e, long double)
