// InterceptNumbers.cpp: functions that read a number from a text, and qsort.
#include "libompdsm/src/Interception.h"
#include <cctype>

using namespace ompdsm;

namespace {

/// Read permission for what a conversion may look at: space, then anything that can be part of a
/// number, "nan(...)" included, and the byte after it. Not the whole string: programs convert long
/// buffers number by number.
void ensureNumber(const char *text) {
  bool inNumber = false;
  for (const char *at = text;; ++at) {
    if (at == text || reinterpret_cast<Address>(at) % OMPDSM_LINE_BYTES == 0)
      ensureRead(at, 1);
    const auto c = static_cast<unsigned char>(*at);
    const bool isPart = std::isalnum(c) || c == '+' || c == '-' || c == '.' || c == ',' ||
                        c == '(' || c == ')' || c == '_' || c >= 128;
    if (!isPart && (inNumber || !std::isspace(c)))
      return;
    inNumber |= isPart;
  }
}

void ensureConversion(const void *caller, const char *text, char **end) {
  if (!mustAsk(caller))
    return;
  ensureNumber(text);
  if (end)
    ensureWrite(end, sizeof *end);
}

} // namespace

// With a base, each also under the names that C99 and C23 headers of the C library give it.
#define OMPDSM_INTEGER(type, name)                                                                 \
  OMPDSM_INTERPOSE(type, name, (const char *text, char **end, int base)) {                         \
    ensureConversion(OMPDSM_CALLER, text, end);                                                    \
    return real_##name.get()(text, end, base);                                                     \
  }
#define OMPDSM_REAL(type, name)                                                                    \
  OMPDSM_INTERPOSE(type, name, (const char *text, char **end)) {                                   \
    ensureConversion(OMPDSM_CALLER, text, end);                                                    \
    return real_##name.get()(text, end);                                                           \
  }
#define OMPDSM_SIMPLE(type, name)                                                                  \
  OMPDSM_INTERPOSE(type, name, (const char *text)) {                                               \
    ensureConversion(OMPDSM_CALLER, text, nullptr);                                                \
    return real_##name.get()(text);                                                                \
  }

OMPDSM_INTEGER(long, strtol)
OMPDSM_INTEGER(unsigned long, strtoul)
OMPDSM_INTEGER(long long, strtoll)
OMPDSM_INTEGER(unsigned long long, strtoull)
OMPDSM_INTEGER(long, __isoc23_strtol)
OMPDSM_INTEGER(unsigned long, __isoc23_strtoul)
OMPDSM_INTEGER(long long, __isoc23_strtoll)
OMPDSM_INTEGER(unsigned long long, __isoc23_strtoull)
OMPDSM_REAL(float, strtof)
OMPDSM_REAL(double, strtod)
OMPDSM_REAL(long double, strtold)
OMPDSM_SIMPLE(int, atoi)
OMPDSM_SIMPLE(long, atol)
OMPDSM_SIMPLE(long long, atoll)
OMPDSM_SIMPLE(double, atof)

OMPDSM_INTERPOSE(void, qsort,
                 (void *array, std::size_t count, std::size_t bytes,
                  int (*compare)(const void *, const void *))) {
  // The C library moves the elements; the comparison is the program's and asks for itself.
  if (mustAsk(OMPDSM_CALLER))
    ensureWrite(array, count * bytes);
  real_qsort.get()(array, count, bytes, compare);
}
