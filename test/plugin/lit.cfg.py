# lit.cfg.py: the ways in which the plugin is loaded.
# OMPDSM_BUILD_DIR names the build directory (default: build).
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(here))

import plugin_suite

plugin_suite.configure(config, lit_config, here, "plugin")
