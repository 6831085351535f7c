// Admission.h: the door of the rendezvous: who proves the job's secret comes in, once per node.
//
// Strangers cost little and change nothing: at most kMaxPending connections wait for their proof,
// each at most kProofDeadline and with a hello's worth of memory; the oldest makes room for a new
// one. The door closes for ever when every node is in.
#pragma once
#include "libompdsm/tools/run/Connection.h"
#include "libompdsm/tools/run/Outcome.h"
#include <list>
#include <netinet/in.h>
#include <string>

namespace ompdsm::run {

inline constexpr std::size_t kMaxPending = 2 * fabric::bootstrap::kMaxNodes;
inline constexpr std::chrono::milliseconds kProofDeadline{5000};

class Admission {
public:
  using Admitted =
      std::function<void(unsigned node, pid_t pid, std::unique_ptr<Connection> connection)>;

  Admission(EventLoop &loop, unsigned nodes, const fabric::bootstrap::Secret &secret)
      : loop_(loop), nodes_(nodes), secret_(secret), admittedNodes_(nodes, false) {}
  ~Admission();

  /// Listens at an address of this host, at a port of the kernel's choice; false with errno.
  bool open(in_addr host = {htonl(INADDR_LOOPBACK)});
  /// "ip:port", for the nodes.
  std::string address() const;
  /// Starts to let nodes in; separate from open() because nothing may be registered across fork.
  void start(Admitted admitted);
  /// Drops who did not prove itself in time.
  void tick(TimePoint now);
  bool hasPending() const { return !pending_.empty(); }
  int listener() const { return listener_.get(); }
  void close();

private:
  struct Pending {
    std::unique_ptr<Connection> connection;
    fabric::bootstrap::Nonce nonce;
    TimePoint deadline;
    bool finished = false; ///< handed over or refused; removed at the next tick or accept.
  };
  using Place = std::list<Pending>::iterator;

  void acceptOne();
  bool judge(Place place, const fabric::bootstrap::Frame &frame);
  void sweep();

  EventLoop &loop_;
  const unsigned nodes_;
  const fabric::bootstrap::Secret secret_;
  std::vector<bool> admittedNodes_;
  unsigned admittedCount_ = 0;
  UniqueFd listener_;
  Admitted admitted_;
  std::list<Pending> pending_; ///< oldest first.
};

} // namespace ompdsm::run
