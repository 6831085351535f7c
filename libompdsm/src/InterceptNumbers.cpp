// InterceptNumbers.cpp: functions that read a number from a text or write it to one, and those that
// sort and search with a comparison of the program.
#include "libompdsm/src/Interception.h"
#include <cctype>
#include <cinttypes>
#include <cstddef>

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
OMPDSM_INTEGER(std::intmax_t, strtoimax)
OMPDSM_INTEGER(std::uintmax_t, strtoumax)
OMPDSM_INTEGER(std::intmax_t, __isoc23_strtoimax)
OMPDSM_INTEGER(std::uintmax_t, __isoc23_strtoumax)
OMPDSM_REAL(float, strtof)
OMPDSM_REAL(double, strtod)
OMPDSM_REAL(long double, strtold)
OMPDSM_SIMPLE(int, atoi)
OMPDSM_SIMPLE(long, atol)
OMPDSM_SIMPLE(long long, atoll)
OMPDSM_SIMPLE(double, atof)

OMPDSM_SIMPLE(long, a64l)

namespace {
/// Of a number in scientific notation, which these write without knowing how much room there is.
constexpr std::size_t kMostOfNumber = 400;
} // namespace
OMPDSM_WRAP(char *, gcvt, (double value, int digits, char *to), (value, digits, to),
            ensureWriteUpTo(to, kMostOfNumber);)
#define OMPDSM_NUMBER_TEXT(name, type)                                                             \
  OMPDSM_WRAP(int, name, (char *to, std::size_t bytes, const char *format, type value),            \
              (to, bytes, format, value), ensureString(format);                                    \
              if (bytes) ensureWriteUpTo(to, bytes);)
OMPDSM_NUMBER_TEXT(strfromd, double)
OMPDSM_NUMBER_TEXT(strfromf, float)
OMPDSM_NUMBER_TEXT(strfroml, long double)
#define OMPDSM_DIGITS(name)                                                                        \
  OMPDSM_WRAP(int, name,                                                                           \
              (double value, int digits, int *point, int *sign, char *to, std::size_t bytes),      \
              (value, digits, point, sign, to, bytes), ensureWrite(point, sizeof *point);          \
              ensureWrite(sign, sizeof *sign); ensureWriteUpTo(to, bytes);)
OMPDSM_DIGITS(ecvt_r)
OMPDSM_DIGITS(fcvt_r)

// The C library moves the elements; the comparison is the program's and asks for itself.
using Comparison = int (*)(const void *, const void *);
OMPDSM_WRAP(void, qsort, (void *array, std::size_t count, std::size_t bytes, Comparison compare),
            (array, count, bytes, compare), ensureWrite(array, count *bytes);)
OMPDSM_WRAP(void, qsort_r,
            (void *array, std::size_t count, std::size_t bytes,
             int (*compare)(const void *, const void *, void *), void *argument),
            (array, count, bytes, compare, argument), ensureWrite(array, count *bytes);)
OMPDSM_WRAP(void *, lfind,
            (const void *key, const void *array, std::size_t *count, std::size_t bytes,
             Comparison compare),
            (key, array, count, bytes, compare), ensureRead(count, sizeof *count);)
OMPDSM_WRAP(void *, lsearch,
            (const void *key, void *array, std::size_t *count, std::size_t bytes,
             Comparison compare),
            (key, array, count, bytes, compare), ensureRead(key, bytes);
            ensureWrite(count, sizeof *count);
            ensureWrite(static_cast<std::byte *>(array) + *count * bytes, bytes);)

namespace {
/// How what insque links begins.
struct Link {
  Link *next, *previous;
};
} // namespace
OMPDSM_WRAP(
    void, insque, (Link * element, Link *behind), (element, behind),
    ensureWrite(element, sizeof *element);
    if (behind) {
      ensureWrite(behind, sizeof *behind);
      if (behind->next)
        ensureWrite(behind->next, sizeof *behind->next);
    })
OMPDSM_WRAP(void, remque, (Link * element), (element), ensureRead(element, sizeof *element);
            if (element->next) ensureWrite(element->next, sizeof *element->next);
            if (element->previous) ensureWrite(element->previous, sizeof *element->previous);)
