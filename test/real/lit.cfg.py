# lit.cfg.py: runs programs as their owners would have written them. OMPDSM_BUILD_DIR names the
# build directory (default: build). Each program says in its RUN lines on how many nodes.
import os

import lit.formats

config.name = "real"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".c", ".cpp"]

config.test_source_root = os.path.dirname(os.path.abspath(__file__))

build = os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(config.test_source_root, "..", "..", "build")
build = os.path.abspath(build)
config.test_exec_root = os.path.join(build, "test", "real")
tools = os.path.join(build, "bin")
for needed in (os.path.join(tools, "ompdsm-run"), os.path.join(tools, "ompdsm-clang"),
               os.path.join(build, "lib", "libompdsm.so"), os.path.join(build, "lib", "libompdsm-plugin.so")):
    if not os.path.exists(needed):
        lit_config.fatal(f"{needed} is missing; build first, or set OMPDSM_BUILD_DIR")

# Nothing of the caller's own OMPDSM_*, OMP_* or KMP_* may reach the tests.
config.environment = {name: value for name, value in os.environ.items()
                      if not name.startswith(("OMPDSM_", "OMP_", "KMP_"))}

# A program takes seconds on a machine that is busy; the limit is for one that hangs.
run = f"timeout 120 {tools}/ompdsm-run"
# -latomic, because clang calls it for objects of more than 8 bytes where the pass leaves them alone.
config.substitutions.append(("%build-cpp", f"{tools}/ompdsm-clang++ -std=c++20 -O3 -g %s -o %t -latomic -lm"))
config.substitutions.append(("%build-c", f"{tools}/ompdsm-clang -std=gnu17 -O3 -g %s -o %t -latomic -lm"))
# A team of as many threads as nodes, of more, and of a number that does not divide.
# Runs that only the full set has; otherwise the line is true at once.
full = "" if lit_config.params.get("matrix") == "full" else "true ||"
config.substitutions.append(("%full", full))
config.substitutions.append(("%run", run))
config.substitutions.append(("%on1", f"env OMP_NUM_THREADS=4 {run} -n 1 %t"))
config.substitutions.append(("%on2", f"env OMP_NUM_THREADS=4 {run} -n 2 %t"))
config.substitutions.append(("%on3", f"env OMP_NUM_THREADS=7 {run} -n 3 %t"))
config.substitutions.append(("%on4", f"env OMP_NUM_THREADS=4 {run} -n 4 %t"))
config.substitutions.append(("%filecheck", "/usr/lib/llvm-22/bin/FileCheck"))
config.substitutions.append((r"\bnot\b", "/usr/lib/llvm-22/bin/not"))
