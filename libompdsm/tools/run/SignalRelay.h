// SignalRelay.h: the signals that the launcher gets, and which of them go on to the program.
//
// Nodes are in the launcher's process group, as the processes of any job of a shell are: the
// terminal sends Ctrl-C, Ctrl-Z and hang-ups to all of them, and gives them its input. A signal
// that was sent to the launcher alone is forwarded to node 0, which runs main. So each signal
// reaches the program exactly once; the keeper, in the same group, tells the two cases apart (see
// Keeper.h).
#pragma once
#include "libompdsm/tools/run/EventLoop.h"
#include "libompdsm/tools/run/Outcome.h"
#include <array>
#include <csignal>

namespace ompdsm::run {

/// How long the keeper's word that it got a signal too is awaited. The kernel signals the members
/// of a group in one go, so this only has to cover the keeper's wake-up; if it is too short, the
/// program gets the signal twice.
inline constexpr std::chrono::milliseconds kWitnessDelay{30};

class SignalRelay {
public:
  struct Listener {
    std::function<void(int signal)> onSignal;  ///< once for each signal, whoever sent it.
    std::function<void(int signal)> onForward; ///< it went to the launcher alone.
    std::function<void()> onStop;              ///< the launcher is to stop, after the nodes.
    std::function<void()> onContinue;
  };

  /// Blocks the signals; `before` gets the mask of the process as it was started.
  static void block(sigset_t &before);

  SignalRelay(EventLoop &loop, Listener listener);
  SignalRelay(const SignalRelay &) = delete;

  /// The keeper got `signal`.
  void witnessed(int signal, TimePoint now);
  void tick(TimePoint now);
  bool waits() const;

private:
  struct State {
    std::optional<TimePoint> forwardAt;
    std::optional<TimePoint> witnessedAt; ///< by a signal that we have not seen ourselves yet.
  };
  void take();
  void settle(int signal, bool forward);

  EventLoop &loop_;
  Listener listener_;
  UniqueFd fd_;
  std::array<State, 65> states_; ///< by signal number.
};

} // namespace ompdsm::run
