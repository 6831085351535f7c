// InterceptTime.cpp: times and dates of the C library, in structures and texts of the caller.
#include "libompdsm/src/Interception.h"
#include <ctime>

using namespace ompdsm;

namespace {

/// As asctime_r and ctime_r need at least, and write at most.
constexpr std::size_t kDateBytes = 26;

/// The zone is a text of the C library or of the program.
void dateForReading(const std::tm *date) {
  ensureRead(date, sizeof *date);
  if (date->tm_zone)
    ensureString(date->tm_zone, 64);
}

} // namespace

OMPDSM_INTERPOSE(std::tm *, gmtime_r, (const std::time_t *time, std::tm *date)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(time, sizeof *time);
    ensureWrite(date, sizeof *date);
  }
  return real_gmtime_r.get()(time, date);
}

OMPDSM_INTERPOSE(std::tm *, gmtime, (const std::time_t *time)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureRead(time, sizeof *time);
  return real_gmtime.get()(time);
}

OMPDSM_INTERPOSE(std::tm *, localtime, (const std::time_t *time)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureRead(time, sizeof *time);
  return real_localtime.get()(time);
}

#define OMPDSM_NORMALISE(name)                                                                     \
  OMPDSM_INTERPOSE(std::time_t, name, (std::tm * date)) {                                          \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      ensureWrite(date, sizeof *date);                                                             \
    return real_##name.get()(date);                                                                \
  }
OMPDSM_NORMALISE(mktime)
OMPDSM_NORMALISE(timegm)
OMPDSM_NORMALISE(timelocal)

OMPDSM_INTERPOSE(std::size_t, strftime,
                 (char *text, std::size_t most, const char *format, const std::tm *date)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureWriteUpTo(text, most);
    ensureString(format);
    dateForReading(date);
  }
  return real_strftime.get()(text, most, format, date);
}

OMPDSM_INTERPOSE(char *, strptime, (const char *text, const char *format, std::tm *date)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureString(text);
    ensureString(format);
    ensureWrite(date, sizeof *date);
  }
  return real_strptime.get()(text, format, date);
}

OMPDSM_INTERPOSE(char *, asctime_r, (const std::tm *date, char *text)) {
  if (mustAsk(OMPDSM_CALLER)) {
    dateForReading(date);
    ensureWrite(text, kDateBytes);
  }
  return real_asctime_r.get()(date, text);
}

OMPDSM_INTERPOSE(char *, ctime_r, (const std::time_t *time, char *text)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(time, sizeof *time);
    ensureWrite(text, kDateBytes);
  }
  return real_ctime_r.get()(time, text);
}

// The kernel writes what remains only if a signal came, and fails for memory that it may not touch.
OMPDSM_INTERPOSE(int, nanosleep, (const timespec *time, timespec *rest)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(time, sizeof *time);
    if (rest)
      ensureWrite(rest, sizeof *rest);
  }
  return real_nanosleep.get()(time, rest);
}

OMPDSM_INTERPOSE(int, clock_nanosleep,
                 (clockid_t clock, int flags, const timespec *time, timespec *rest)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(time, sizeof *time);
    if (rest)
      ensureWrite(rest, sizeof *rest);
  }
  return real_clock_nanosleep.get()(clock, flags, time, rest);
}
OMPDSM_WRAP(char *, asctime, (const std::tm *broken), (broken), ensureRead(broken, sizeof *broken);)
OMPDSM_WRAP(char *, ctime, (const time_t *moment), (moment), ensureRead(moment, sizeof *moment);)
