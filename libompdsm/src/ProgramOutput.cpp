// ProgramOutput.cpp: the buffers of the C and C++ libraries and of flang's runtime.
#include "libompdsm/src/ProgramOutput.h"
#include "libompdsm/src/Export.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/ThreadContext.h"
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdio_ext.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace ompdsm {
namespace {

constexpr std::int32_t kFortranOutput = 6, kAllUnits = -1;
constexpr std::chrono::microseconds kPause{20};
/// A reader that takes nothing for so long is not waited for any more: whoever reads from it has
/// stopped, say.
constexpr std::chrono::seconds kPatience{1};

/// How much is in the pipe that standard output is; 0 if it is none.
int unreadBytes() {
  struct stat status{};
  int bytes = 0;
  if (fstat(STDOUT_FILENO, &status) || !S_ISFIFO(status.st_mode) ||
      ioctl(STDOUT_FILENO, FIONREAD, &bytes))
    return 0;
  return bytes;
}

void noteEndOfFortran() {
  if (jobIsSpread())
    runtime()->output.endFortran();
}

} // namespace

void ProgramOutput::flush() {
  if (__fpending(stdout) != 0) {
    std::fflush(stdout);
    noteWritten();
  }
  flushFortran();
  if (isWrittenAtOnce_.load(std::memory_order_relaxed) ||
      written_.load(std::memory_order_relaxed) != taken_.load(std::memory_order_relaxed))
    awaitReader();
}

void ProgramOutput::awaitReader() {
  const std::uint64_t written = written_.load(std::memory_order_relaxed);
  int unread = unreadBytes();
  if (unread && !readerIsSlow_.load(std::memory_order_relaxed)) {
    const OfflineScope offline;
    const auto start = std::chrono::steady_clock::now();
    while (unread && std::chrono::steady_clock::now() - start < kPatience) {
      std::this_thread::sleep_for(kPause);
      unread = unreadBytes();
    }
  }
  readerIsSlow_.store(unread != 0, std::memory_order_relaxed);
  // A smaller number than another thread's only makes somebody look once more.
  taken_.store(written, std::memory_order_relaxed);
}

void ProgramOutput::flushAll() {
  for (std::ostream *stream : {&std::cout, &std::cerr, &std::clog})
    stream->flush();
  for (std::wostream *stream : {&std::wcout, &std::wcerr, &std::wclog})
    stream->flush();
  std::fflush(nullptr);
  if (const FortranFlush flush = fortranFlush_.load(std::memory_order_relaxed))
    flush(kAllUnits);
}

/// flang's runtime ends the program if a unit is flushed in a statement that writes to it.
void ProgramOutput::flushFortran() {
  ThreadContext &thread = currentThread;
  if (!thread.hasPrintedInFortran || thread.fortranStatements != 0 ||
      isFortranOver_.load(std::memory_order_relaxed))
    return;
  thread.hasPrintedInFortran = false;
  fortranFlush_.load(std::memory_order_relaxed)(kFortranOutput);
  noteWritten();
}

void ProgramOutput::beginFortranStatement(std::int32_t unit) {
  if (unit == kFortranOutput)
    ++currentThread.fortranStatements;
}

// In regions each statement is written out when it ends, by its thread, as there is no other moment
// at which no other thread uses the unit.
void ProgramOutput::endFortranStatement(std::int32_t unit, FortranFlush flush) {
  // Exit handlers run in the reverse order, and flang's runtime, which has one that ends its units,
  // has registered it by now. Destructors behind that may synchronise, too.
  if (!fortranFlush_.exchange(flush, std::memory_order_relaxed))
    std::atexit(noteEndOfFortran);
  if (unit != kFortranOutput)
    return;
  ThreadContext &thread = currentThread;
  if (thread.fortranStatements != 0) // One may have begun before the job did.
    --thread.fortranStatements;
  thread.hasPrintedInFortran = true;
  if (thread.frame || runtime()->node != 0)
    flushFortran();
}

} // namespace ompdsm

using namespace ompdsm;

OMPDSM_EXPORT void __ompdsm_fortran_output_begins(std::int32_t unit) {
  if (jobIsSpread())
    runtime()->output.beginFortranStatement(unit);
}

OMPDSM_EXPORT void __ompdsm_fortran_output_ends(std::int32_t unit,
                                                ProgramOutput::FortranFlush flush) {
  if (jobIsSpread())
    runtime()->output.endFortranStatement(unit, flush);
}
