# lit.cfg.py: the scripts of bench/micro are right where it can be tested without timing.
# OMPDSM_BUILD_DIR names the build directory (default: build).
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))

import bench_suite

bench_suite.configure(config, lit_config, here, runners=("shared-blocks", "styles"))
