# lit.cfg.py: bench/compare is right where it can be tested without timing: all versions of a program answer alike, wrong ones are seen,
# messages are counted.
# OMPDSM_BUILD_DIR names the build directory (default: build).
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))

import bench_suite

bench_suite.configure(config, lit_config, here)
