# lit.cfg.py: random programs on several nodes. OMPDSM_BUILD_DIR names the build directory (default: build).
# --param seeds=N takes so many programs, --param first=S begins with that seed.
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)

import seeds_format

config.name = "stress"
config.test_source_root = here
build = os.path.abspath(os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(here, "..", "..", "build"))
config.test_exec_root = os.path.join(build, "test", "stress")
for needed in ("bin/ompdsm-run", "bin/ompdsm-clang", "lib/libompdsm.so", "lib/libompdsm-plugin.so"):
    if not os.path.exists(os.path.join(build, needed)):
        lit_config.fatal(f"{os.path.join(build, needed)} is missing; build first, or set OMPDSM_BUILD_DIR")
seeds, first = int(lit_config.params.get("seeds", "30")), int(lit_config.params.get("first", "1"))
config.test_format = seeds_format.SeedsFormat(build, first, seeds)
