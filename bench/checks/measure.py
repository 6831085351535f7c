"""One run of a kernel: its answer, its user time, its instructions."""
import subprocess

import programs
from programs import Failure


class Run:
    """What a program printed, and what it took."""

    def __init__(self, answer, user_seconds, instructions=None):
        self.answer = answer
        self.user_seconds = user_seconds
        self.instructions = instructions


def environment(threads):
    """Threads that wait sleep: with libomp's default they spin, and their user time would be that of waiting."""
    return programs.environment(OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive")


def can_count_instructions():
    """Whether the machine has counters and lets perf read them; many virtual machines do not."""
    try:
        done = subprocess.run(["perf", "stat", "-x", ",", "-e", "instructions:u", "true"], capture_output=True, text=True)
    except OSError:
        return False
    return done.returncode == 0 and _instructions(done.stderr) is not None


def _instructions(report):
    for line in report.splitlines():
        fields = line.split(",")
        if len(fields) > 2 and fields[2].startswith("instructions") and fields[0].isdigit():
            return int(fields[0])
    return None


def execute(command, threads, count=False):
    """Runs a kernel; Failure if it does not end with 0 in time. With `count`, perf counts its instructions."""
    full = ["perf", "stat", "-x", ",", "-e", "instructions:u", *command] if count else command
    answer, report, seconds = programs.run_program(full, environment(threads))
    return Run(answer, seconds, _instructions(report) if count else None)


def same(expected, other, what):
    """Failure if the answers of two runs differ."""
    if expected.answer != other.answer:
        raise Failure(f"{what} answers\n{other.answer.strip()}\nand not as the plain compiler's\n{expected.answer.strip()}")
