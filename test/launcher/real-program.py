# REQUIRES: ompdsm
# RUN: %python %s
"""The whole path with the real plugin and runtime: both ways to compile, and kills of a job that computes."""
import contextlib
import os
import re
import shutil
import signal
import subprocess
import tempfile

from job import BUILD, Case, main, parent_of, wait_until

# Prints how many threads worked; with an argument it then computes for ever.
PROGRAM = r"""
#include <omp.h>
#include <stdio.h>
static double values[100000];
int main(int argc, char **argv) {
  (void)argv;
  int threads = 0;
  do {
#pragma omp parallel for
    for (int i = 0; i < 100000; i++)
      values[i] += i;
    double sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100000; i++)
      sum += values[i];
#pragma omp parallel
    if (omp_get_thread_num() == 0) threads = omp_get_num_threads();
    static int said;
    if (!said++) {
      printf("%d threads, sum %.0f\n", threads, sum);
      fflush(stdout);
    }
  } while (argc > 1);
  return 3;
}
"""
SAID = b"4999950000\n"


class RealProgram(Case):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="ompdsm-real-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.source = os.path.join(cls.directory, "x.c")
        with open(cls.source, "w") as file:
            file.write(PROGRAM)
        cls.program = cls.compile([os.path.join(BUILD, "bin", "ompdsm-clang"), "-O2"], "by-wrapper")

    @classmethod
    def compile(cls, command, name, tail=()):
        program = os.path.join(cls.directory, name)
        subprocess.run([*command, cls.source, *tail, "-o", program], check=True, timeout=120)
        return program

    def run_program(self, program, **named):
        for provider in ("shm", "tcp"):
            job = self.run_job(2, program=[program], options=["-t", "2", "--provider", provider], **named)
            self.assertEqual((job.code, job.out, job.err), (3, b"4 threads, sum " + SAID, b""))

    def test_compiled_by_the_wrapper(self):
        self.run_program(self.program)

    def test_compiled_by_clang_itself(self):
        lib = os.path.join(BUILD, "lib")
        program = self.compile(["clang-22", "-O3", "-fopenmp", f"-fplugin={lib}/libompdsm-plugin.so"], "by-clang",
                               [f"-L{lib}", "-lompdsm"])
        self.run_program(program, environment={"LD_LIBRARY_PATH": lib})

    def test_kills_leave_nothing(self):
        for provider, victim in (("shm", "node 0"), ("shm", "node 2"), ("shm", "keeper"), ("shm", "launcher"),
                                 ("tcp", "node 2"), ("tcp", "launcher")):
            with self.subTest(provider=provider, victim=victim):
                job = self.job(3, "for ever", program=[self.program], options=["-t", "1", "--provider", provider],
                               stdout=subprocess.DEVNULL)
                self.kill(job, victim, provider)

    def kill(self, job, victim, provider):
        wait_until(lambda: len(self.nodes_of(job)) == 3, "the nodes")
        nodes = self.nodes_of(job)
        for node, pid in nodes.items():
            with open(job.path(f"pid.{node}"), "w") as file:
                file.write(str(pid))
        wait_until(lambda: all(self.has_computed(pid) for pid in nodes.values()), "all nodes to compute")
        self.assertEqual(bool(job.leftovers()[1]), provider == "shm", "files in /dev/shm now")
        os.kill({"node 0": nodes[0], "node 2": nodes[2], "keeper": parent_of(nodes[0]),
                 "launcher": job.process.pid}[victim], signal.SIGKILL)
        self.assert_ends_in_time(job)
        self.assertNotEqual(job.code, 0)
        self.assertEqual(len(job.err.splitlines()), 1, job.err)
        self.message_of(job)

    def nodes_of(self, job):
        """Pids by node; what has not been executed yet has no index."""
        nodes = {}
        for pid in job.processes():
            with contextlib.suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
                found = re.search(rb"OMPDSM_NODE=(\d+)", file.read())
                if found:
                    nodes[int(found[1])] = pid
        return nodes

    def has_computed(self, pid):
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return int(fields[11]) > 20  # clock ticks in user mode


if __name__ == "__main__":
    main()
