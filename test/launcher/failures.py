# RUN: %python %s
"""How a job ends: its exit code, and one message whatever the number of consequences."""
from job import Case, main


class Failures(Case):
    def test_exit_code_is_node_zeros(self):
        for code in (0, 1, 3, 255):
            job = self.run_job(3, "join", "done", f"0:exit={code}")
            self.assertEqual((job.code, job.err), (code, b""))

    def test_exit_without_a_last_word_is_node_zeros_right(self):
        job = self.job(3, "join", "0:exit=6", "hang")
        self.assert_ends_in_time(job)
        self.assertEqual((job.code, job.err), (6, b""))
        self.assertEqual(job.end_reason(1), "node 0 has ended")

    def test_node_0_that_crashes(self):
        job = self.run_job(3, "join", "0:kill=11", "hang")
        self.assertEqual(job.code, 139)
        self.assertRegex(self.message_of(job), r"^ompdsm-run: node 0 \(pid \d+\) was killed by signal 11 "
                                               r"\(Segmentation fault\); the job ends$")

    def test_another_node_that_crashes(self):
        job = self.run_job(3, "join", "2:abort", "hang")
        self.assertEqual(job.code, 134)
        self.assertRegex(self.message_of(job), r"node 2 \(pid \d+\) was killed by signal 6 \(Aborted\)")
        self.assertEqual(job.end_reason(1), self.message_of(job).removeprefix("ompdsm-run: "))

    def test_another_node_that_leaves(self):
        for code, expected in ((0, 1), (9, 9)):
            job = self.run_job(3, "join", f"2:exit={code}", "hang")
            self.assertEqual(job.code, expected)
            self.assertRegex(self.message_of(job), rf"node 2 \(pid \d+\) exited with code {code} before")

    def test_reported_reason_is_the_message(self):
        job = self.run_job(4, "join", "3:report=ompdsm: taskloop at x.c:12 is not supported on 4 nodes",
                           "3:exit=1", "hang")
        self.assertEqual(job.code, 1)
        self.assertRegex(self.message_of(job), r"node 3 \(pid \d+\): taskloop at x.c:12 is not supported on 4 nodes; "
                                               r"the job ends$")

    def test_all_nodes_fail_with_one_message(self):
        job = self.run_job(8, "join", "report=no memory", "exit=1")
        self.assertEqual(job.code, 1)
        self.assertIn("no memory", self.message_of(job))
        self.assertEqual(len(job.err.splitlines()), 1)

    def test_killed_node_explains_the_reports_of_the_others(self):
        job = self.run_job(4, "join", "-2:report=node 2 does not answer", "2:kill=9", "hang")
        self.assertIn("node 2", self.message_of(job))
        self.assertIn("signal 9 (Killed)", self.message_of(job))

    def test_long_report_is_cut(self):
        job = self.run_job(2, "join", "1:report=" + "r" * 5000, "hang")
        self.assertIn("r" * 1024 + ";", self.message_of(job))

    def test_nodes_that_do_not_listen_are_killed(self):
        job = self.job(3, "ignore=15", "deaf", "join", "1:kill=9", "hang")
        self.assert_ends_in_time(job)
        self.assertEqual(job.code, 137)
        self.message_of(job)

    def test_stopped_node_is_ended_too(self):
        job = self.job(3, "join", "pid", "1:msleep=200", "1:kill=9", "0:kill=19", "hang")
        self.assert_ends_in_time(job)
        self.assertIn("node 1", self.message_of(job))

    def test_node_that_stays_after_node_zeros_end_is_named(self):
        job = self.job(2, "deaf", "join", "0:done", "0:exit=0", "hang")
        self.assert_ends_in_time(job)
        self.assertEqual(job.code, 1)
        self.assertRegex(self.message_of(job), r"node 1 \(pid \d+\) did not end after node 0 had ended")

    def test_crash_on_the_way_out_counts(self):
        job = self.run_job(2, "join", "done", "1:kill=11")
        self.assertEqual(job.code, 139)
        self.assertIn("node 1", self.message_of(job))

    def test_lost_connection_ends_the_job(self):
        job = self.run_job(2, "connect", "gather", "1:close=1024", "hang")
        self.assertEqual(job.code, 1)
        self.assertRegex(self.message_of(job), r"node 1 \(pid \d+\) closed its connection to the launcher")

    def test_success_is_repeatable(self):
        for _ in range(30):
            job = self.run_job(4, "join")
            self.assertEqual((job.code, job.err), (0, b""))


if __name__ == "__main__":
    main()
