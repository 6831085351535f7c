# RUN: %python %s
"""The tests' own eyes: each thing that they look for is put before them once, and must be seen."""
import os
import subprocess
import unittest

from job import FAKE, Case, main, wait_until


class Blind(Case):
    """Jobs with faults that the suite must notice. Not run by itself."""

    def leftover_process(self):
        # A daemon that no launcher looks after.
        job = self.job(1, command=[FAKE, "daemon"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        job.finish()
        wait_until(job.processes, "the daemon")

    def leftover_launcher(self):
        self.job(2, "join", "hang")

    def leftover_file(self):
        job = self.job(1, command=[FAKE, "pid", "shm"])
        job.finish()

    def two_messages(self):
        job = self.run_job(2, "join", "1:error=ompdsm-run: one more\\n", "1:kill=9", "hang")
        self.message_of(job)

    def no_message(self):
        self.message_of(self.run_job(2, "join"))

    def late_end(self):
        job = self.job(1, "msleep=5500")
        self.assert_ends_in_time(job)

    def fault_in_the_gather(self):
        # Node 1 tells another size, so each sees a wrong part of the other.
        job = self.run_job(2, "connect", "0:gather=3", "1:gather=9")
        self.assertEqual(job.code, 0)


class Canary(unittest.TestCase):
    def assert_seen(self, name, words):
        result = unittest.TestResult()
        Blind(name).run(result)
        self.assertFalse(result.wasSuccessful(), f"{name} was not seen")
        told = "".join(text for _, text in result.failures + result.errors)
        self.assertIn(words, told)

    def test_every_fault_is_seen(self):
        for name, words in (("leftover_process", "left over"), ("leftover_launcher", "still runs"),
                            ("leftover_file", "left over"), ("two_messages", "!= 1"), ("no_message", "!= 1"),
                            ("late_end", "not less than"), ("fault_in_the_gather", "!= 0")):
            with self.subTest(name):
                self.assert_seen(name, words)

    def test_broken_lines_are_seen(self):
        import importlib.util
        spec = importlib.util.spec_from_file_location("output", os.path.join(os.path.dirname(__file__), "output.py"))
        output = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(output)
        check = output.Output("test_stdout_and_stderr_stay_apart")
        self.assertEqual(check.lines_of(b"node 0 line 1 x end\n", 1), {0: [1]})
        for broken in (b"node 0 line 1 xnode 1 line 0  end\n end\n", b"node 0 line 2 x end\n", b"node 0 line 1\n"):
            with self.assertRaises(AssertionError):
                check.lines_of(broken, 2)


if __name__ == "__main__":
    main()
