// ProgramOutput.h: what the program's threads print on this node. Each node has the buffers of its
// own process, of which the C library and flang's runtime write out what is left at the end of the
// program, that is, on node 0 alone. And what a thread prints before a thread of another node may
// go on has to be with the reader of both before, or lines come in another order than on one node.
#pragma once
#include <atomic>
#include <cstdint>

namespace ompdsm {

/// Any thread may call, nodes > 1.
class ProgramOutput {
public:
  /// Writes out what waits for standard output, and waits until its reader has taken it if that is
  /// behind a pipe: the launcher reads several, in any order. A release begins with it, at which
  /// the caller may go offline. Costs little if nothing was printed.
  void flush();
  /// All files and streams of C, C++ and Fortran. No thread may be printing in Fortran.
  void flushAll();

  /// Something was written to standard output, past the C library's buffer.
  void noteWritten() { written_.fetch_add(1, std::memory_order_relaxed); }

  /// The program wants what is printed written when it is printed, or at the end of each line.
  void setWrittenAtOnce(bool is) { isWrittenAtOnce_.store(is, std::memory_order_relaxed); }

  using FortranFlush = void (*)(std::int32_t unit);
  void beginFortranStatement(std::int32_t unit);
  /// `flush`: _FortranAFlush, which is linked statically, so that only compiled code knows it.
  void endFortranStatement(std::int32_t unit, FortranFlush flush);

  /// flang's runtime closes its units next.
  void endFortran() { isFortranOver_.store(true, std::memory_order_relaxed); }

private:
  void flushFortran();
  void awaitReader();

  std::atomic<FortranFlush> fortranFlush_{nullptr};
  std::atomic<bool> isFortranOver_{false};
  std::atomic<std::uint64_t> written_{0};
  std::atomic<std::uint64_t> taken_{0}; ///< Of written_: what the reader has.
  std::atomic<bool> isWrittenAtOnce_{false};
  std::atomic<bool> readerIsSlow_{false}; ///< It was waited for in vain.
};

} // namespace ompdsm
