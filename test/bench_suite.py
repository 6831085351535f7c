"""What the lit suites share that test runners of bench, each in the directory of their names."""
import os

import lit.formats


def configure(config, lit_config, directory, runners=("run",)):
    """`directory` is the suite's, NAME; %NAME is then bench/NAME/run, and %RUNNER bench/NAME/RUNNER where it is another."""
    name = os.path.basename(directory)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    config.name = name
    config.test_format = lit.formats.ShTest(execute_external=False)
    config.suffixes = [".test"]
    config.excludes = ["Inputs"]
    config.test_source_root = directory
    build = os.path.abspath(os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(root, "build"))
    config.test_exec_root = os.path.join(build, "test", name)
    if not os.path.exists(os.path.join(build, "bin", "ompdsm-run")):
        lit_config.fatal(f"{build}/bin/ompdsm-run is missing; build first, or set OMPDSM_BUILD_DIR")

    # Nothing of the caller's own OMPDSM_*, OMP_* or KMP_* may reach the tests.
    config.environment = {variable: value for variable, value in os.environ.items()
                          if not variable.startswith(("OMPDSM_", "OMP_", "KMP_"))}
    config.environment["OMPDSM_BUILD_DIR"] = build
    config.environment["OMPDSM_FOLD"] = "0"  # Small problems, of which node 0 would execute most alone.
    config.substitutions += [
        *[(f"%{name if runner == 'run' else runner}", f"timeout --kill-after=5 600 {os.path.join(root, 'bench', name, runner)}")
          for runner in runners],
        ("%inputs", os.path.join(directory, "Inputs")),
        ("%filecheck", "/usr/lib/llvm-22/bin/FileCheck"),
        (r"\bnot\b", "/usr/lib/llvm-22/bin/not"),
    ]
