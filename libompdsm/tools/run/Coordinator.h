// Coordinator.h: the rendezvous of a job that another launcher (mpirun, srun) has started.
//
// The part of ompdsm-run that remains when somebody else starts, watches and kills the processes:
// it lets the nodes in, serves their all-gathers, learns of their ends, and says once why the job
// ends. The nodes end themselves when they hear it, or when the coordinator is gone.
#pragma once
#include "libompdsm/tools/run/Admission.h"
#include "libompdsm/tools/run/NodeLinks.h"
#include <optional>
#include <string>
#include <vector>

namespace ompdsm::run {

/// A lost connection may be the consequence of a failure that another node is about to report.
inline constexpr std::chrono::milliseconds kLostDelay{200};
/// From the word that the job ends to the end of the coordinator, however many nodes still hang.
inline constexpr std::chrono::milliseconds kFarewell{3000};

class Coordinator {
public:
  /// `node0` is the process that started us.
  Coordinator(EventLoop &loop, Admission &admission, unsigned nodes, pid_t node0,
              std::chrono::seconds startTimeout);
  /// Runs until all nodes have left. 0 if all did in order.
  int run();

private:
  struct Node {
    pid_t pid = 0;
    bool joined = false;
    bool done = false;
    std::optional<TimePoint> lost;
  };
  void tick(TimePoint now);
  void fail(const std::string &message);
  /// Removes what the nodes of this host have left in /dev/shm, once they are gone.
  void sweep();
  std::string describe(unsigned node) const;
  bool isOver(TimePoint now) const;
  /// Whether something will happen without a message; else the coordinator sleeps for the whole run.
  bool needsClock() const;

  EventLoop &loop_;
  Admission &admission_;
  std::vector<Node> nodes_;
  NodeLinks links_;
  TimePoint deadline_; ///< of the joining; of the farewell once the job has failed.
  bool failed_ = false;
  const pid_t node0_; ///< Our parent, as long as it lives.
};

} // namespace ompdsm::run
