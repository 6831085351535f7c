# RUN: %python %s
"""Jobs whose nodes do not all join: explained, and never waited for without a limit."""
import time

from job import FAKE, Case, main


class StartUp(Case):
    def test_program_without_ompdsm_that_ends_is_explained(self):
        job = self.run_job(2, program=["/bin/true"])
        self.assertEqual(job.code, 1)
        message = self.message_of(job)
        self.assertIn("'/bin/true' did not start ompdsm", message)
        self.assertIn("-fplugin", message)
        self.assertIn("-lompdsm", message)

    def test_program_without_ompdsm_that_runs_on_is_explained(self):
        start = time.monotonic()
        job = self.run_job(3, "1000", program=["/bin/sleep"], options=["--start-timeout", "1"])
        self.assertGreaterEqual(time.monotonic() - start, 1)
        self.assertEqual(job.code, 1)
        self.assertIn("did not join the job within 1 s", self.message_of(job))
        self.assertIn("did not start ompdsm", self.message_of(job))

    def test_deadline_by_the_environment(self):
        job = self.run_job(2, "1:hang", "join", environment={"OMPDSM_START_TIMEOUT": "1"})
        self.assertEqual(job.code, 1)
        self.assertIn("node 1 (pid ", self.message_of(job))

    def test_one_missing_node_ends_the_others_that_wait_for_it(self):
        job = self.run_job(3, "2:hang", "connect", "gather", options=["--start-timeout", "1"])
        self.assertEqual(job.code, 1)
        self.assertIn("node 2 (pid ", self.message_of(job))

    def test_node_that_fails_before_it_joins(self):
        job = self.run_job(3, "1:exit=5", "join", "hang")
        self.assertEqual(job.code, 5)
        self.assertRegex(self.message_of(job), r"node 1 \(pid \d+\) exited with code 5 before it had joined")

    def test_deadline_is_for_the_start_only(self):
        job = self.run_job(2, "join", "msleep=1500", options=["--start-timeout", "1"])
        self.assertEqual(job.code, 0, job.err)

    def test_one_node_needs_not_join(self):
        job = self.run_job(1, "1.3", program=["/bin/sleep"], options=["--start-timeout", "1"])
        self.assertEqual((job.code, job.err), (0, b""))

    def test_program_may_be_a_script_that_starts_the_node(self):
        script = '"$@" || exit $?; echo "script ends"'
        job = self.run_job(2, "join", program=["/bin/sh", "-c", script, "sh", FAKE])
        self.assertEqual(job.out, b"script ends\n" * 2)
        self.assertEqual(job.code, 0, job.err)


if __name__ == "__main__":
    main()
