// InterceptRarerStrings.cpp: functions on texts and memory that programs use now and then.
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/TextQuestions.h"
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <regex.h>

using namespace ompdsm;

namespace {

void text(const char *text) { ensureString(text); }

void through(const char *text, int last) {
  ensureUntil(text, [&](char c) { return c == static_cast<char>(last); });
}

/// Up to the first character that is in the set, which it returns, or the end.
char *throughToken(const char *text, const char *set) {
  const CharacterSet characters(set);
  return const_cast<char *>(ensureUntil(text, [&](char c) { return characters.contains(c); }));
}

/// What regcomp has allocated changes in each search, under a lock of the node's C library.
void ownPattern(const regex_t *compiled) {
  ensureRead(compiled, sizeof *compiled);
  const AddressSpace &space = *runtime()->addressSpace;
  if (space.contains(compiled->buffer) && space.ownerOf(compiled->buffer) != runtime()->node)
    fatal("the program calls regexec on node %u with a pattern that node %u has compiled: compile "
          "it on each node, in the parallel region",
          unsigned(runtime()->node), unsigned(space.ownerOf(compiled->buffer)));
}

} // namespace

OMPDSM_WRAP(char *, strpbrk, (const char *s, const char *set), (s, set), throughToken(s, set);)
OMPDSM_WRAP(char *, strchrnul, (const char *s, int c), (s, c), through(s, c);)
OMPDSM_WRAP(char *, strcasestr, (const char *s, const char *part), (s, part), text(s); text(part);)
OMPDSM_WRAP(char *, index, (const char *s, int c), (s, c), through(s, c);)
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
            if (*at) ensureWrite(throughToken(*at, set), 1); else text(set);)
// Later calls begin at a place that the C library remembers.
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
OMPDSM_WRAP(
    void *, rawmemchr, (const void *p, int c), (p, c),
    for (auto *at = static_cast<const unsigned char *>(p);; ++at) {
      if (at == p || reinterpret_cast<Address>(at) % OMPDSM_LINE_BYTES == 0)
        ensureRead(at, 1);
      if (*at == static_cast<unsigned char>(c))
        break;
    })
OMPDSM_WRAP(void *, memfrob, (void *p, std::size_t bytes), (p, bytes), ensureWrite(p, bytes);)
// Since glibc 2.38.
OMPDSM_WRAP(std::size_t, strlcpy, (char *to, const char *from, std::size_t room), (to, from, room),
            const std::size_t length = ensureString(from);
            if (room) ensureWrite(to, std::min(length + 1, room));)
OMPDSM_WRAP(std::size_t, strlcat, (char *to, const char *from, std::size_t room), (to, from, room),
            text(from);
            const std::size_t length = ensureString(to, room);
            ensureWriteUpTo(to + length, room - length);)

// Patterns.
OMPDSM_WRAP(int, fnmatch, (const char *pattern, const char *s, int flags), (pattern, s, flags),
            text(pattern);
            text(s);)
OMPDSM_WRAP(int, regcomp, (regex_t * compiled, const char *pattern, int flags),
            (compiled, pattern, flags), ensureWrite(compiled, sizeof *compiled);
            text(pattern);)
OMPDSM_WRAP(int, regexec,
            (const regex_t *compiled, const char *s, std::size_t count, regmatch_t *matches,
             int flags),
            (compiled, s, count, matches, flags), ownPattern(compiled);
            if (matches) ensureWrite(matches, std::max<std::size_t>(count, 1) * sizeof *matches);
            if (flags & REG_STARTEND)
                ensureRead(s + matches->rm_so, std::size_t(matches->rm_eo - matches->rm_so));
            else text(s);)
OMPDSM_WRAP(std::size_t, regerror,
            (int error, const regex_t *compiled, char *to, std::size_t bytes),
            (error, compiled, to, bytes), if (compiled) ensureRead(compiled, sizeof *compiled);
            ensureWriteUpTo(to, bytes);)
OMPDSM_WRAP(void, regfree, (regex_t * compiled), (compiled),
            ensureWrite(compiled, sizeof *compiled);)

// Options of a text, as getopt's in an array.
OMPDSM_WRAP(int, getsubopt, (char **at, char *const *names, char **value), (at, names, value),
            ensureWrite(at, sizeof *at);
            ensureWrite(value, sizeof *value); ensureWrite(*at, ensureString(*at) + 1);
            for (char *const *name = names; (ensureRead(name, sizeof *name), *name); ++name)
                text(*name);)
