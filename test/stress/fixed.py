"""Ten programs of test/multinode, written for the traps of the protocol, under delays."""
import os

import runner

PROGRAMS = [
    "trap-stale-base.c",
    "trap-late-store.c",
    "trap-reordered-invalidation.c",
    "trap-invalidation-in-flight.c",
    "trap-flush-under-fetch.c",
    "false-sharing-bytes.c",
    "linked-list-built-by-all.c",
    "lock-protected-queue.c",
    "hash-table-built-by-all.c",
    "producer-consumer-flags.c",
]


def run(seed, delay, build, replay=False):
    """None if the seed's program was right under the seed's delays, else what was wrong."""
    name = PROGRAMS[seed % len(PROGRAMS)]
    launched = [c for c in runner.all_configurations() if c.nodes >= 2]
    # 7 has no divisor in common with the number of programs or of configurations: all pairs occur.
    configuration = launched[(seed // len(PROGRAMS) + seed * 7) % len(launched)]
    tools = os.path.join(build, "bin")
    here = os.path.dirname(os.path.abspath(runner.__file__))
    program = runner.build(os.path.join(here, name), configuration.level, tools, os.path.join(build, "test", "multinode"))
    execute = runner.run_replayed if replay else runner.run
    wrong = execute(program, configuration, tools, f"delay={delay},seed={seed}")
    return f"seed {seed}, {name}, {configuration.name()}: {wrong}" if wrong else None
