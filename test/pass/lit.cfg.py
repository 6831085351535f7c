# lit.cfg.py: what the plugin makes of programs, by FileCheck and by running them with a stub runtime.
# OMPDSM_BUILD_DIR names the build directory (default: build).
import os
import shutil
import subprocess
import sys

import lit.formats

sys.dont_write_bytecode = True
config.name = "pass"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".c", ".cpp"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))

build = os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(config.test_source_root, "..", "..", "build")
build = os.path.abspath(build)
config.test_exec_root = os.path.join(build, "test", "pass")
plugin = os.path.join(build, "lib", "libompdsm-plugin.so")
if not os.path.exists(plugin):
    lit_config.fatal(f"{plugin} is missing; build first, or set OMPDSM_BUILD_DIR")

llvm_config = shutil.which("llvm-config-22") or "/usr/lib/llvm-22/bin/llvm-config"
try:
    tools = subprocess.run([llvm_config, "--bindir"], capture_output=True, text=True, check=True).stdout.strip()
except (OSError, subprocess.CalledProcessError) as error:
    lit_config.fatal(f"cannot ask {llvm_config} for LLVM's tools ({error}); install llvm-22")

# Nothing of the caller's own OMPDSM_* may reach the tests.
config.environment = {name: value for name, value in os.environ.items() if not name.startswith("OMPDSM_")}
config.environment["PATH"] = os.pathsep.join([tools, os.environ.get("PATH", "")])
# A test that hangs must not take the others' time.
limit = "timeout --kill-after=5 100 "
clang = os.path.join(tools, "clang")
config.substitutions += [
    ("%opt", f"{limit}{os.path.join(tools, 'opt')} -load-pass-plugin={plugin}"),
    ("%clangxx", f"{limit}{clang}++"),
    ("%clang", f"{limit}{clang}"),
    ("%plugin", plugin),
    ("%limit", limit),
    ("%inputs", os.path.join(config.test_source_root, "Inputs")),
    ("%python", sys.executable),
    ("%abi", os.path.join(config.test_source_root, "..", "..", "libompdsm", "include")),
    ("%llvmlib", os.path.join(tools, "..", "lib")),
]
if shutil.which("ld.lld", path=config.environment["PATH"]):
    config.available_features.add("lld")
with open("/proc/cpuinfo") as information:
    flags = information.read().split()
for feature in ("avx2", "avx512f"):
    if feature in flags:
        config.available_features.add(feature)
