// InterceptPaths.cpp: functions that give the kernel or the C library the name of something, and
// those that fill a small structure.
#include "libompdsm/src/Interception.h"
#include <cstdarg>
#include <cstdio>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>

using namespace ompdsm;

namespace {
void ensureText(const void *caller, const char *text) {
  if (text && mustAsk(caller))
    ensureString(text);
}
template <class Object> void ensureFilled(const void *caller, Object *object) {
  if (object && mustAsk(caller))
    ensureWrite(object, sizeof *object);
}
/// The mode is there only if the call may create a file; reading it otherwise does no harm.
mode_t modeFrom(va_list list) { return va_arg(list, mode_t); }
} // namespace

#define OMPDSM_OPEN(name)                                                                          \
  OMPDSM_INTERPOSE(int, name, (const char *path, int flags, ...)) {                                \
    va_list list;                                                                                  \
    va_start(list, flags);                                                                         \
    const mode_t mode = modeFrom(list);                                                            \
    va_end(list);                                                                                  \
    ensureText(OMPDSM_CALLER, path);                                                               \
    return real_##name.get()(path, flags, mode);                                                   \
  }
#define OMPDSM_OPENAT(name)                                                                        \
  OMPDSM_INTERPOSE(int, name, (int directory, const char *path, int flags, ...)) {                 \
    va_list list;                                                                                  \
    va_start(list, flags);                                                                         \
    const mode_t mode = modeFrom(list);                                                            \
    va_end(list);                                                                                  \
    ensureText(OMPDSM_CALLER, path);                                                               \
    return real_##name.get()(directory, path, flags, mode);                                        \
  }
OMPDSM_OPEN(open)
OMPDSM_OPEN(open64)
OMPDSM_OPENAT(openat)
OMPDSM_OPENAT(openat64)

// One name, and arguments that are no memory.
#define OMPDSM_NAMED(result, name, parameters, arguments)                                          \
  OMPDSM_INTERPOSE(result, name, parameters) {                                                     \
    ensureText(OMPDSM_CALLER, path);                                                               \
    return real_##name.get() arguments;                                                            \
  }
OMPDSM_NAMED(int, creat, (const char *path, mode_t mode), (path, mode))
OMPDSM_NAMED(int, access, (const char *path, int mode), (path, mode))
OMPDSM_NAMED(int, mkdir, (const char *path, mode_t mode), (path, mode))
OMPDSM_NAMED(int, rmdir, (const char *path), (path))
OMPDSM_NAMED(int, unlink, (const char *path), (path))
OMPDSM_NAMED(int, remove, (const char *path), (path))
OMPDSM_NAMED(int, chdir, (const char *path), (path))
OMPDSM_NAMED(DIR *, opendir, (const char *path), (path))
OMPDSM_NAMED(char *, getenv, (const char *path), (path))
OMPDSM_NAMED(int, system, (const char *path), (path))

OMPDSM_INTERPOSE(int, rename, (const char *from, const char *to)) {
  ensureText(OMPDSM_CALLER, from);
  ensureText(OMPDSM_CALLER, to);
  return real_rename.get()(from, to);
}
OMPDSM_INTERPOSE(std::FILE *, popen, (const char *command, const char *mode)) {
  ensureText(OMPDSM_CALLER, command);
  ensureText(OMPDSM_CALLER, mode);
  return real_popen.get()(command, mode);
}
OMPDSM_INTERPOSE(int, setenv, (const char *name, const char *value, int overwrite)) {
  ensureText(OMPDSM_CALLER, name);
  ensureText(OMPDSM_CALLER, value);
  return real_setenv.get()(name, value, overwrite);
}

#define OMPDSM_STAT(name, type)                                                                    \
  OMPDSM_INTERPOSE(int, name, (const char *path, struct type *result)) {                           \
    ensureText(OMPDSM_CALLER, path);                                                               \
    ensureFilled(OMPDSM_CALLER, result);                                                           \
    return real_##name.get()(path, result);                                                        \
  }
OMPDSM_STAT(stat, stat)
OMPDSM_STAT(lstat, stat)
OMPDSM_STAT(stat64, stat64)
OMPDSM_STAT(lstat64, stat64)
OMPDSM_INTERPOSE(int, fstat, (int fd, struct stat *result)) {
  ensureFilled(OMPDSM_CALLER, result);
  return real_fstat.get()(fd, result);
}
OMPDSM_INTERPOSE(int, fstat64, (int fd, struct stat64 *result)) {
  ensureFilled(OMPDSM_CALLER, result);
  return real_fstat64.get()(fd, result);
}

OMPDSM_INTERPOSE(int, clock_gettime, (clockid_t clock, timespec *result)) {
  ensureFilled(OMPDSM_CALLER, result);
  return real_clock_gettime.get()(clock, result);
}
OMPDSM_INTERPOSE(int, gettimeofday, (timeval * result, void *zone)) {
  ensureFilled(OMPDSM_CALLER, result);
  return real_gettimeofday.get()(result, zone);
}
OMPDSM_INTERPOSE(time_t, time, (time_t *result)) {
  ensureFilled(OMPDSM_CALLER, result);
  return real_time.get()(result);
}
OMPDSM_INTERPOSE(tm *, localtime_r, (const time_t *when, tm *result)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureRead(when, sizeof *when);
  ensureFilled(OMPDSM_CALLER, result);
  return real_localtime_r.get()(when, result);
}
