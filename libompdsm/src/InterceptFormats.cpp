// InterceptFormats.cpp: the printf and scanf families.
//
// The forms with "..." call the real form with a va_list. What is printed to memory needs write
// permission for as many bytes as the result has, which only printing tells: it is printed twice.
#include "libompdsm/src/FormatWalker.h"
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/RemoteStreams.h"
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

using namespace ompdsm;

namespace {

constinit RealFunction<int(char *, std::size_t, const char *, va_list)> realVsnprintf{"vsnprintf"};

void ensurePrinted(const char *format, va_list arguments) {
  va_list copy;
  va_copy(copy, arguments);
  ensurePrintfArguments(format, copy);
  va_end(copy);
}

/// Also asks for the target, of at most `most` bytes.
void ensurePrintedTo(char *target, std::size_t most, const char *format, va_list arguments) {
  ensurePrinted(format, arguments);
  va_list copy;
  va_copy(copy, arguments);
  const int length = realVsnprintf.get()(nullptr, 0, format, copy);
  va_end(copy);
  if (length >= 0 && most != 0)
    ensureWrite(target, std::min(most, static_cast<std::size_t>(length) + 1));
}

void ensureScanned(const char *format, va_list arguments, std::size_t inputBytes) {
  va_list copy;
  va_copy(copy, arguments);
  ensureScanfArguments(format, copy, inputBytes);
  va_end(copy);
}

/// As vfprintf, if another node has opened the stream; what is printed has been asked for.
std::optional<int> printElsewhere(std::FILE *file, const char *format, va_list list) {
  RemoteStreams *streams = remoteStreamsFor(file);
  if (!streams)
    return std::nullopt;
  va_list again;
  va_copy(again, list);
  const int length = realVsnprintf.get()(nullptr, 0, format, list);
  std::string text(std::size_t(std::max(length, 0)) + 1, '\0');
  if (length >= 0)
    realVsnprintf.get()(text.data(), text.size(), format, again);
  va_end(again);
  text.pop_back();
  return length < 0 || streams->write(file, text) != text.size() ? -1 : length;
}

} // namespace

// A family is a va_list form and a "..." form with the same arguments before; `ask` runs for both,
// and `instead` may have a result without the real function.
#define OMPDSM_FORMATS(listForm, plainForm, parameters, ask, arguments, instead)                   \
  OMPDSM_INTERPOSE(int, listForm, (OMPDSM_UNPACK parameters, va_list list)) {                      \
    if (mustAsk(OMPDSM_CALLER)) {                                                                  \
      ask;                                                                                         \
      if (const std::optional<int> result = instead)                                               \
        return *result;                                                                            \
    }                                                                                              \
    return real_##listForm.get()(OMPDSM_UNPACK arguments, list);                                   \
  }                                                                                                \
  OMPDSM_INTERPOSE(int, plainForm, (OMPDSM_UNPACK parameters, ...)) {                              \
    va_list list;                                                                                  \
    va_start(list, format);                                                                        \
    std::optional<int> result;                                                                     \
    if (mustAsk(OMPDSM_CALLER)) {                                                                  \
      ask;                                                                                         \
      result = instead;                                                                            \
    }                                                                                              \
    if (!result)                                                                                   \
      result = real_##listForm.get()(OMPDSM_UNPACK arguments, list);                               \
    va_end(list);                                                                                  \
    return *result;                                                                                \
  }
#define OMPDSM_FORMAT_FAMILY(listForm, plainForm, parameters, ask, arguments)                      \
  OMPDSM_FORMATS(listForm, plainForm, parameters, ask, arguments, std::nullopt)
#define OMPDSM_UNPACK(...) __VA_ARGS__

// An unused wrapper object per "..." form comes of the macro; the real one is never looked up.
#pragma clang diagnostic ignored "-Wunused-variable"

OMPDSM_FORMAT_FAMILY(vprintf, printf, (const char *format), ensurePrinted(format, list), (format))
OMPDSM_FORMAT_FAMILY(vdprintf, dprintf, (int fd, const char *format), ensurePrinted(format, list),
                     (fd, format))
OMPDSM_FORMAT_FAMILY(vsprintf, sprintf, (char *to, const char *format),
                     ensurePrintedTo(to, SIZE_MAX, format, list), (to, format))
OMPDSM_FORMAT_FAMILY(vsnprintf, snprintf, (char *to, std::size_t most, const char *format),
                     ensurePrintedTo(to, most, format, list), (to, most, format))
OMPDSM_FORMAT_FAMILY(vasprintf, asprintf, (char **to, const char *format),
                     (ensurePrinted(format, list), ensureWrite(to, sizeof *to)), (to, format))

// The names that programs compiled with _FORTIFY_SOURCE call.
OMPDSM_FORMAT_FAMILY(__vprintf_chk, __printf_chk, (int flag, const char *format),
                     ensurePrinted(format, list), (flag, format))
OMPDSM_FORMAT_FAMILY(__vsprintf_chk, __sprintf_chk,
                     (char *to, int flag, std::size_t room, const char *format),
                     ensurePrintedTo(to, SIZE_MAX, format, list), (to, flag, room, format))
OMPDSM_FORMAT_FAMILY(__vsnprintf_chk, __snprintf_chk,
                     (char *to, std::size_t most, int flag, std::size_t room, const char *format),
                     ensurePrintedTo(to, most, format, list), (to, most, flag, room, format))

OMPDSM_FORMAT_FAMILY(__vdprintf_chk, __dprintf_chk, (int fd, int flag, const char *format),
                     ensurePrinted(format, list), (fd, flag, format))
OMPDSM_FORMAT_FAMILY(__vasprintf_chk, __asprintf_chk, (char **to, int flag, const char *format),
                     (ensurePrinted(format, list), ensureWrite(to, sizeof *to)), (to, flag, format))

// To a stream, which may be another node's.
OMPDSM_FORMATS(vfprintf, fprintf, (std::FILE * file, const char *format),
               ensurePrinted(format, list), (file, format), printElsewhere(file, format, list))
OMPDSM_FORMATS(__vfprintf_chk, __fprintf_chk, (std::FILE * file, int flag, const char *format),
               ensurePrinted(format, list), (file, flag, format),
               printElsewhere(file, format, list))

// scanf has one name for each standard of C that changed it.
#define OMPDSM_SCANF(prefix)                                                                       \
  OMPDSM_FORMAT_FAMILY(prefix##vscanf, prefix##scanf, (const char *format),                        \
                       ensureScanned(format, list, kUnknownInput), (format))                       \
  OMPDSM_FORMAT_FAMILY(                                                                            \
      prefix##vfscanf, prefix##fscanf, (std::FILE * file, const char *format),                     \
      (requireOwnStream(file, "fscanf"), ensureScanned(format, list, kUnknownInput)),              \
      (file, format))                                                                              \
  OMPDSM_FORMAT_FAMILY(prefix##vsscanf, prefix##sscanf, (const char *text, const char *format),    \
                       ensureScanned(format, list, ensureString(text)), (text, format))
OMPDSM_SCANF()
OMPDSM_SCANF(__isoc99_)
OMPDSM_SCANF(__isoc23_)
