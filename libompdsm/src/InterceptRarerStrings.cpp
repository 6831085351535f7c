// InterceptRarerStrings.cpp: functions on texts and memory that programs use now and then.
#include "libompdsm/src/Interception.h"
#include <algorithm>
#include <climits>
#include <cstdlib>

using namespace ompdsm;

namespace {

/// A text that gets `more` bytes behind its end.
void forAppending(char *text, std::size_t more) {
  ensureWriteUpTo(text + ensureString(text), more);
}
void text(const char *text) { ensureString(text); }

} // namespace

OMPDSM_WRAP(char *, strpbrk, (const char *s, const char *set), (s, set), text(s); text(set);)
OMPDSM_WRAP(char *, strchrnul, (const char *s, int c), (s, c), text(s);)
OMPDSM_WRAP(char *, strcasestr, (const char *s, const char *part), (s, part), text(s); text(part);)
OMPDSM_WRAP(char *, index, (const char *s, int c), (s, c), text(s);)
OMPDSM_WRAP(char *, rindex, (const char *s, int c), (s, c), text(s);)
OMPDSM_WRAP(int, strcoll, (const char *a, const char *b), (a, b), text(a); text(b);)
OMPDSM_WRAP(int, strverscmp, (const char *a, const char *b), (a, b), text(a); text(b);)
OMPDSM_WRAP(std::size_t, strxfrm, (char *to, const char *from, std::size_t most), (to, from, most),
            text(from);
            ensureWriteUpTo(to, most);)
OMPDSM_WRAP(char *, stpncpy, (char *to, const char *from, std::size_t bytes), (to, from, bytes),
            ensureString(from, bytes);
            ensureWrite(to, bytes);)
OMPDSM_WRAP(char *, strsep, (char **at, const char *set), (at, set), ensureWrite(at, sizeof *at);
            text(set); if (*at) ensureWrite(*at, ensureString(*at) + 1);)
OMPDSM_WRAP(char *, strtok, (char *s, const char *set), (s, set), text(set);
            if (s) ensureWrite(s, ensureString(s) + 1);)
OMPDSM_WRAP(char *, strerror_r, (int error, char *to, std::size_t bytes), (error, to, bytes),
            ensureWriteUpTo(to, bytes);)
OMPDSM_WRAP(int, __xpg_strerror_r, (int error, char *to, std::size_t bytes), (error, to, bytes),
            ensureWriteUpTo(to, bytes);)
OMPDSM_WRAP(char *, realpath, (const char *path, char *to), (path, to), text(path);
            if (to) ensureWriteUpTo(to, PATH_MAX);)
// Those of <libgen.h> cut slashes off in place; GNU's basename only reads.
OMPDSM_WRAP(char *, basename, (const char *path), (path), text(path);)
OMPDSM_WRAP(char *, __xpg_basename, (char *path), (path),
            if (path) ensureWrite(path, ensureString(path) + 1);)
OMPDSM_WRAP(char *, dirname, (char *path), (path),
            if (path) ensureWrite(path, ensureString(path) + 1);)

OMPDSM_WRAP(void *, memmem,
            (const void *p, std::size_t bytes, const void *part, std::size_t partBytes),
            (p, bytes, part, partBytes), ensureRead(p, bytes);
            ensureRead(part, partBytes);)
OMPDSM_WRAP(void *, memrchr, (const void *p, int c, std::size_t bytes), (p, c, bytes),
            ensureRead(p, bytes);)
OMPDSM_WRAP(void *, memccpy, (void *to, const void *from, int c, std::size_t bytes),
            (to, from, c, bytes), ensureRead(from, bytes);
            ensureWrite(to, bytes);)
OMPDSM_WRAP(
    void, swab, (const void *from, void *to, ssize_t bytes), (from, to, bytes), if (bytes > 0) {
      ensureRead(from, std::size_t(bytes));
      ensureWrite(to, std::size_t(bytes));
    })
OMPDSM_WRAP(void, explicit_bzero, (void *to, std::size_t bytes), (to, bytes),
            ensureWrite(to, bytes);)
OMPDSM_WRAP(void, bcopy, (const void *from, void *to, std::size_t bytes), (from, to, bytes),
            ensureRead(from, bytes);
            ensureWrite(to, bytes);)

// What _FORTIFY_SOURCE makes of the common ones; the real ones check the sizes.
OMPDSM_WRAP(void *, __memcpy_chk, (void *to, const void *from, std::size_t bytes, std::size_t room),
            (to, from, bytes, room), ensureRead(from, bytes);
            ensureWrite(to, std::min(bytes, room));)
OMPDSM_WRAP(void *, __memmove_chk,
            (void *to, const void *from, std::size_t bytes, std::size_t room),
            (to, from, bytes, room), ensureRead(from, bytes);
            ensureWrite(to, std::min(bytes, room));)
OMPDSM_WRAP(void *, __memset_chk, (void *to, int c, std::size_t bytes, std::size_t room),
            (to, c, bytes, room), ensureWrite(to, std::min(bytes, room));)
OMPDSM_WRAP(char *, __strcpy_chk, (char *to, const char *from, std::size_t room), (to, from, room),
            ensureWrite(to, std::min(ensureString(from) + 1, room));)
OMPDSM_WRAP(char *, __strncpy_chk,
            (char *to, const char *from, std::size_t bytes, std::size_t room),
            (to, from, bytes, room), ensureString(from, bytes);
            ensureWrite(to, std::min(bytes, room));)
OMPDSM_WRAP(char *, __strcat_chk, (char *to, const char *from, std::size_t room), (to, from, room),
            forAppending(to, ensureString(from) + 1);)
OMPDSM_WRAP(char *, __strncat_chk,
            (char *to, const char *from, std::size_t bytes, std::size_t room),
            (to, from, bytes, room), forAppending(to, ensureString(from, bytes) + 1);)
