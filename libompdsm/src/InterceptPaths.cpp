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
#include <sys/vfs.h>

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
OMPDSM_NAMED(int, creat64, (const char *path, mode_t mode), (path, mode))
OMPDSM_NAMED(int, access, (const char *path, int mode), (path, mode))
OMPDSM_NAMED(int, mkdir, (const char *path, mode_t mode), (path, mode))
OMPDSM_NAMED(int, rmdir, (const char *path), (path))
OMPDSM_NAMED(int, unlink, (const char *path), (path))
OMPDSM_NAMED(int, remove, (const char *path), (path))
OMPDSM_NAMED(int, chdir, (const char *path), (path))
OMPDSM_NAMED(DIR *, opendir, (const char *path), (path))
OMPDSM_NAMED(char *, getenv, (const char *path), (path))
OMPDSM_NAMED(int, system, (const char *path), (path))

OMPDSM_NAMED(int, chmod, (const char *path, mode_t mode), (path, mode))
OMPDSM_NAMED(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group))
OMPDSM_NAMED(int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group))
OMPDSM_NAMED(int, truncate, (const char *path, off_t bytes), (path, bytes))
OMPDSM_NAMED(int, truncate64, (const char *path, off64_t bytes), (path, bytes))
OMPDSM_NAMED(int, mkfifo, (const char *path, mode_t mode), (path, mode))
OMPDSM_NAMED(int, mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode))
OMPDSM_NAMED(int, unlinkat, (int directory, const char *path, int flags), (directory, path, flags))
OMPDSM_NAMED(int, faccessat, (int directory, const char *path, int mode, int flags),
             (directory, path, mode, flags))
OMPDSM_NAMED(char *, secure_getenv, (const char *path), (path))
OMPDSM_NAMED(char *, canonicalize_file_name, (const char *path), (path))
OMPDSM_NAMED(int, putenv, (char *path), (path))
OMPDSM_NAMED(int, unsetenv, (const char *path), (path))

#define OMPDSM_TWO_NAMES(name)                                                                     \
  OMPDSM_INTERPOSE(int, name, (const char *from, const char *to)) {                                \
    ensureText(OMPDSM_CALLER, from);                                                               \
    ensureText(OMPDSM_CALLER, to);                                                                 \
    return real_##name.get()(from, to);                                                            \
  }
OMPDSM_TWO_NAMES(rename)
OMPDSM_TWO_NAMES(link)
OMPDSM_TWO_NAMES(symlink)
#define OMPDSM_TWO_NAMES_AT(name)                                                                  \
  OMPDSM_INTERPOSE(int, name, (int fromIn, const char *from, int toIn, const char *to)) {          \
    ensureText(OMPDSM_CALLER, from);                                                               \
    ensureText(OMPDSM_CALLER, to);                                                                 \
    return real_##name.get()(fromIn, from, toIn, to);                                              \
  }
OMPDSM_TWO_NAMES_AT(renameat)
OMPDSM_INTERPOSE(int, symlinkat, (const char *from, int toIn, const char *to)) {
  ensureText(OMPDSM_CALLER, from);
  ensureText(OMPDSM_CALLER, to);
  return real_symlinkat.get()(from, toIn, to);
}
OMPDSM_INTERPOSE(int, linkat, (int fromIn, const char *from, int toIn, const char *to, int flags)) {
  ensureText(OMPDSM_CALLER, from);
  ensureText(OMPDSM_CALLER, to);
  return real_linkat.get()(fromIn, from, toIn, to, flags);
}
#define OMPDSM_REOPEN(name)                                                                        \
  OMPDSM_INTERPOSE(std::FILE *, name, (const char *path, const char *mode, std::FILE *file)) {     \
    ensureText(OMPDSM_CALLER, path);                                                               \
    ensureText(OMPDSM_CALLER, mode);                                                               \
    return real_##name.get()(path, mode, file);                                                    \
  }
OMPDSM_REOPEN(freopen)
OMPDSM_REOPEN(freopen64)
OMPDSM_INTERPOSE(std::FILE *, fdopen, (int fd, const char *mode)) {
  ensureText(OMPDSM_CALLER, mode);
  return real_fdopen.get()(fd, mode);
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

#define OMPDSM_FSTATAT(name, type)                                                                 \
  OMPDSM_INTERPOSE(int, name, (int directory, const char *path, struct type *result, int flags)) { \
    ensureText(OMPDSM_CALLER, path);                                                               \
    ensureFilled(OMPDSM_CALLER, result);                                                           \
    return real_##name.get()(directory, path, result, flags);                                      \
  }
OMPDSM_FSTATAT(fstatat, stat)
OMPDSM_FSTATAT(fstatat64, stat64)
OMPDSM_STAT(statfs, statfs)
OMPDSM_STAT(statfs64, statfs64)
OMPDSM_INTERPOSE(int, utimensat,
                 (int directory, const char *path, const timespec *times, int flags)) {
  ensureText(OMPDSM_CALLER, path);
  if (times && mustAsk(OMPDSM_CALLER))
    ensureRead(times, 2 * sizeof *times);
  return real_utimensat.get()(directory, path, times, flags);
}
OMPDSM_INTERPOSE(int, utimes, (const char *path, const timeval *times)) {
  ensureText(OMPDSM_CALLER, path);
  if (times && mustAsk(OMPDSM_CALLER))
    ensureRead(times, 2 * sizeof *times);
  return real_utimes.get()(path, times);
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
