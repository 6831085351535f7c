// WaitPolicy.h: how long who waits for other nodes polls before it sleeps, by what OpenMP programs
// say of their threads. To sleep costs more than it seems where a host is a virtual machine: a core
// without work is taken from it, and is back only after a part of a millisecond to many.
#pragma once

namespace ompdsm {

inline constexpr unsigned kUsualPolling = 200000; ///< In microseconds.

/// In microseconds. `waitPolicy` and `blockTime` are the values of OMP_WAIT_POLICY and
/// KMP_BLOCKTIME (milliseconds, or with a unit, us or ms; or "infinite"), each null if it is not
/// set. As libomp has it: KMP_BLOCKTIME decides, else the policy, ACTIVE without an end, else
/// kUsualPolling. But who shall sleep at once polls for a millisecond: to fetch something takes
/// some microseconds.
unsigned microsecondsToPoll(const char *waitPolicy, const char *blockTime);

} // namespace ompdsm
