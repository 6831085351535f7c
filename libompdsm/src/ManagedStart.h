// ManagedStart.h: the start of a job by a resource manager's launcher (mpirun, srun, prterun),
// which the nodes find by PMIx.
//
// PMIx says how many processes there are and which one this is, and carries one message: node 0
// starts ompdsm-coordinator and tells the others where it listens, with the secret of the job. From
// there on everything is as under ompdsm-run (Bootstrap).
#pragma once
#include "fabric/Bootstrap.h"
#include "libompdsm/src/Options.h"

namespace ompdsm {

/// Makes sure that addresses are not randomised: executes the program again without, if the process
/// was started by such a launcher. `argv` is main's.
void leaveRandomisation(char **argv);

/// Fills in `where` and options.localNodes if the process was started by such a launcher, as one of
/// several; else both stay as they are. ompdsm-run's environment comes first.
Status findManagedJob(Options &options, fabric::BootstrapOptions &where);

} // namespace ompdsm
