// EarlyTable.cpp: an indirect function, whose resolver the dynamic linker calls when it relocates
// the library. Nothing else of it may be used there: not all is relocated yet.
#include "libompdsm/src/EarlyTable.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "protocol/engine/MissCounts.h"
#include <cstddef>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <utility>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

namespace ompdsm {
namespace {

constinit bool isReserved = false;

long call(long number, long a, long b, long c, long d, long e, long f) {
  register long fourth asm("r10") = d, fifth asm("r8") = e, sixth asm("r9") = f;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
  return result;
}

bool answer() { return std::exchange(isReserved, false); }

} // namespace
} // namespace ompdsm

extern "C" {
__attribute__((used)) static bool (*ompdsmReserveEarly())() {
  using namespace ompdsm;
  constexpr long kBegin = OMPDSM_STATE_TABLE;
  constexpr long kBytes = OMPDSM_STATE_TABLE_BYTES + long(MissCounts::kTableBytes);
  const long got = call(SYS_mmap, kBegin, kBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  isReserved = got == kBegin;
  if (got > 0 && !isReserved)
    call(SYS_munmap, got, kBytes, 0, 0, 0, 0); // A kernel before 4.17 takes the address as a wish.
  return answer;
}
static bool takeReservation() __attribute__((ifunc("ompdsmReserveEarly")));
}

namespace ompdsm {

bool takeEarlyTable() { return takeReservation(); }

} // namespace ompdsm
