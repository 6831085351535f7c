"""Shows that a generated program has no data race, by clang's ThreadSanitizer with Archer, which knows OpenMP."""
import dataclasses
import os
import subprocess

import cases

LIMIT_SECONDS = 120
LIBRARIES = "/usr/lib/llvm-22/lib"
THREADS = 5
COMPILE = ["clang-22", "-w", "-std=gnu17", "-O1", "-g", "-fopenmp", "-fsanitize=thread", f"-I{cases.HERE}",
           f"-L{LIBRARIES}", f"-Wl,-rpath,{LIBRARIES}"]


def run(case, build):
    """None if the run showed no race and the serial result, else what was wrong."""
    case = dataclasses.replace(case, defines=case.defines + ("STRESS_SANITIZED",))
    base = cases.source_of(case, os.path.join(build, "test", "stress", "races"))
    expected = cases.expected_of(case, base)
    cases.compile_program(COMPILE + case.macros() + [base + ".c", "-o", base + ".nodes"])
    environment = {n: v for n, v in os.environ.items() if not n.startswith(("OMP_", "KMP_"))}
    environment |= {"OMP_NUM_THREADS": str(THREADS), "OMP_TOOL_LIBRARIES": f"{LIBRARIES}/libarcher.so",
                    "TSAN_OPTIONS": "ignore_noninstrumented_modules=1 history_size=7"}
    # The sanitizer wants a fixed layout of the address space.
    done = subprocess.run(["setarch", "-R", base + ".nodes"], env=environment, capture_output=True, text=True, timeout=LIMIT_SECONDS)
    if done.returncode or "WARNING: ThreadSanitizer" in done.stderr:
        return f"seed {case.seed}: exit code {done.returncode}\n{done.stderr[:4000]}\nsource: {base}.c"
    if done.stdout != expected:
        return f"seed {case.seed}: other than serially:\n{cases.difference(expected, done.stdout)}\nsource: {base}.c"
    cases.remove(base)
    return None
