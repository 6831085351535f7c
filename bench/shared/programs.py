"""What the runners below bench share: builds and runs of programs within time limits, and their arguments.

A runner finds this file by appending the directory to sys.path."""
import argparse
import os
import resource
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD_LIMIT_SECONDS = 120
RUN_LIMIT_SECONDS = 120
GRACE_SECONDS = 10  # from the request to end to the kill


class Failure(Exception):
    """What went wrong with one program, in words for the user."""


def positive(text):
    """An argument that is a number from 1 to 1000."""
    if not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 to 1000")
    return int(text)


def find_build():
    """The build directory: OMPDSM_BUILD_DIR, or build/; Failure if it lacks the compiler, the launcher, or the libraries."""
    build = os.path.abspath(os.environ.get("OMPDSM_BUILD_DIR") or os.path.join(ROOT, "build"))
    for needed in ("bin/ompdsm-clang", "bin/ompdsm-run", "lib/libompdsm.so", "lib/libompdsm-plugin.so"):
        if not os.path.exists(os.path.join(build, needed)):
            raise Failure(f"'{build}/{needed}' is missing; build first, or set OMPDSM_BUILD_DIR")
    return build


def environment(**further):
    """The caller's, without what would reach OpenMP's or ompdsm's runtime, and with `further`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OMPDSM_", "OMP_", "KMP_"))}
    return {**kept, **further}


def build_program(command, source, **variables):
    """Runs a compiler; returns its user seconds and what it said."""
    try:
        done, seconds = _timed(command, BUILD_LIMIT_SECONDS, {**os.environ, **variables})
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{command[0]} takes more than {BUILD_LIMIT_SECONDS} s for {source}") from error
    if done.returncode:
        raise Failure(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr.strip()}")
    return seconds, done.stderr


def run_program(command, variables, limit_seconds=RUN_LIMIT_SECONDS):
    """Runs a program in this environment; returns what it wrote to stdout and to stderr, and its user seconds."""
    try:
        done, seconds = _timed(command, limit_seconds, variables)
    except subprocess.TimeoutExpired as error:
        raise Failure(f"{' '.join(command)} takes more than {limit_seconds} s") from error
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        raise Failure(f"{' '.join(command)} ended with {done.returncode}:\n{said}")
    return done.stdout, done.stderr, seconds


def _timed(command, limit_seconds, variables):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          env=variables) as process:
        try:
            out, err = process.communicate(timeout=limit_seconds)
        except subprocess.TimeoutExpired:
            process.terminate()  # launchers end their processes then
            try:
                process.communicate(timeout=GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    done = subprocess.CompletedProcess(command, process.returncode, out, err)
    return done, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
