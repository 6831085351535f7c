# lit.cfg.py: the tests of test/plugin with the plugin for LLVM 19, which clang 19 loads in both ways.
# OMPDSM_BUILD_DIR names the build directory (default: build).
import os
import sys

sys.dont_write_bytecode = True
tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, tests)

import plugin_suite

plugin_suite.configure(config, lit_config, os.path.join(tests, "plugin"), "plugin-19", llvm=19,
                       through=f"{sys.executable} {os.path.join(tests, 'pass-19', 'opt.py')}")
config.excludes.append("clang-19.test")  # runs programs by the wrappers; once is enough
