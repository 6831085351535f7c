// ManagedStart.h: the start of a job by a resource manager's launcher (mpirun, srun, prterun),
// which the nodes find by PMIx.
//
// PMIx says how many processes there are and which one this is, and carries two messages: node 0
// starts ompdsm-coordinator and tells the others where it listens, with the secret of the job; each
// node tells whether it reached it, so that the user hears once of a network that does not. From
// there on everything is as under ompdsm-run (Bootstrap).
#pragma once
#include "fabric/Bootstrap.h"
#include "libompdsm/src/Options.h"
#include <memory>
#include <sys/types.h>

namespace ompdsm {

/// Makes sure that addresses are not randomised: executes the program again without, if the process
/// was started by such a launcher. `argv` is main's.
void leaveRandomisation(char **argv);

class Pmix;

class ManagedStart {
public:
  ManagedStart();
  ~ManagedStart();

  /// Fills in `where` if the process was started by such a launcher, as one
  /// of several; else both stay as they are. ompdsm-run's environment comes first.
  Status find(Options &options, fabric::BootstrapOptions &where);
  /// Collective, after the attempt to connect to what find() found. If a node failed to, the job
  /// ends here, on all nodes. Under other launchers it returns `connected`.
  Status shareOutcome(const Status &connected);

private:
  Status join(Options &options, fabric::BootstrapOptions &where);
  Status openRendezvous(const Options &options, bool onOneHost, std::string &text);
  /// Waits for the other nodes; ends the process if one is gone.
  void meet();
  /// On all nodes, all with the same reason.
  [[noreturn]] void failTogether(const std::string &reason);
  void leave();

  std::unique_ptr<Pmix>
      pmix_; ///< Null under other launchers, and when PMIx is not needed any more.
  unsigned nodes_ = 1;
  pid_t coordinator_ = 0; ///< Node 0's child.
};

} // namespace ompdsm
