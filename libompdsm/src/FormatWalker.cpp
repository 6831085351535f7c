// FormatWalker.cpp: a small reader of conversion specifications (C11 7.21.6, and glibc's
// additions).
#include "libompdsm/src/FormatWalker.h"
#include "libompdsm/src/Interception.h"
#include <cstdint>
#include <cwchar>

namespace ompdsm {
namespace {

/// One conversion specification, after its '%'.
struct Conversion {
  char letter = 0; ///< d, s, ...; 0 at the end of the format.
  int longs = 0;   ///< Of modifiers: hh is -2, h -1, l 1, ll 2.
  bool isLongDouble = false;
  bool isWide64 = false; ///< j, z, t.
  bool isNumbered = false;
  bool suppressed = false; ///< scanf's '*'.
  bool allocates = false;  ///< scanf's 'm'.
  bool hasWidth = false, widthFromArgument = false;
  bool hasPrecision = false, precisionFromArgument = false;
  std::size_t width = 0, precision = 0;
};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t readNumber(const char *&at) {
  std::size_t value = 0;
  for (; isDigit(*at); ++at)
    value = value < SIZE_MAX / 16 ? value * 10 + static_cast<std::size_t>(*at - '0') : value;
  return value;
}

void readModifiers(const char *&at, Conversion &c) {
  for (;; ++at) {
    switch (*at) {
    case 'h':
      --c.longs;
      break;
    case 'l':
      ++c.longs;
      break;
    case 'q':
      c.longs = 2;
      break;
    case 'L':
      c.isLongDouble = true;
      break;
    case 'j':
    case 'z':
    case 't':
      c.isWide64 = true;
      break;
    default:
      return;
    }
  }
}

/// Reads the next specification of a printf format and moves `at` behind it.
Conversion nextOfPrintf(const char *&at) {
  Conversion c;
  while (*at && *at != '%')
    ++at;
  if (!*at++)
    return c;
  for (; *at == '-' || *at == '+' || *at == ' ' || *at == '#' || *at == '0' || *at == '\'' ||
         *at == 'I';
       ++at)
    ;
  if (*at == '*')
    c.widthFromArgument = true, ++at;
  else
    c.width = readNumber(at);
  c.isNumbered = *at == '$' || (c.widthFromArgument && isDigit(*at));
  if (*at == '.') {
    c.hasPrecision = true;
    if (*++at == '*')
      c.precisionFromArgument = true, ++at;
    else
      c.precision = readNumber(at);
  }
  readModifiers(at, c);
  c.letter = *at;
  if (*at)
    ++at;
  return c;
}

/// The same for scanf. Leaves `at` behind the set of a %[.
Conversion nextOfScanf(const char *&at) {
  Conversion c;
  while (*at && *at != '%')
    ++at;
  if (!*at++)
    return c;
  if (*at == '*')
    c.suppressed = true, ++at;
  if (*at == '\'' || *at == 'I')
    ++at;
  c.hasWidth = isDigit(*at);
  c.width = readNumber(at);
  c.isNumbered = *at == '$';
  if (*at == 'm')
    c.allocates = true, ++at;
  readModifiers(at, c);
  c.letter = *at;
  if (!*at)
    return c;
  if (*at++ == '[') {
    if (*at == '^')
      ++at;
    if (*at == ']')
      ++at;
    while (*at && *at != ']')
      ++at;
    if (*at)
      ++at;
  }
  return c;
}

std::size_t integerBytes(const Conversion &c) {
  if (c.isWide64 || c.longs > 0 || c.isLongDouble)
    return 8;
  return c.longs == 0 ? sizeof(int) : c.longs == -1 ? sizeof(short) : 1;
}

void ensureWideString(const wchar_t *text, std::size_t most) {
  for (std::size_t i = 0; i < most; ++i) {
    ensureRead(text + i, sizeof *text);
    if (text[i] == 0)
      return;
  }
}

} // namespace

void ensurePrintfArguments(const char *format, va_list arguments) {
  ensureString(format);
  for (const char *at = format;;) {
    Conversion c = nextOfPrintf(at);
    if (c.letter == 0 || c.isNumbered)
      return;
    if (c.widthFromArgument)
      (void)va_arg(arguments, int);
    if (c.precisionFromArgument) {
      const int precision = va_arg(arguments, int);
      c.hasPrecision = precision >= 0; // A negative one counts as none.
      c.precision = static_cast<std::size_t>(precision);
    }
    const std::size_t most = c.hasPrecision ? c.precision : SIZE_MAX;
    switch (c.letter) {
    case '%':
    case 'm':
      break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'b':
    case 'B':
      (void)(integerBytes(c) == 8 ? va_arg(arguments, long) : va_arg(arguments, int));
      break;
    case 'c':
    case 'C':
      (void)va_arg(arguments, int);
      break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      if (c.isLongDouble)
        (void)va_arg(arguments, long double);
      else
        (void)va_arg(arguments, double);
      break;
    case 's':
    case 'S':
      if (const void *text = va_arg(arguments, const void *); !text)
        break; // glibc prints (null).
      else if (c.letter == 'S' || c.longs > 0)
        ensureWideString(static_cast<const wchar_t *>(text), most);
      else
        ensureString(static_cast<const char *>(text), most);
      break;
    case 'n':
      ensureWrite(va_arg(arguments, void *), integerBytes(c));
      break;
    case 'p':
      (void)va_arg(arguments, void *);
      break;
    default:
      return; // Unknown: how many arguments it takes, too.
    }
  }
}

void ensureScanfArguments(const char *format, va_list arguments, std::size_t inputBytes) {
  ensureString(format);
  for (const char *at = format;;) {
    const Conversion c = nextOfScanf(at);
    if (c.letter == 0 || c.isNumbered)
      return;
    if (c.suppressed || c.letter == '%')
      continue;
    void *target = va_arg(arguments, void *);
    const std::size_t unit =
        c.longs > 0 || c.letter == 'S' || c.letter == 'C' ? sizeof(wchar_t) : 1;
    if (c.allocates) {
      ensureWrite(target, sizeof(void *)); // The text itself is the C library's, pinned.
      continue;
    }
    switch (c.letter) {
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
    case 'n':
      ensureWrite(target, integerBytes(c));
      break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
      ensureWrite(target, c.isLongDouble ? sizeof(long double)
                          : c.longs > 0  ? sizeof(double)
                                         : sizeof(float));
      break;
    case 'c':
    case 'C':
      ensureWrite(target, (c.hasWidth ? c.width : 1) * unit);
      break;
    case 's':
    case 'S':
    case '[':
      if (c.hasWidth)
        ensureWriteUpTo(target, (c.width + 1) * unit);
      else
        ensureWriteUpTo(target, (inputBytes + 1) * unit);
      break;
    case 'p':
      ensureWrite(target, sizeof(void *));
      break;
    default:
      return;
    }
  }
}

} // namespace ompdsm
