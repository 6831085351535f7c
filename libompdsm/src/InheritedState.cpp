// InheritedState.cpp: the control registers of SSE and of the x87 (Intel SDM, volume 1, 8.1.5 and
// 10.2.3), and the formats of three streams.
#include "libompdsm/src/InheritedState.h"
#include <iostream>
#include <xmmintrin.h>

namespace ompdsm {
namespace {

/// Exceptions that have been raised are each thread's own.
constexpr std::uint32_t kRaised = 0x3f;
constexpr std::array<std::ostream *, 3> kStreamsOfProgram{&std::cout, &std::cerr, &std::clog};

} // namespace

InheritedState InheritedState::ofCaller() {
  InheritedState state;
  state.vectorControl_ = _mm_getcsr() & ~kRaised;
  asm volatile("fnstcw %0" : "=m"(state.x87Control_));
  for (unsigned i = 0; i < kStreams; ++i) {
    const std::ostream &stream = *kStreamsOfProgram[i];
    state.formats_[i] = {stream.flags(), std::int32_t(stream.precision()),
                         std::int32_t(stream.width()), stream.fill()};
  }
  return state;
}

void InheritedState::apply() const {
  _mm_setcsr((_mm_getcsr() & kRaised) | vectorControl_);
  asm volatile("fldcw %0" : : "m"(x87Control_));
  for (unsigned i = 0; i < kStreams; ++i) {
    std::ostream &stream = *kStreamsOfProgram[i];
    stream.flags(formats_[i].flags);
    stream.precision(formats_[i].precision);
    stream.width(formats_[i].width);
    stream.fill(formats_[i].fill);
  }
}

} // namespace ompdsm
