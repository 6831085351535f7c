// InterceptStreamBuffers.cpp: what libstdc++ has compiled of all streams and of the buffers of
// those in memory (std::stringbuf), and the facet that reads numbers from any buffer.
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/StreamChecks.h"
#include <ios>

using namespace ompdsm;

// --- Buffers.

OMPDSM_WRAP(std::streamsize, _ZNSt15basic_streambufIcSt11char_traitsIcEE6xsputnEPKcl,
            (std::streambuf * self, const char *text, std::streamsize count), (self, text, count),
            ensureRead(text, std::size_t(count));
            bufferForWriting(self);)
OMPDSM_WRAP(std::streamsize, _ZNSt15basic_streambufIcSt11char_traitsIcEE6xsgetnEPcl,
            (std::streambuf * self, char *to, std::streamsize count), (self, to, count),
            ensureWrite(to, std::size_t(count));
            bufferForReading(self);)
OMPDSM_WRAP(int, _ZNSt15basic_streambufIcSt11char_traitsIcEE5uflowEv, (std::streambuf * self),
            (self), bufferForReading(self);)

// --- The state of a stream. Optimised code has most of it in place.

#define OMPDSM_IOS(result, member)                                                                 \
  OMPDSM_WRAP(result, _ZNKSt9basic_iosIcSt11char_traitsIcEE##member, (const std::ios *self),       \
              (self), ensureRead(self, sizeof *self);)
OMPDSM_IOS(bool, 4goodEv)
OMPDSM_IOS(bool, 3eofEv)
OMPDSM_IOS(bool, 4failEv)
OMPDSM_IOS(bool, 3badEv)
OMPDSM_IOS(bool, cvbEv)
OMPDSM_IOS(bool, ntEv)
OMPDSM_IOS(int, 7rdstateEv)
#define OMPDSM_SET_STATE(member)                                                                   \
  OMPDSM_WRAP(void, _ZNSt9basic_iosIcSt11char_traitsIcEE##member##ESt12_Ios_Iostate,               \
              (std::ios * self, int state), (self, state), ensureWrite(self, sizeof *self);)
OMPDSM_SET_STATE(5clear)
OMPDSM_SET_STATE(8setstate)
OMPDSM_SET_STATE(11_M_setstate)

// --- Numbers. An iterator over a buffer is passed, and comes back, in two registers.

namespace {
struct BufferIterator {
  std::streambuf *buffer;
  long character;
};
void numberFrom(const BufferIterator &at, std::ios_base *stream, int *state, void *value,
                std::size_t bytes) {
  if (at.buffer)
    bufferForReading(at.buffer);
  ensureRead(stream, sizeof *stream);
  ensureWrite(state, sizeof *state);
  ensureWrite(value, bytes);
}
} // namespace
#define OMPDSM_NUMBER(Type, letter)                                                                                      \
  OMPDSM_WRAP(                                                                                                           \
      BufferIterator,                                                                                                    \
      _ZNKSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE6do_getES3_S3_RSt8ios_baseRSt12_Ios_IostateR##letter, \
      (const void *self, BufferIterator at, BufferIterator end, std::ios_base *stream, int *state,                       \
       Type *value),                                                                                                     \
      (self, at, end, stream, state, value), numberFrom(at, stream, state, value, sizeof *value);)
OMPDSM_NUMBER(bool, b)
OMPDSM_NUMBER(long, l)
OMPDSM_NUMBER(unsigned short, t)
OMPDSM_NUMBER(unsigned, j)
OMPDSM_NUMBER(unsigned long, m)
OMPDSM_NUMBER(long long, x)
OMPDSM_NUMBER(unsigned long long, y)
OMPDSM_NUMBER(float, f)
OMPDSM_NUMBER(double, d)
OMPDSM_NUMBER(long double, e)
OMPDSM_NUMBER(void *, Pv)
