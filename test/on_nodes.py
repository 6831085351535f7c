"""on_nodes.py RUN NODES PROGRAM [ARGUMENTS]: in the full set, what `%on2` and its like stand for: the program with teams of
several sizes and over each network, as one run.

Prints what the first run printed. Ends with its exit code if all runs ended with that, and those that succeeded
printed the same; else says which run differed, and fails.
"""
import os
import subprocess
import sys

LIMIT_SECONDS = 120
# Threads of the whole team, by nodes: as many as nodes, more, and a number that does not divide.
TEAMS = {1: 4, 2: 4, 3: 7, 4: 4}
# Threads of each node and network. A team of 3 nodes is there for its odd number, on one node the network is none.
OTHERS = {1: [(1, "shm"), (3, "shm")], 3: []}
USUAL = [(threads, provider) for threads in (1, 3) for provider in ("shm", "tcp")]


def commands(run, nodes, program):
    """Pairs of a command and its environment's OMP_NUM_THREADS."""
    launch = [run, "-n", str(nodes)]
    yield [*launch, *program], TEAMS[nodes]
    for threads, provider in OTHERS.get(nodes, USUAL):
        yield [*launch, "-t", str(threads), "--provider", provider, *program], None


def execute(command, team):
    environment = dict(os.environ, **({"OMP_NUM_THREADS": str(team)} if team else {}))
    done = subprocess.run(["timeout", str(LIMIT_SECONDS), *command], env=environment, capture_output=True)
    return done.returncode, done.stdout, done.stderr


def main(run, nodes, *program):
    first = None
    for command, team in commands(run, int(nodes), program):
        code, out, err = execute(command, team)
        if first is None:
            first = code, out
            sys.stdout.buffer.write(out)
            sys.stdout.flush()
            sys.stderr.buffer.write(err)
        elif code != first[0] or (code == 0 and out != first[1]):
            print(f"{' '.join(command)}: exit code {code} and not {first[0]}, or other output:", flush=True)
            sys.stdout.buffer.write(out + err)
            return 99
    return first[0]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
