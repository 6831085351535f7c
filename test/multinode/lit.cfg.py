# lit.cfg.py: runs the programs of this directory on several nodes. OMPDSM_BUILD_DIR names the
# build directory (default: build). --param matrix=full takes every configuration, --param
# rotation=K other ones in the quick choice.
import glob
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)

import program_format

config.name = "multinode"
config.test_source_root = here
build = os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(here, "..", "..", "build")
build = os.path.abspath(build)
config.test_exec_root = os.path.join(build, "test", "multinode")
tools = os.path.join(build, "bin")
products = ("bin/ompdsm-run", "bin/ompdsm-clang", "lib/libompdsm.so.*", "lib/libompdsm-plugin.so")
for needed in products:
    if not glob.glob(os.path.join(build, needed)):
        missing = os.path.join(build, needed)
        lit_config.fatal(f"{missing} is missing; build first, or set OMPDSM_BUILD_DIR")
matrix = lit_config.params.get("matrix", "quick")
if matrix not in ("quick", "full"):
    lit_config.fatal(f"the parameter matrix is 'quick' or 'full', not '{matrix}'")
config.test_format = program_format.ProgramFormat(
    tools, config.test_exec_root, matrix, int(lit_config.params.get("rotation", "0"))
)
