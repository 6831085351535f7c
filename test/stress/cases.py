"""One generated program: how it is built and run, and whether its result is that of the serial run.

Used by lit (seeds_format.py) and by stress.
"""
import dataclasses
import difflib
import os
import random
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.join(HERE, "..", "multinode")]

import runner
from generator.program import generate

REFERENCE_SECONDS = 20
SHOWN_DIFFERENCES = 12
PLAIN = ["clang-22", "-w", "-std=gnu17", f"-I{HERE}"]


@dataclasses.dataclass(frozen=True)
class Case:
    """A program and how it is run; all of it follows from the seed, unless a field says otherwise."""

    seed: int
    configuration: runner.Configuration
    fault: str
    blocks: tuple  # OMPDSM_* variables as (name, value).
    options: tuple = ()  # Of the compiler, after the level.
    dropped: frozenset = frozenset()
    defines: tuple = ()
    replay: bool = False  # The core replays what the protocol did.

    def macros(self):
        return ["-D" + name for name in self.defines]

    def name(self):
        return ", ".join([f"seed {self.seed}", self.configuration.name(), self.fault or "no faults",
                          " ".join(f"{name}={value}" for name, value in self.blocks), *self.options])


def case_of(seed, nodes=0, threads=0, provider="", level="", delay="0..300us", limit="", **fields):
    rng = random.Random(f"run {seed}")
    drawn = runner.Configuration(rng.choice(runner.LEVELS), rng.randint(2, 4), rng.randint(1, 3),
                                 rng.choice(["shm", "shm", "shm", "tcp"]))
    configuration = runner.Configuration(level or drawn.level, nodes or drawn.nodes, threads or drawn.threads,
                                         provider or drawn.provider)
    fault = rng.choice([f"delay={delay},seed={seed}"] * 3 + [f"delay={delay},block=0.1,seed={seed}", ""])
    blocks = (("OMPDSM_BLOCK_SMALL", rng.choice([64, 256, 256, 1024])),
              ("OMPDSM_BLOCK_LARGE", rng.choice([64, 1024, 2048, 2048, 4096])), ("OMPDSM_PREFETCH", rng.choice([0, 64, 64])),
              ("OMPDSM_MIGRATE", rng.choice([0, 1, 1, 2])),
              ("OMPDSM_PUSH", rng.choice([0, 1, 1, 1])), ("OMPDSM_ADAPT", rng.choice([0, 1, 1, 3])))
    # Masked and gathering vector instructions, where the processor has them; fewer and other transformations.
    options = rng.choice([(), (), ("-march=native",), ("-Os",), ("-O1",)]) if configuration.level == "O3" else ()
    # Limits below what most of the programs use, in some.
    blocks += (("OMPDSM_CACHE_LIMIT", limit or rng.choice([0, 0, 0, "8K", "64K"])),)
    # Mechanisms that make programs faster only.
    blocks += tuple((name, rng.choice([least, most, most, most])) for name, least, most in (
        ("OMPDSM_OBJECTS", 0, 1), ("OMPDSM_OVERWRITE", 0, 1), ("OMPDSM_AWAY", 0, 1), ("OMPDSM_CLOSE", 0, 1), ("OMPDSM_BARE", 0, 1), ("OMPDSM_PUSH_SITES", 0, 1), ("OMPDSM_DIGESTS", 0, 1), ("OMPDSM_SUMS", 0, 2), ("OMPDSM_KEEP_UPDATED", 0, 1), ("OMPDSM_SINGLE", 0, 1), ("OMPDSM_LOCKS_AHEAD", 0, 1), ("OMPDSM_TASKS", 0, 1), ("OMPDSM_RANGES", 1, 128), ("OMPDSM_JOIN", 0, 1),
        ("OMPDSM_SHORT_BARRIER", 0, 1), ("OMPDSM_SOLE", 0, 1), ("OMPDSM_MULTICAST", 0, 1), ("OMPDSM_ATTENTION", 0, 1), ("OMPDSM_PREDICT", 0, 1), ("OMPDSM_PUSH_FIRST", 0, 1)))
    # Most regions would be folded from their second visit on.
    blocks += (("OMPDSM_FOLD", rng.choice([0, 0, 0, 1, 2])),)
    return Case(seed, configuration, fault if delay else "", blocks, options, **fields)


def compile_program(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=runner.BUILD_SECONDS)
    if done.returncode:
        raise runner.BuildFailed(f"{' '.join(command)}\nexit code {done.returncode}\n{done.stdout}{done.stderr}")


def source_of(case, directory):
    """Writes the program; the path without its ending."""
    os.makedirs(directory, exist_ok=True)
    base = os.path.join(directory, f"seed-{case.seed}" + (f"-{os.getpid()}" if case.dropped else ""))
    with open(base + ".c", "w") as file:
        file.write(generate(case.seed, case.dropped)[0])
    return base


def right_macros(case):
    """Those that do not make the program wrong on purpose."""
    return [macro for macro in case.macros() if macro != "-DSTRESS_CANARY"]


def remove(base):
    for ending in (".c", ".serial", ".nodes", ".plain"):
        if os.path.exists(base + ending):
            os.remove(base + ending)


def expected_of(case, base):
    """What the program prints when it is compiled without OpenMP."""
    compile_program([*PLAIN, "-O1", *right_macros(case), base + ".c", "-o", base + ".serial"])
    done = subprocess.run([base + ".serial"], capture_output=True, text=True, timeout=REFERENCE_SECONDS)
    if done.returncode or "failed checks 0000000000000000" not in done.stdout:
        raise runner.BuildFailed(f"{base}.serial: the serial run is wrong, so the generator is: {done.stdout[-300:]}")
    return done.stdout


def difference(expected, got):
    """The first lines in which the results differ."""
    lines = [line for line in difflib.unified_diff(expected.splitlines(), got.splitlines(), "serial", "nodes", "", "", 0)
             if not line.startswith("@@")]
    more = [] if len(lines) <= SHOWN_DIFFERENCES else [f"... and {len(lines) - SHOWN_DIFFERENCES} more lines"]
    return "\n".join(lines[:SHOWN_DIFFERENCES] + more)


def compiler_is_wrong(case, base, expected):
    """Whether the compiler without the plugin makes a wrong program of it, too. (LLVM 22 vectorises loops with
    schedule(dynamic) that update elements of a reduced array, and loses updates: two seeds in 500.)"""
    compile_program([*PLAIN, "-fopenmp", "-" + case.configuration.level, *case.options, *right_macros(case),
                     base + ".c", "-o", base + ".plain", "-latomic", "-lm"])
    done = subprocess.run([base + ".plain"], capture_output=True, text=True, timeout=REFERENCE_SECONDS,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    return bool(difference(expected, done.stdout))


def run(case, build, repeat=1, seconds=runner.TIME_LIMIT_SECONDS, directory=""):
    """None if all runs were right (then nothing is kept), else what was wrong; the files stay."""
    tools = os.path.join(build, "bin")
    base = source_of(case, directory or os.path.join(build, "test", "stress"))
    expected = expected_of(case, base)
    compiler = os.path.join(tools, "ompdsm-clang")
    compile_program([compiler, "-w", "-std=gnu17", "-" + case.configuration.level, *case.options, "-g", f"-I{HERE}", *case.macros(),
                     base + ".c", "-o", base + ".nodes"])
    execute = runner.run_replayed if case.replay else runner.run
    for _ in range(repeat):
        wrong = execute(base + ".nodes", case.configuration, tools, case.fault, seconds,
                        lambda out: difference(expected, out), variables={name: str(value) for name, value in case.blocks})
        if wrong and compiler_is_wrong(case, base, expected):
            print(f"{case.name()}: left out: the compiler is wrong without the plugin, too", flush=True)
            break
        if wrong:
            return f"{case.name()}: {wrong}\nsource: {base}.c"
    remove(base)
    return None
