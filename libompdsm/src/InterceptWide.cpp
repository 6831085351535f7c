// InterceptWide.cpp: the functions of wide characters that std::wstring uses. The others are not
// looked after (ForeignCode.cpp).
#include "libompdsm/src/Interception.h"
#include <cwchar>

using namespace ompdsm;

namespace {
std::size_t bytesOf(std::size_t characters) { return characters * sizeof(wchar_t); }
void wideText(const wchar_t *text) {
  for (const wchar_t *at = text;; ++at) {
    if (at == text || reinterpret_cast<Address>(at) % OMPDSM_LINE_BYTES == 0)
      ensureRead(at, sizeof *at);
    if (!*at)
      return;
  }
}
} // namespace

#define OMPDSM_WIDE_COPY(name)                                                                     \
  OMPDSM_WRAP(wchar_t *, name, (wchar_t * to, const wchar_t *from, std::size_t count),             \
              (to, from, count), ensureRead(from, bytesOf(count));                                 \
              ensureWrite(to, bytesOf(count));)
OMPDSM_WIDE_COPY(wmemcpy)
OMPDSM_WIDE_COPY(wmemmove)
OMPDSM_WIDE_COPY(wmempcpy)
OMPDSM_WRAP(wchar_t *, wmemset, (wchar_t * to, wchar_t c, std::size_t count), (to, c, count),
            ensureWrite(to, bytesOf(count));)
OMPDSM_WRAP(int, wmemcmp, (const wchar_t *a, const wchar_t *b, std::size_t count), (a, b, count),
            ensureRead(a, bytesOf(count));
            ensureRead(b, bytesOf(count));)
OMPDSM_WRAP(wchar_t *, wmemchr, (const wchar_t *p, wchar_t c, std::size_t count), (p, c, count),
            ensureRead(p, bytesOf(count));)
OMPDSM_WRAP(std::size_t, wcslen, (const wchar_t *text), (text), wideText(text);)
