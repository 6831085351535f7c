# lit.cfg.py: runs the programs of test/runtime/programs. OMPDSM_BUILD_DIR names the build directory
# (default: build).
#
# Substitutions: %cc %cxx compile with the plugin, %run is the launcher, %check the comparison of
# output, %plain-cc a clang without the plugin, %linkers the linkers that must work.
import os
import shutil
import sys

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
config.name = "runtime"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".c", ".cpp", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.join(here, "programs")
lit_config.maxIndividualTestTime = 180

build = os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(here, "..", "..", "build")
build = os.path.abspath(build)
config.test_exec_root = os.path.join(build, "test", "runtime")
tools = os.path.join(build, "bin")
for needed in ("bin/ompdsm-run", "bin/ompdsm-clang", "lib/libompdsm.so", "lib/libompdsm-plugin.so"):
    if not os.path.exists(os.path.join(build, needed)):
        lit_config.fatal(f"{os.path.join(build, needed)} is missing; build first, or set OMPDSM_BUILD_DIR")


def tool(name):
    for candidate in (f"{name}-22", name):
        found = shutil.which(candidate)
        if found:
            return found
    lit_config.fatal(f"{name} of LLVM 22 is missing")


# Nothing of the caller's own OMPDSM_* or OMP_* may reach the tests.
config.environment = {
    name: value for name, value in os.environ.items() if not name.startswith(("OMPDSM_", "OMP_", "KMP_"))
}
# Regions of tests are short: they would be folded after the first visit, and test nothing of several nodes.
config.environment["OMPDSM_FOLD"] = lit_config.params.get("fold", "0")
config.substitutions += [
    ("%cc", f"{tools}/ompdsm-clang -g -I{config.test_source_root}"),
    ("%cxx", f"{tools}/ompdsm-clang++ -g -I{config.test_source_root}"),
    ("%plain-cc", tool("clang")),
    ("%run", f"timeout -k 5 100 {tools}/ompdsm-run"),
    ("%check", tool("FileCheck")),
    # As root, and with more processes than cores; a wait without work must not take a core.
    ("%mpirun", "timeout -k 5 100 mpirun --allow-run-as-root --oversubscribe --quiet"),
    ("%with-slurm", f"timeout -k 5 100 {os.path.join(here, 'Inputs', 'with-slurm')}"),
    ("%python", sys.executable),
    ("%build", build),
]
if os.path.exists(os.path.join(tools, "ompdsm-check")):  # Not where the thread sanitizer is on.
    config.available_features.add("replay")
if len(os.sched_getaffinity(0)) >= 2:
    config.available_features.add("two-cores")
if shutil.which("mpirun"):
    config.available_features.add("mpirun")
# Only where it is installed (slurm-wlm, munge): test/run does not ask for a workload manager.
if os.geteuid() == 0 and all(shutil.which(name) for name in ("srun", "slurmctld", "slurmd", "munged")):
    config.available_features.add("slurm")
