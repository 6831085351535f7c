"""What the lit suites share that load the plugin into LLVM's own tools."""
import os
import shutil
import subprocess
import sys

import lit.formats

MAIN_LLVM = 22


def plugin_name(llvm):
    return "libompdsm-plugin.so" if llvm == MAIN_LLVM else f"libompdsm-plugin-{llvm}.so"


def configure(config, lit_config, directory, name, llvm=MAIN_LLVM, through=""):
    """`directory` holds the tests; `llvm` is the major version of the plugin and of clang and opt.

    opt is called by the command `through`, if one is given. Without the plugin for another version
    than the main one all tests are unsupported.
    """
    config.name = name
    config.test_format = lit.formats.ShTest(execute_external=False)
    config.suffixes = [".ll", ".c", ".cpp", ".f90", ".test"]
    config.excludes = ["Inputs"]
    if llvm != MAIN_LLVM:  # What the instruction sets add is made by the same code for both.
        config.excludes += ["checks-are-made-in-time-avx2.c", "checks-are-made-in-time-avx512.c"]
    config.test_source_root = directory
    build = os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(directory, "..", "..", "build")
    build = os.path.abspath(build)
    config.test_exec_root = os.path.join(build, "test", name)
    plugin = os.path.join(build, "lib", plugin_name(llvm))
    if not os.path.exists(plugin):
        if llvm == MAIN_LLVM:
            lit_config.fatal(f"{plugin} is missing; build first, or set OMPDSM_BUILD_DIR")
        config.unsupported = True
        return

    tools = bin_directory(lit_config, llvm)
    # Nothing of the caller's own OMPDSM_* may reach the tests.
    config.environment = {name: value for name, value in os.environ.items() if not name.startswith("OMPDSM_")}
    if name.startswith("pass"):  # They are about checks; those about looks for other nodes set it otherwise.
        config.environment["OMPDSM_PASS_OPTIONS"] = "no-polls"
    # FileCheck and what reads object files are the main version's.
    path = [tools, bin_directory(lit_config, MAIN_LLVM), os.environ.get("PATH", "")]
    config.environment["PATH"] = os.pathsep.join(path)
    # A test that hangs must not take the others' time.
    limit = "timeout --kill-after=5 100 "
    clang = os.path.join(tools, "clang")
    # Only one version of libomp's development files can be installed.
    options = "" if llvm == MAIN_LLVM else f" -idirafter {os.path.join(build, 'lib', 'ompdsm')}"
    if llvm != MAIN_LLVM:  # Older ones need both ways.
        config.substitutions.append((r"-f(pass-)?plugin=%plugin( -fpass-plugin=%plugin)?",
                                     f"-fplugin={plugin} -fpass-plugin={plugin}"))
    config.substitutions += [
        ("%opt", f"{limit}{through} {os.path.join(tools, 'opt')} -load-pass-plugin={plugin}"),
        ("%flang", f"{limit}{os.path.join(tools, 'flang')}"),
        ("%clangxx", f"{limit}{clang}++{options}"),
        ("%clang", f"{limit}{clang}{options}"),
        ("%plugin", plugin),
        ("%limit", limit),
        ("%inputs", os.path.join(directory, "Inputs")),
        ("%python", sys.executable),
        ("%abi", os.path.join(directory, "..", "..", "libompdsm", "include")),
        ("%llvmbin", tools),
        ("%llvmlib", os.path.join(tools, "..", "lib")),
        ("%wrappers", os.path.join(build, "bin")),
    ]
    config.available_features.add(f"llvm={llvm}")
    if os.path.exists(os.path.join(build, "lib", plugin_name(19))):
        config.available_features.add("llvm-19")
    if os.path.exists(os.path.join(tools, "ld.lld")):
        config.available_features.add("lld")
    with open("/proc/cpuinfo") as information:
        flags = information.read().split()
    for feature in ("avx2", "avx512f"):
        if feature in flags:
            config.available_features.add(feature)


def bin_directory(lit_config, llvm):
    llvm_config = shutil.which(f"llvm-config-{llvm}") or f"/usr/lib/llvm-{llvm}/bin/llvm-config"
    try:
        asked = subprocess.run([llvm_config, "--bindir"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        lit_config.fatal(f"cannot ask {llvm_config} for LLVM's tools ({error}); install llvm-{llvm}")
    return asked.stdout.strip()
