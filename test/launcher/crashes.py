# REQUIRES: ompdsm
# RUN: %python %s
"""A node of a real program that crashes or is killed, in every phase of its life: one message, the shell's exit
code, all gone within 5 seconds."""
import itertools
import shutil
import signal
import unittest

from job import main
from subject import SubjectCase

WAYS = {"segv": signal.SIGSEGV, "abort": signal.SIGABRT, "throw": signal.SIGABRT, "kill": signal.SIGKILL}


class Crashes(SubjectCase):
    def crash(self, phase, victims=(0, 1), ways=tuple(WAYS)):
        providers = itertools.cycle(("shm", "tcp"))
        for victim in victims:
            for way in ways:
                with self.subTest(victim=victim, way=way):
                    self.crash_once(phase, victim, way, next(providers))

    def crash_once(self, phase, victim, way, provider):
        job = self.run_subject(2, phase, str(victim), way, options=["-t", "2", "--provider", provider])
        number = WAYS[way]
        self.assertEqual(job.code, 128 + number, job.err)
        pid = job.node_pid(victim)
        self.assertEqual(self.message_of(job), f"ompdsm-run: node {victim} (pid {pid}) was killed by signal {number:d} "
                                               f"({signal.strsignal(number)}); the job ends")
        others = [line for line in job.err.decode().splitlines() if not line.startswith("ompdsm-run:")]
        if way != "throw":
            self.assertEqual(others, [])
        self.assertEqual(job.out, b"ran\n" if phase == "handler" else b"")

    def test_before_it_has_joined(self):
        self.crash("start", ways=["segv", "abort", "kill"])

    def test_when_it_has_just_joined(self):
        self.crash("joined", ways=["segv", "abort", "kill"])

    def test_in_a_constructor(self):
        self.crash("constructor", victims=[0])

    def test_in_serial_code(self):
        self.crash("main")

    def test_in_a_region_while_the_others_compute(self):
        self.crash("region")

    def test_while_the_others_wait_in_a_barrier(self):
        self.crash("barrier")

    def test_in_a_critical_section_that_the_others_want(self):
        self.crash("critical")

    def test_during_the_exit_handlers(self):
        self.crash("handler")

    @unittest.skipUnless(shutil.which("mpirun"), "needs mpirun")
    def test_under_mpirun(self):
        ways = itertools.cycle(("segv", "kill", "abort"))
        for phase, victim in itertools.product(("start", "joined", "main", "region", "barrier", "handler"), (0, 1)):
            way = next(ways)
            with self.subTest(phase=phase, victim=victim, way=way):
                job = self.run_under_mpirun(2, phase, str(victim), way)
                # mpirun has its own words and exit codes; ours are one line at most, and none if it ends us first.
                self.assertNotEqual(job.code, 0, job.err)
                said = [line for line in job.err.decode().splitlines() if line.startswith("ompdsm")]
                self.assertLessEqual(len(said), 1, job.err)

    def test_nothing_happens_without_a_crash(self):
        job = self.run_subject(2, "none")
        self.assertEqual((job.code, job.out, job.err), (0, b"ran\n", b""))


if __name__ == "__main__":
    main()
