# lit.cfg.py: the tests of test/pass with the plugin for LLVM 19 and with its clang and opt.
# OMPDSM_BUILD_DIR names the build directory (default: build).
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
tests = os.path.dirname(here)
sys.path.insert(0, tests)

import plugin_suite

plugin_suite.configure(config, lit_config, os.path.join(tests, "pass"), "pass-19", llvm=19,
                       through=f"{sys.executable} {os.path.join(here, 'opt.py')}")
