# lit.cfg.py: runs the programs of programs/ on one and several nodes.
# OMPDSM_BUILD_DIR names the build directory (default: build); --param matrix=full takes all runs.
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))

import programs_suite

programs_suite.configure(config, lit_config, here, c="-std=c11 -O2", cpp="-std=c++17 -O2")
config.excludes = ["unit"]
