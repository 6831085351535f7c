// SignalRelay.cpp: one signalfd, and the wait for the keeper's word.
#include "libompdsm/tools/run/SignalRelay.h"
#include "fabric/Check.h"
#include <algorithm>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace ompdsm::run {
namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP};

/// Signals that were ignored when we were started (nohup, the background of a script) stay so, for
/// us and for the nodes.
bool isIgnored(int number) {
  struct sigaction action{};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t handledSignals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : kForwarded)
    if (!isIgnored(number))
      sigaddset(&set, number);
  sigaddset(&set, SIGCONT);
  return set;
}

} // namespace

void SignalRelay::block(sigset_t &before) {
  sigset_t set = handledSignals();
  sigaddset(&set, SIGPIPE); // a closed output is an error of write()
  sigaddset(&set, SIGCHLD); // the keeper's end is an end of file
  sigprocmask(SIG_BLOCK, &set, &before);
}

SignalRelay::SignalRelay(EventLoop &loop, Listener listener)
    : loop_(loop), listener_(std::move(listener)) {
  const sigset_t set = handledSignals();
  fd_.reset(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
  OMPDSM_CHECK(fd_.isOpen());
  OMPDSM_CHECK(loop_.add(fd_.get(), EPOLLIN, [this](std::uint32_t) { take(); }));
}

void SignalRelay::take() {
  signalfd_siginfo info;
  while (read(fd_.get(), &info, sizeof info) == sizeof info) {
    const int number = static_cast<int>(info.ssi_signo);
    if (number == SIGCONT) {
      listener_.onContinue();
      continue;
    }
    listener_.onSignal(number);
    State &state = states_[info.ssi_signo];
    // A key of the terminal is for the whole group. A hang-up is the kernel's too, but may go to
    // the leader of the session alone.
    const bool isKey = info.ssi_code == SI_KERNEL && number != SIGHUP;
    const bool isWitnessed = state.witnessedAt && Clock::now() - *state.witnessedAt < kWitnessDelay;
    state.witnessedAt.reset();
    if (isKey || isWitnessed)
      settle(number, false);
    else
      state.forwardAt = Clock::now() + kWitnessDelay;
  }
}

void SignalRelay::witnessed(int signal, TimePoint now) {
  State &state = states_.at(static_cast<std::size_t>(signal));
  if (state.forwardAt)
    settle(signal, false);
  else
    state.witnessedAt = now;
}

void SignalRelay::settle(int signal, bool forward) {
  states_[static_cast<std::size_t>(signal)].forwardAt.reset();
  if (forward)
    listener_.onForward(signal);
  if (signal == SIGTSTP)
    listener_.onStop();
}

void SignalRelay::tick(TimePoint now) {
  for (const int number : kForwarded)
    if (const auto &at = states_[static_cast<std::size_t>(number)].forwardAt; at && *at <= now)
      settle(number, true);
}

bool SignalRelay::waits() const {
  return std::any_of(states_.begin(), states_.end(),
                     [](const State &s) { return s.forwardAt.has_value(); });
}

} // namespace ompdsm::run
