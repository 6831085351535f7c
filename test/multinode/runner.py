"""Builds and runs one program of this directory and says what was wrong with it, if anything.

Used by lit.cfg.py (through program_format.py) and by test/stress. Knows nothing of lit.
"""
import dataclasses
import fcntl
import glob
import os
import pathlib
import shutil
import signal
import subprocess
import time

TIME_LIMIT_SECONDS = 60
BACKTRACE_SECONDS = 20
# Of what a program printed, so much of the end is shown.
SHOWN_CHARACTERS = 1500
BUILD_SECONDS = 120
# How long ompdsm-run may take to end its nodes when it is told to.
GRACE_SECONDS = 10
# Threads of a direct run, where no launcher says how many.
DIRECT_THREADS = 3
LEVELS = ("O0", "O3")
PROVIDERS = ("shm", "tcp")


@dataclasses.dataclass(frozen=True)
class Configuration:
    """How a program is run; nodes 0 means directly, without the launcher."""

    level: str
    nodes: int = 0
    threads: int = DIRECT_THREADS
    provider: str = ""

    def name(self):
        if self.nodes == 0:
            return f"{self.level}-direct"
        return f"{self.level}-{self.nodes}nodes-{self.threads}threads-{self.provider}"

    def command(self, tools, program, fault=""):
        if self.nodes == 0:
            return [program]
        run = [os.path.join(tools, "ompdsm-run"), "-n", str(self.nodes), "-t", str(self.threads)]
        run += ["--provider", self.provider]
        if fault:
            run += ["--fault", fault]
        return run + ["--", program]


def all_configurations():
    """The full matrix; the direct run of each level comes first.

    Each number of nodes and threads runs with each provider once, and the level changes with each of the three,
    so that any three of nodes, threads, provider and level meet in each combination (an orthogonal array of
    strength 3): half of the runs, and a mistake that needs all four is rare.
    """
    result = [Configuration(level) for level in LEVELS]
    result += [
        Configuration(LEVELS[(nodes + threads + PROVIDERS.index(provider)) % 2], nodes, threads, provider)
        for nodes in (1, 2, 3, 4)
        for threads in (1, 2, 3)
        for provider in PROVIDERS
    ]
    return result


class BuildFailed(Exception):
    pass


def build(source, level, tools, directory):
    """The path of the program; compiles it if it is not newer than all that it depends on."""
    here = os.path.dirname(os.path.abspath(__file__))
    compiler = os.path.join(tools, "ompdsm-clang++" if source.endswith(".cpp") else "ompdsm-clang")
    needs = [source, compiler, os.path.join(here, "report.h"), os.path.join(here, "handoff.h")]
    needs += glob.glob(os.path.join(tools, "..", "lib", "libompdsm*"))
    program = os.path.join(directory, level, os.path.basename(source).replace(".", "-"))
    os.makedirs(os.path.dirname(program), exist_ok=True)
    with open(program + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        newest = max(os.stat(path).st_mtime_ns for path in needs)
        if os.path.exists(program) and os.stat(program).st_mtime_ns > newest:
            return program
        standard = "-std=gnu++20" if source.endswith(".cpp") else "-std=gnu17"
        command = [compiler, standard, "-" + level, "-g", "-Wall", "-Wextra", source]
        command += ["-D_GNU_SOURCE", "-o", program + ".new", "-lm", "-latomic"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=BUILD_SECONDS)
        if done.returncode != 0:
            said = done.stdout + done.stderr
            raise BuildFailed(f"{' '.join(command)}\nexit code {done.returncode}\n{said}")
        os.rename(program + ".new", program)
    return program


def descendants(pid):
    """The processes below pid, by the parents that /proc names."""
    children = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat") as stat:
                parent = int(stat.read().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError, ValueError):
            continue
        children.setdefault(parent, []).append(int(entry))
    found, todo = [], [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return found


def backtraces(pid, program):
    """What the threads of the program's processes below pid (or pid itself) are doing."""
    if not shutil.which("gdb"):
        return "(no gdb: no backtraces)\n"
    text = ""
    for process in [pid] + descendants(pid):
        try:
            if os.path.realpath(f"/proc/{process}/exe") != os.path.realpath(program):
                continue
        except OSError:
            continue
        command = ["gdb", "-batch", "-nx", "-p", str(process)]
        command += ["-ex", "thread apply all backtrace 14"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=BACKTRACE_SECONDS
            )
            lines = [line for line in done.stdout.splitlines() if line.startswith(("Thread", "#"))]
            text += f"process {process}:\n" + "\n".join(lines) + "\n"
        except subprocess.TimeoutExpired:
            text += f"process {process}: gdb did not answer\n"
    return text


def end(process):
    """Ends what run() started: the launcher, which ends its nodes, then those that are left."""
    below = {pid: start_time(pid) for pid in descendants(process.pid)}
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
    for pid, started in below.items():
        if started and start_time(pid) == started:  # still the same process
            os.kill(pid, signal.SIGKILL)


def start_time(pid):
    """Tells a process from a later one of the same number; None if there is no such process."""
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[19]
    except (OSError, IndexError):
        return None


def run_replayed(program, configuration, tools, *arguments, variables=None, **options):
    """As run(); what the nodes' protocol did is also replayed by its core, and what differs is wrong, too."""
    base = f"{program}.{os.getpid()}.events"
    files = [f"{base}.{node}" for node in range(configuration.nodes)]
    try:
        wrong = run(program, configuration, tools, *arguments, variables=dict(variables or {}, OMPDSM_EVENTS=f"file={base}.%n"), **options)
        files = [file for file in files if os.path.exists(file)]  # on one node there is no protocol
        if not files:
            return wrong
        done = subprocess.run([os.path.join(tools, "ompdsm-check"), "--replay", *files], capture_output=True, text=True)
        if done.returncode == 0:
            return wrong
        return f"{wrong or 'the program was right'}\nreplay:\n{done.stdout}{done.stderr}"
    finally:
        for file in files:
            pathlib.Path(file).unlink(missing_ok=True)


def printed_ok(out):
    """None if the program said that it was right, else what it said."""
    return None if out.strip() == "ok" else f"printed '{out.strip()}' instead of 'ok'"


def forget_openmp_registration(pid):
    """Without a launcher nobody else removes the file that libomp leaves of a process that crashed."""
    pathlib.Path(f"/dev/shm/__KMP_REGISTERED_LIB_{pid}_{os.getuid()}").unlink(missing_ok=True)


def run(program, configuration, tools, fault="", seconds=TIME_LIMIT_SECONDS, judge=printed_ok, variables=None):
    """None if the program was right; else what was wrong, with all that it printed.

    `judge` says what is wrong with the output; `variables` are added to the environment.
    """
    command = configuration.command(tools, program, fault)
    foreign = ("OMPDSM_", "OMP_", "KMP_")
    environment = {n: v for n, v in os.environ.items() if not n.startswith(foreign)}
    environment["OMPDSM_FOLD"] = "0"  # Regions of tests are short, and would test nothing of several nodes.
    if configuration.nodes == 0:
        environment["OMP_NUM_THREADS"] = str(configuration.threads)
    environment |= variables or {}
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    traces = ""
    try:
        out, err = process.communicate(timeout=seconds)
        if process.returncode != 0:
            wrong = f"exit code {process.returncode}"
        else:
            wrong = judge(out)
            if not wrong:
                return None
    except subprocess.TimeoutExpired:
        wrong = f"time limit of {seconds} seconds"
        traces = backtraces(process.pid, program)
        end(process)
        try:
            out, err = process.communicate(timeout=GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            out, err = "", "(some process still holds the output open)"
    forget_openmp_registration(process.pid)
    taken = time.monotonic() - start
    return (
        f"{wrong}, after {taken:.1f} s\ncommand: {' '.join(command)}\n"
        f"stdout:\n{out[-SHOWN_CHARACTERS:]}\nstderr:\n{err}\n{traces}"
    )
