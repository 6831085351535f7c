"""What the lit suites share that build programs with the wrappers and run them on nodes."""
import os
import shutil
import sys

import lit.formats

import on_nodes


def configure(config, lit_config, directory, c, cpp):
    """`directory` is the suite's; `c` and `cpp` are the options that its programs are compiled with."""
    config.name = os.path.basename(directory)
    config.test_format = lit.formats.ShTest(execute_external=False)
    config.suffixes = [".c", ".cpp", ".f90"]
    config.test_source_root = directory
    build = os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(directory, "..", "..", "build")
    build = os.path.abspath(build)
    config.test_exec_root = os.path.join(build, "test", config.name)
    tools = os.path.join(build, "bin")
    for needed in (os.path.join(tools, "ompdsm-run"), os.path.join(tools, "ompdsm-clang"),
                   os.path.join(build, "lib", "libompdsm.so"), os.path.join(build, "lib", "libompdsm-plugin.so")):
        if not os.path.exists(needed):
            lit_config.fatal(f"{needed} is missing; build first, or set OMPDSM_BUILD_DIR")

    # Nothing of the caller's own OMPDSM_*, OMP_* or KMP_* may reach the tests.
    config.environment = {name: value for name, value in os.environ.items()
                          if not name.startswith(("OMPDSM_", "OMP_", "KMP_"))}
    # Regions of tests are short: they would be folded after the first visit, and test nothing of several nodes.
    config.environment["OMPDSM_FOLD"] = lit_config.params.get("fold", "0")

    # A program takes seconds on a machine that is busy; the limit is for one that hangs.
    run = f"timeout 120 {tools}/ompdsm-run"
    # Runs that only the full set has; otherwise the line is true at once.
    is_full = lit_config.params.get("matrix") == "full"
    full = "" if is_full else "true ||"
    directory_here = os.path.dirname(os.path.abspath(__file__))
    many = f"{sys.executable} {os.path.join(directory_here, 'on_nodes.py')} {tools}/ompdsm-run"
    config.substitutions += [
        # -latomic, because clang calls it for objects of more than 8 bytes where the pass leaves them alone.
        ("%python", sys.executable),
        ("%build-cpp", f"{tools}/ompdsm-clang++ {cpp} -g %s -o %t -latomic -lm"),
        ("%build-c", f"{tools}/ompdsm-clang {c} -g %s -o %t -latomic -lm"),
        ("%cc", f"{tools}/ompdsm-clang -O2"),
        ("%build-f90", f"{tools}/ompdsm-flang -O2 -g -module-dir %t.modules %s -o %t"),
        ("%full", full),
        ("%run", run),
        *[(f"%on{nodes}", f"{many} {nodes} %t" if is_full else f"env OMP_NUM_THREADS={team} {run} -n {nodes} %t")
          for nodes, team in on_nodes.TEAMS.items()],
        ("%filecheck", "/usr/lib/llvm-22/bin/FileCheck"),
        (r"\bnot\b", "/usr/lib/llvm-22/bin/not"),
    ]
    if shutil.which("flang-22"):
        config.available_features.add("flang")
