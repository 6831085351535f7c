# lit.cfg.py: programs of several hundred lines, each one file as its owner would have it.
# OMPDSM_BUILD_DIR names the build directory (default: build); --param matrix=full takes all runs.
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))

import programs_suite

programs_suite.configure(config, lit_config, here, c="-std=gnu17 -O3", cpp="-std=c++20 -O3")
