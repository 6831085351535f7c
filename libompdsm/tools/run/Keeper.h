// Keeper.h: the process between the launcher and the nodes, so that nothing outlives the job.
//
// The launcher forks the keeper and the keeper starts the nodes; it is their parent and the
// subreaper of all they start. It reports their ends to the launcher and sends them signals for it.
// When the launcher is gone (killed, say), the keeper sees the end of file of the link between
// them, kills all that is left of the job and sweeps /dev/shm. When the keeper is killed, the
// kernel kills the nodes (parent-death signal), what they had started becomes the launcher's child,
// and the launcher does the same sweep. So one of the two may be killed at any time.
//
// The keeper belongs to the launcher's process group and blocks all signals, as a witness: a signal
// that it also gets was sent to the whole group (a terminal's Ctrl-C), so node 0 has it already and
// the launcher does not forward it.
#pragma once
#include "libompdsm/tools/run/NodeStart.h"
#include <chrono>
#include <cstdint>

namespace ompdsm::run {

/// How long the last sweep may take before the job is left to the kernel.
inline constexpr std::chrono::milliseconds kSweepLimit{2000};

/// Keeper to launcher, one per datagram.
struct KeeperEvent {
  enum class Kind : std::uint32_t {
    Forked,      ///< node `node`, which says so itself, is about to execute its program as `pid`.
    Started,     ///< node `node` runs as `pid`.
    StartFailed, ///< node `node` could not be started: errno `value`.
    Exited,      ///< node `node` (`pid`) ended with wait status `value`.
    Witnessed,   ///< the keeper got signal `value`.
    Swept ///< nothing of the job is left; the last event. `value` 0: some process would not die.
  };
  Kind kind{};
  std::uint32_t node = 0;
  std::int32_t pid = 0;
  std::int32_t value = 0;
};

/// Launcher to keeper.
struct KeeperCommand {
  enum class Kind : std::uint32_t {
    SignalFirst, ///< send signal `value` to node 0.
    SignalAll,   ///< send signal `value` to all nodes.
    Joined,      ///< process `value` has joined as a node; it may have files in /dev/shm.
    Kill         ///< kill all that is left, sweep, answer Swept and exit.
  };
  Kind kind{};
  std::int32_t value = 0;
};

struct KeeperHandle {
  pid_t pid = -1;
  UniqueFd link;
};

/// Forks the keeper, which starts the nodes at once. The caller is single-threaded, a subreaper,
/// and has blocked the signals that it handles. False with errno if the keeper cannot be made. In
/// the launcher, the write ends of the plan's pipes are closed afterwards; the keeper closes
/// `listener`, which is the launcher's alone.
bool forkKeeper(NodePlan &plan, int listener, KeeperHandle &keeper);

} // namespace ompdsm::run
