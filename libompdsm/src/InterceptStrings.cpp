// InterceptStrings.cpp: functions on strings, whose length is known only when they end.
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/TextQuestions.h"
#include <algorithm>
#include <cstdlib>

using namespace ompdsm;

namespace {

/// How far two strings may be compared without crossing a line of either.
std::size_t commonChunk(const char *a, const char *b, std::size_t most) {
  const auto inLine = [](const char *p) {
    return OMPDSM_LINE_BYTES - reinterpret_cast<Address>(p) % OMPDSM_LINE_BYTES;
  };
  return std::min({most, std::size_t(inLine(a)), std::size_t(inLine(b))});
}

/// strncmp and its like in chunks: the strings may be long and differ early.
template <class Compare>
int compareStrings(Compare *compare, const char *a, const char *b, std::size_t most) {
  while (most != 0) {
    const std::size_t chunk = commonChunk(a, b, most);
    ensureRead(a, chunk);
    ensureRead(b, chunk);
    if (const int order = compare(a, b, chunk))
      return order;
    for (std::size_t i = 0; i < chunk; ++i)
      if (a[i] == 0)
        return 0; // Both end here, else they would differ.
    a += chunk;
    b += chunk;
    most -= chunk;
  }
  return 0;
}

} // namespace

OMPDSM_INTERPOSE(std::size_t, strlen, (const char *text)) {
  return mustAsk(OMPDSM_CALLER) ? ensureString(text) : real_strlen.get()(text);
}
OMPDSM_INTERPOSE(std::size_t, strnlen, (const char *text, std::size_t most)) {
  return mustAsk(OMPDSM_CALLER) ? ensureString(text, most) : real_strnlen.get()(text, most);
}

OMPDSM_INTERPOSE(char *, strcpy, (char *to, const char *from)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureWrite(to, ensureString(from) + 1);
  return real_strcpy.get()(to, from);
}
OMPDSM_INTERPOSE(char *, stpcpy, (char *to, const char *from)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureWrite(to, ensureString(from) + 1);
  return real_stpcpy.get()(to, from);
}
OMPDSM_INTERPOSE(char *, strncpy, (char *to, const char *from, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureString(from, bytes);
    ensureWrite(to, bytes);
  }
  return real_strncpy.get()(to, from, bytes);
}
OMPDSM_INTERPOSE(char *, strcat, (char *to, const char *from)) {
  if (mustAsk(OMPDSM_CALLER)) {
    const std::size_t length = ensureString(to);
    ensureWrite(to + length, ensureString(from) + 1);
  }
  return real_strcat.get()(to, from);
}
OMPDSM_INTERPOSE(char *, strncat, (char *to, const char *from, std::size_t most)) {
  if (mustAsk(OMPDSM_CALLER)) {
    const std::size_t length = ensureString(to);
    ensureWrite(to + length, ensureString(from, most) + 1);
  }
  return real_strncat.get()(to, from, most);
}

OMPDSM_INTERPOSE(int, strncmp, (const char *a, const char *b, std::size_t most)) {
  return mustAsk(OMPDSM_CALLER) ? compareStrings(real_strncmp.get(), a, b, most)
                                : real_strncmp.get()(a, b, most);
}
OMPDSM_INTERPOSE(int, strcmp, (const char *a, const char *b)) {
  return mustAsk(OMPDSM_CALLER) ? compareStrings(real_strncmp.get(), a, b, SIZE_MAX)
                                : real_strcmp.get()(a, b);
}
OMPDSM_INTERPOSE(int, strncasecmp, (const char *a, const char *b, std::size_t most)) {
  return mustAsk(OMPDSM_CALLER) ? compareStrings(real_strncasecmp.get(), a, b, most)
                                : real_strncasecmp.get()(a, b, most);
}
OMPDSM_INTERPOSE(int, strcasecmp, (const char *a, const char *b)) {
  return mustAsk(OMPDSM_CALLER) ? compareStrings(real_strncasecmp.get(), a, b, SIZE_MAX)
                                : real_strcasecmp.get()(a, b);
}

OMPDSM_INTERPOSE(char *, strchr, (const char *text, int value)) {
  if (!mustAsk(OMPDSM_CALLER))
    return real_strchr.get()(text, value);
  const auto wanted = static_cast<char>(value);
  text = ensureUntil(text, [&](char c) { return c == wanted; });
  return *text == wanted ? const_cast<char *>(text) : nullptr;
}
OMPDSM_INTERPOSE(char *, strrchr, (const char *text, int value)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureString(text);
  return real_strrchr.get()(text, value);
}
OMPDSM_INTERPOSE(char *, strstr, (const char *text, const char *wanted)) {
  if (!mustAsk(OMPDSM_CALLER))
    return real_strstr.get()(text, wanted);
  const std::size_t bytes = ensureString(wanted);
  std::size_t asked = 0, searched = 0;
  for (std::size_t chunk = OMPDSM_LINE_BYTES;; chunk *= 2) {
    const std::size_t more = ensureString(text + asked, chunk);
    asked += more;
    if (void *found = memmem(text + searched, asked - searched, wanted, bytes))
      return static_cast<char *>(found);
    if (more < chunk)
      return nullptr;
    searched = asked - std::min(asked, bytes);
  }
}
OMPDSM_INTERPOSE(std::size_t, strspn, (const char *text, const char *accepted)) {
  if (mustAsk(OMPDSM_CALLER)) {
    const CharacterSet set(accepted);
    return std::size_t(ensureUntil(text, [&](char c) { return !set.contains(c); }) - text);
  }
  return real_strspn.get()(text, accepted);
}
OMPDSM_INTERPOSE(std::size_t, strcspn, (const char *text, const char *rejected)) {
  if (mustAsk(OMPDSM_CALLER)) {
    const CharacterSet set(rejected);
    return std::size_t(ensureUntil(text, [&](char c) { return set.contains(c); }) - text);
  }
  return real_strcspn.get()(text, rejected);
}
// It writes a NUL after the token that it finds, and remembers the place in the C library or *rest.
OMPDSM_INTERPOSE(char *, strtok_r, (char *text, const char *separators, char **rest)) {
  if (mustAsk(OMPDSM_CALLER)) {
    const CharacterSet set(separators);
    ensureWrite(rest, sizeof *rest);
    if (const char *at = text ? text : *rest) {
      at = ensureUntil(at, [&](char c) { return !set.contains(c); });
      at = ensureUntil(at, [&](char c) { return set.contains(c); });
      ensureWrite(const_cast<char *>(at), 1);
    }
  }
  return real_strtok_r.get()(text, separators, rest);
}

// What they allocate is the C library's, in the pinned heap.
OMPDSM_INTERPOSE(char *, strdup, (const char *text)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureString(text);
  return real_strdup.get()(text);
}
OMPDSM_INTERPOSE(char *, strndup, (const char *text, std::size_t most)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureString(text, most);
  return real_strndup.get()(text, most);
}

// The runtime's own calls (see InterceptMemory.cpp).
extern "C" std::size_t __wrap_strlen(const char *text) { return real_strlen.get()(text); }
extern "C" int __wrap_strcmp(const char *a, const char *b) { return real_strcmp.get()(a, b); }
extern "C" int __wrap_strncmp(const char *a, const char *b, std::size_t most) {
  return real_strncmp.get()(a, b, most);
}
