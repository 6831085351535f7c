// InheritedState.h: what the threads of a region have from the thread that starts it, though it is
// in no memory of the job: how the processor computes, and how the standard streams of C++ print.
// Inside a node libomp hands on the former (KMP_INHERIT_FP_CONTROL), and the latter is one for all.
#pragma once
#include <array>
#include <cstdint>
#include <ios>

namespace ompdsm {

/// Of the calling thread and its process. Trivially copyable: travels with the order to fork.
class InheritedState {
public:
  static InheritedState ofCaller();
  void apply() const;

private:
  struct Format {
    std::ios_base::fmtflags flags;
    std::int32_t precision, width;
    char fill;
  };
  static constexpr unsigned kStreams = 3; ///< cout, cerr, clog.

  std::uint32_t vectorControl_ = 0; ///< MXCSR without its flags.
  std::uint16_t x87Control_ = 0;
  std::array<Format, kStreams> formats_{};
};

} // namespace ompdsm
