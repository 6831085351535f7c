// InterceptFortified.cpp: what _FORTIFY_SOURCE makes of functions that fill memory; those that
// print are in InterceptFormats.cpp. The real ones end the program if there is not enough room, so
// no more than the room is asked for.
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/RemoteStreams.h"
#include <algorithm>
#include <climits>
#include <cstdio>
#include <poll.h>
#include <sys/socket.h>

using namespace ompdsm;

namespace {

/// A text that gets `more` bytes behind its end.
void forAppending(char *text, std::size_t more) {
  ensureWriteUpTo(text + ensureString(text), more);
}
void forFilling(void *to, std::size_t bytes, std::size_t room) {
  ensureWrite(to, std::min(bytes, room));
}
void forFillingUpTo(void *to, std::size_t bytes, std::size_t room) {
  ensureWriteUpTo(to, std::min(bytes, room));
}

} // namespace

// --- Memory and texts.

#define OMPDSM_COPY_CHECKED(name)                                                                  \
  OMPDSM_WRAP(void *, name, (void *to, const void *from, std::size_t bytes, std::size_t room),     \
              (to, from, bytes, room), ensureRead(from, bytes);                                    \
              forFilling(to, bytes, room);)
OMPDSM_COPY_CHECKED(__memcpy_chk)
OMPDSM_COPY_CHECKED(__memmove_chk)
OMPDSM_COPY_CHECKED(__mempcpy_chk)
OMPDSM_WRAP(void *, __memset_chk, (void *to, int c, std::size_t bytes, std::size_t room),
            (to, c, bytes, room), forFilling(to, bytes, room);)
OMPDSM_WRAP(void, __explicit_bzero_chk, (void *to, std::size_t bytes, std::size_t room),
            (to, bytes, room), forFilling(to, bytes, room);)

#define OMPDSM_TEXT_CHECKED(name)                                                                  \
  OMPDSM_WRAP(char *, name, (char *to, const char *from, std::size_t room), (to, from, room),      \
              forFilling(to, ensureString(from) + 1, room);)
OMPDSM_TEXT_CHECKED(__strcpy_chk)
OMPDSM_TEXT_CHECKED(__stpcpy_chk)
#define OMPDSM_PART_CHECKED(name)                                                                  \
  OMPDSM_WRAP(char *, name, (char *to, const char *from, std::size_t bytes, std::size_t room),     \
              (to, from, bytes, room), ensureString(from, bytes);                                  \
              forFilling(to, bytes, room);)
OMPDSM_PART_CHECKED(__strncpy_chk)
OMPDSM_PART_CHECKED(__stpncpy_chk)
OMPDSM_WRAP(char *, __strcat_chk, (char *to, const char *from, std::size_t room), (to, from, room),
            forAppending(to, ensureString(from) + 1);)
OMPDSM_WRAP(char *, __strncat_chk,
            (char *to, const char *from, std::size_t bytes, std::size_t room),
            (to, from, bytes, room), forAppending(to, ensureString(from, bytes) + 1);)
OMPDSM_WRAP(std::size_t, __strlcpy_chk,
            (char *to, const char *from, std::size_t bytes, std::size_t room),
            (to, from, bytes, room), const std::size_t length = ensureString(from);
            if (bytes) forFilling(to, std::min(length + 1, bytes), room);)
OMPDSM_WRAP(std::size_t, __strlcat_chk,
            (char *to, const char *from, std::size_t bytes, std::size_t room),
            (to, from, bytes, room), ensureString(from);
            const std::size_t length = ensureString(to, std::min(bytes, room));
            forFillingUpTo(to + length, bytes - length, room - length);)

// --- Streams and files.

#define OMPDSM_READ_CHECKED(name)                                                                  \
  OMPDSM_WRAP(std::size_t, name,                                                                   \
              (void *to, std::size_t room, std::size_t bytes, std::size_t count, std::FILE *file), \
              (to, room, bytes, count, file), requireOwnStream(file, "fread");                     \
              forFilling(to, bytes * count, room);)
OMPDSM_READ_CHECKED(__fread_chk)
OMPDSM_READ_CHECKED(__fread_unlocked_chk)
#define OMPDSM_LINE_CHECKED(name)                                                                  \
  OMPDSM_WRAP(char *, name, (char *to, std::size_t room, int bytes, std::FILE *file),              \
              (to, room, bytes, file), requireOwnStream(file, "fgets");                            \
              if (bytes > 0) forFilling(to, std::size_t(bytes), room);)
OMPDSM_LINE_CHECKED(__fgets_chk)
OMPDSM_LINE_CHECKED(__fgets_unlocked_chk)
OMPDSM_WRAP(ssize_t, __read_chk, (int fd, void *to, std::size_t bytes, std::size_t room),
            (fd, to, bytes, room), forFilling(to, bytes, room);)
OMPDSM_WRAP(ssize_t, __pread_chk, (int fd, void *to, std::size_t bytes, off_t at, std::size_t room),
            (fd, to, bytes, at, room), forFilling(to, bytes, room);)
OMPDSM_WRAP(ssize_t, __pread64_chk,
            (int fd, void *to, std::size_t bytes, off64_t at, std::size_t room),
            (fd, to, bytes, at, room), forFilling(to, bytes, room);)
OMPDSM_WRAP(ssize_t, __recv_chk, (int fd, void *to, std::size_t bytes, std::size_t room, int flags),
            (fd, to, bytes, room, flags), forFilling(to, bytes, room);)
OMPDSM_WRAP(ssize_t, __recvfrom_chk,
            (int fd, void *to, std::size_t bytes, std::size_t room, int flags, sockaddr *address,
             socklen_t *length),
            (fd, to, bytes, room, flags, address, length), forFilling(to, bytes, room);
            if (length) ensureWrite(length, sizeof *length);
            if (address) ensureWrite(address, *length);)
OMPDSM_WRAP(int, __poll_chk, (pollfd * entries, nfds_t count, int timeout, std::size_t room),
            (entries, count, timeout, room), forFilling(entries, count * sizeof *entries, room);)

// --- Names.

OMPDSM_WRAP(ssize_t, __readlink_chk,
            (const char *path, char *to, std::size_t bytes, std::size_t room),
            (path, to, bytes, room), ensureString(path);
            forFillingUpTo(to, bytes, room);)
OMPDSM_WRAP(ssize_t, __readlinkat_chk,
            (int directory, const char *path, char *to, std::size_t bytes, std::size_t room),
            (directory, path, to, bytes, room), ensureString(path);
            forFillingUpTo(to, bytes, room);)
OMPDSM_WRAP(char *, __getcwd_chk, (char *to, std::size_t bytes, std::size_t room),
            (to, bytes, room), if (to) forFillingUpTo(to, bytes, room);)
OMPDSM_WRAP(char *, __realpath_chk, (const char *path, char *to, std::size_t room),
            (path, to, room), ensureString(path);
            if (to) forFillingUpTo(to, PATH_MAX, room);)
OMPDSM_WRAP(int, __gethostname_chk, (char *to, std::size_t bytes, std::size_t room),
            (to, bytes, room), forFillingUpTo(to, bytes, room);)
OMPDSM_WRAP(std::size_t, __confstr_chk, (int name, char *to, std::size_t bytes, std::size_t room),
            (name, to, bytes, room), if (to) forFillingUpTo(to, bytes, room);)
