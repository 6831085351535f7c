// InterceptStreamBuffers.cpp: how functions of libstdc++ set the state of streams, and the facet
// that reads numbers from any buffer. Buffers in memory and the rest of streams are the program's
// own code (llvm-pass/ExternTemplates.cpp).
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/StreamChecks.h"
#include <ios>

using namespace ompdsm;

// --- The state of a stream, as functions of the library set it.

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
