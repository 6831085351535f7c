# lit.cfg.py: installs the build into a directory of its own and uses it as another project would.
# OMPDSM_BUILD_DIR names the build directory (default: build).
import os
import shutil
import subprocess
import sys

import lit.formats

sys.dont_write_bytecode = True
config.name = "package"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))

build = os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(config.test_source_root, "..", "..", "build")
build = os.path.abspath(build)
config.test_exec_root = os.path.join(build, "test", "package")

# One installation for all tests, in a directory that the build does not know.
prefix = os.path.join(config.test_exec_root, "prefix")
shutil.rmtree(prefix, ignore_errors=True)
installed = subprocess.run(["cmake", "--install", build, "--prefix", prefix], capture_output=True, text=True)
if installed.returncode != 0:
    lit_config.fatal(f"cmake --install failed: {installed.stderr}")

config.environment = {name: value for name, value in os.environ.items() if not name.startswith("OMPDSM_")}
config.environment["PATH"] = os.pathsep.join(["/usr/lib/llvm-22/bin", os.environ.get("PATH", "")])
limit = "timeout --kill-after=5 100 "
config.substitutions += [
    ("%run", f"{limit}{prefix}/bin/ompdsm-run"),
    ("%cmake", f"{limit}cmake"),
    ("%prefix", prefix),
    ("%version", "0.1.0"),
]
