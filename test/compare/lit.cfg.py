# lit.cfg.py: bench/compare is right where it can be tested without timing: all versions of a program answer alike, wrong ones are seen,
# messages are counted.
# OMPDSM_BUILD_DIR names the build directory (default: build).
import os

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
config.name = "compare"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = here
build = os.path.abspath(os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(root, "build"))
config.test_exec_root = os.path.join(build, "test", "compare")
if not os.path.exists(os.path.join(build, "bin", "ompdsm-run")):
    lit_config.fatal(f"{build}/bin/ompdsm-run is missing; build first, or set OMPDSM_BUILD_DIR")

# Nothing of the caller's own OMPDSM_*, OMP_* or KMP_* may reach the tests.
config.environment = {name: value for name, value in os.environ.items()
                      if not name.startswith(("OMPDSM_", "OMP_", "KMP_"))}
config.environment["OMPDSM_BUILD_DIR"] = build
config.substitutions += [
    ("%compare", f"timeout --kill-after=5 600 {os.path.join(root, 'bench', 'compare', 'run')}"),
    ("%inputs", os.path.join(here, "Inputs")),
    ("%filecheck", "/usr/lib/llvm-22/bin/FileCheck"),
    (r"\bnot\b", "/usr/lib/llvm-22/bin/not"),
]
