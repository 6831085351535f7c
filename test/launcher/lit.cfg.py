# lit.cfg.py: runs the launcher's tests. OMPDSM_BUILD_DIR names the build directory (default: build).
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "launcher"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".py", ".test"]
config.excludes = ["lit.cfg.py", "job.py", "subject.py", "Inputs", "CMakeLists.txt", "README.md", "unit"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))

build = os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(config.test_source_root, "..", "..", "build")
build = os.path.abspath(build)
config.test_exec_root = os.path.join(build, "test", "launcher")
helpers = os.path.join(config.test_exec_root, "bin")
for needed in (os.path.join(build, "bin", "ompdsm-run"), os.path.join(helpers, "ompdsm-fake-node")):
    if not os.path.exists(needed):
        lit_config.fatal(f"{needed} is missing; build first, or set OMPDSM_BUILD_DIR")

# Nothing of the caller's own OMPDSM_* may reach the tests.
config.environment = {name: value for name, value in os.environ.items() if not name.startswith("OMPDSM_")}
config.environment["OMPDSM_BUILD_DIR"] = build
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["PYTHONPATH"] = config.test_source_root
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%units", os.path.join(helpers, "ompdsm-launcher-units")))
config.substitutions.append(("%fuzzer-canary", os.path.join(helpers, "ompdsm-frame-fuzzer-canary")))
config.substitutions.append(("%fuzzer", os.path.join(helpers, "ompdsm-frame-fuzzer")))
if os.path.exists(os.path.join(helpers, "ompdsm-frame-fuzzer")):
    config.available_features.add("fuzzer")


def can_make_namespaces():
    """As root, where the kernel lets us, with what starts nodes in them."""
    if os.geteuid() != 0 or not all(shutil.which(tool) for tool in ("ip", "unshare", "mpirun")):
        return False
    name = f"ompdsm-probe-{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode != 0:
        return False
    usable = subprocess.run(["ip", "netns", "exec", name, "unshare", "--uts", "true"], capture_output=True).returncode == 0
    subprocess.run(["ip", "netns", "del", name], check=True)
    return usable


if can_make_namespaces():
    config.available_features.add("namespaces")
if os.path.exists(os.path.join(build, "lib", "libompdsm-plugin.so")) and os.path.exists(
        os.path.join(build, "lib", "libompdsm.so")):
    config.available_features.add("ompdsm")
