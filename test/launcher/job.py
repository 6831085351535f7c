"""job.py: runs ompdsm-run on the fake node, and sees to it that nothing of a job is left.

Every job carries a mark in its environment, so that each of its processes can be found whatever its
parent, session or group. A Case checks after each test that no marked process and no /dev/shm file
of a node remains, kills by pid what does, and fails the test.
"""
import contextlib
import faulthandler
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

BUILD = os.environ["OMPDSM_BUILD_DIR"]
RUN = os.path.join(BUILD, "bin", "ompdsm-run")
HELPERS = os.path.join(BUILD, "test", "launcher", "bin")
FAKE = os.path.join(HELPERS, "ompdsm-fake-node")

# The longest that anything here may take; what hangs is killed and fails.
PATIENCE_SECONDS = 30
# The limit of one file of tests.
FILE_SECONDS = 240
# The promise to the user.
END_SECONDS = 5


def marked_processes(mark):
    """The pids of the living processes with this mark."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/environ", "rb") as file:
                environment = file.read()
            with open(f"/proc/{name}/stat", "rb") as file:
                state = file.read().rsplit(b")", 1)[1].split()[0]
        except OSError:
            continue
        if mark.encode() in environment and state not in b"ZX":
            found.append(int(name))
    return found


def parent_of(pid):
    with open(f"/proc/{pid}/stat", "rb") as file:
        return int(file.read().rsplit(b")", 1)[1].split()[1])


def wait_until(condition, what, seconds=PATIENCE_SECONDS):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain for {what}")
        time.sleep(0.005)


# Whoever runs the tests may ignore signals; jobs start with the default actions.
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
    signal.signal(number, signal.SIG_DFL)


class Job:
    """One run of ompdsm-run. `options` come before the program; the steps are the fake node's."""

    def __init__(self, nodes, *steps, options=(), program=None, command=None, environment=None, **popen):
        self.mark = f"OMPDSM_TEST_MARK={uuid.uuid4().hex}"
        self.directory = tempfile.mkdtemp(prefix="ompdsm-launcher-")
        self.pids = set()
        env = {k: v for k, v in os.environ.items() if not k.startswith("OMPDSM_")}
        name, value = self.mark.split("=")
        # Node 0 would execute the short regions of real programs alone.
        env.update({name: value, "FAKE_DIRECTORY": self.directory, "OMPDSM_FOLD": "0"})
        env.update(environment or {})
        if command is None:
            command = [RUN, "-n", str(nodes), *options, *(program or [FAKE]), *steps]
        popen.setdefault("stdin", subprocess.DEVNULL)
        popen.setdefault("stdout", subprocess.PIPE)
        popen.setdefault("stderr", subprocess.PIPE)
        self.process = subprocess.Popen(command, env=env, **popen)

    def finish(self, seconds=PATIENCE_SECONDS):
        """Waits for the end; gives the exit code (-signal if the launcher was killed)."""
        self.out, self.err = self.process.communicate(timeout=seconds)
        return self.process.returncode

    def path(self, name):
        return os.path.join(self.directory, name)

    def touch(self, name):
        with open(self.path(name), "w"):
            pass

    def await_file(self, name):
        wait_until(lambda: os.path.exists(self.path(name)), name)

    def node_pid(self, node):
        self.await_file(f"pid.{node}")
        with open(self.path(f"pid.{node}")) as file:
            return int(file.read())

    def keeper_pid(self):
        """The parent of the nodes."""
        return parent_of(self.node_pid(0))

    def processes(self):
        return marked_processes(self.mark)

    def end_reason(self, node):
        with open(self.path(f"end.{node}")) as file:
            return file.read()

    def recorded_pids(self):
        pids = []
        for name in os.listdir(self.directory):
            if name.startswith("pid.") and not name.endswith(".draft"):
                with open(self.path(name)) as file:
                    pids.append(int(file.read()))
        return pids

    def leftovers(self):
        """What remains of the job: processes, and files of its nodes in /dev/shm."""
        names = tuple(f"{start}{pid}{end}" for pid in self.recorded_pids()
                      for start, end in (("", ":"), ("__KMP_REGISTERED_LIB_", "_")))
        files = [name for name in os.listdir("/dev/shm") if names and name.startswith(names)]
        return self.processes(), files

    def clear_processes(self):
        """Kills what runs, and what it starts meanwhile, and waits until all of it has ended."""
        def none_left():
            pids = self.processes()
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return not pids
        wait_until(none_left, "the end of processes that were killed")

    def clear(self):
        self.clear_processes()
        for name in self.leftovers()[1]:
            os.unlink(os.path.join("/dev/shm", name))
        if self.process.poll() is None:
            self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        self.process.wait()
        shutil.rmtree(self.directory)


class Case(unittest.TestCase):
    """A test that starts jobs with self.job() and cannot leave anything of them."""

    maxDiff = 4000

    def setUp(self):
        self.jobs = []
        self.addCleanup(self.check_nothing_left)

    def job(self, *arguments, **named):
        job = Job(*arguments, **named)
        self.jobs.append(job)
        return job

    def run_job(self, *arguments, **named):
        job = self.job(*arguments, **named)
        job.code = job.finish()
        return job

    def check_nothing_left(self):
        left = []
        for job in self.jobs:
            if job.process.poll() is None:
                left.append("the launcher still runs")
            elif any(job.leftovers()):
                left.append(f"left over: {job.leftovers()}")
            job.clear()
        self.assertEqual(left, [])

    def message_of(self, job):
        """The one message of the launcher; fails if there is none or more."""
        lines = [line for line in job.err.decode().splitlines() if line.startswith("ompdsm-run:")]
        self.assertEqual(len(lines), 1, job.err)
        return lines[0]

    def assert_ends_in_time(self, job):
        """Waits for the launcher, and for all of the job, within the promised time."""
        start = time.monotonic()
        job.code = job.finish()
        wait_until(lambda: not any(job.leftovers()), f"the end of all of the job ({job.leftovers()})")
        self.assertLess(time.monotonic() - start, END_SECONDS)


def read_until(fd, text, seconds=PATIENCE_SECONDS):
    """Reads from a descriptor until `text` was seen; gives all that was read."""
    seen = b""
    deadline = time.monotonic() + seconds
    while text not in seen:
        if not select.select([fd], [], [], max(0, deadline - time.monotonic()))[0]:
            raise AssertionError(f"{text!r} did not come; {seen!r} did")
        try:
            more = os.read(fd, 65536)
        except OSError:
            more = b""
        if not more:
            raise AssertionError(f"{text!r} did not come before the end; {seen!r} did")
        seen += more
    return seen


def main():
    # Every wait has a limit of its own; this is for one that was forgotten.
    faulthandler.dump_traceback_later(FILE_SECONDS, exit=True)
    unittest.main(argv=[sys.argv[0]], verbosity=2)
