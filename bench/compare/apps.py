"""The programs of bench/compare: which there are, how each version of one is built and started, and what it answers."""
import os
import re

from programs import Failure, build_program, environment, run_program

HERE = os.path.dirname(os.path.abspath(__file__))
DIRECTORY = os.path.join(HERE, "apps")
OPTIONS = ["-O3", "-march=native", "-std=gnu11"]
PLAIN_COMPILER = "clang-22"
LIBOMP_THREADS = 2


class App:
    """One program, a directory with NAME.omp.c, NAME.mpi.c and NAME.h, of which the header says in a line of its own

        // bench/compare: regular, tolerance 1e-9

    regular: works on arrays that are dealt and exchanged in a fixed way, so that MPI needs the fewest messages that there can
    be; irregular: particles, graphs, trees, searches. tolerance: how far answers may be from each other, relatively, as each
    version adds up sums in another order."""

    PROPERTIES = re.compile(r"^// bench/compare: (regular|irregular), tolerance ([0-9.e-]+)$", re.MULTILINE)

    def __init__(self, directory, name):
        self.name, self.directory = name, os.path.join(directory, name)
        with open(os.path.join(self.directory, name + ".h")) as file:
            said = self.PROPERTIES.search(file.read())
        if not said:
            raise Failure(f"'{file.name}' lacks the line '// bench/compare: regular, tolerance 1e-9' or the like")
        self.regular, self.tolerance = said[1] == "regular", float(said[2])


def find(directory, names):
    """All programs of a directory, or those named."""
    if not os.path.isdir(directory):
        raise Failure(f"there is no directory '{directory}'")
    known = sorted(name for name in os.listdir(directory) if os.path.exists(os.path.join(directory, name, name + ".h")))
    if not known:
        raise Failure(f"'{directory}' has no program (a directory NAME with NAME.h)")
    for name in names:
        if name not in known:
            raise Failure(f"there is no program '{name}'; there are {', '.join(known)}")
    return [App(directory, name) for name in names or known]


class Result:
    """What one run of a program printed."""

    def __init__(self, output, command):
        fields = dict(line.split(" ", 1) for line in output.splitlines() if " " in line)
        try:
            self.rounds = int(fields["rounds"])
            self.seconds = float(fields["seconds"])
            self.answer = [float(word) for word in fields["answer"].split()]
        except (KeyError, ValueError) as error:
            raise Failure(f"{' '.join(command)} does not print its rounds, seconds and answer, but\n{output}") from error

    def check(self, expected, tolerance, what):
        """Failure if the answer is not that of `expected`."""
        same = len(self.answer) == len(expected.answer) and all(
            abs(mine - other) <= tolerance * abs(other) for mine, other in zip(self.answer, expected.answer))
        if not same:
            raise Failure(f"{what} answers {self.answer}, and not as the serial program {expected.answer}")


class Version:
    """One of the four ways to run a program. `build` is its compiler's command in front of source and output, `suffix` its
    source's, `launch(nodes)` what stands in front of the program."""

    def __init__(self, name, suffix, build, launch=lambda nodes: [], build_variables=None, **variables):
        self.name, self.suffix, self.command, self.launch = name, suffix, build, launch
        self.build_variables, self.variables = build_variables or {}, variables

    def program(self, app, work):
        return os.path.join(work, f"{app.name}-{self.name}")

    def build(self, app, work):
        source = os.path.join(app.directory, app.name + self.suffix)
        build_program([*self.command, *OPTIONS, source, "-o", self.program(app, work), "-lm"], source, **self.build_variables)

    def run(self, app, work, size, nodes=1, rounds=None, launch=(), **variables):
        """`launch`: further options of the launcher. Returns the Result."""
        command = [*self.launch(nodes), *launch, self.program(app, work), size, *([] if rounds is None else [str(rounds)])]
        output, _, _ = run_program(command, environment(**self.variables, **variables))
        return Result(output, command)


def versions(tools, tcp=False):
    """By name; `tools` is the directory of ompdsm-clang and ompdsm-run. `tcp`: what nodes and processes say to each other goes over
    TCP, on this host's loopback, instead of memory that they share."""
    as_root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    # A process has a core of its own where there are enough, and yields while it waits where there are not.
    cores = len(os.sched_getaffinity(0))
    return {version.name: version for version in (
        Version("serial", ".omp.c", [PLAIN_COMPILER, "-Wno-unknown-pragmas"]),
        Version("libomp", ".omp.c", [PLAIN_COMPILER, "-fopenmp"], OMP_NUM_THREADS=str(LIBOMP_THREADS), OMP_PROC_BIND="true"),
        Version("ompdsm", ".omp.c", [os.path.join(tools, "ompdsm-clang")],
                lambda nodes: [os.path.join(tools, "ompdsm-run"), "-n", str(nodes), "-t", "1", *(["--provider", "tcp"] if tcp else [])]),
        Version("mpi", ".mpi.c", ["mpicc"],
                lambda nodes: ["mpirun", *as_root, "-np", str(nodes),
                               *(["--bind-to", "core"] if nodes <= cores else ["--oversubscribe"]),
                               *(["--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo"] if tcp else [])],
                build_variables={"OMPI_CC": PLAIN_COMPILER}),
    )}
