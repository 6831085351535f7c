# RUN: %python %s
"""Whatever is killed, and whenever: the job ends within 5 seconds, with one message, and nothing stays."""
import os
import re
import signal

from job import FAKE, Case, main, wait_until

# Every node leaves a file in /dev/shm and a daemon of its own session behind when it is killed.
TRACES = ["pid", "shm", "daemon"]
# When: before it joined, between two collectives, in the run, after its last word.
MOMENTS = {
    "at the start": ["hang"],
    "while the others wait for it": ["connect", "touch=connected", "hang"],
    "in the run": ["connect", "gather", "watch", "touch=running", "hang"],
    "after its last word": ["connect", "gather", "watch", "done", "hang"],
}


class Kills(Case):
    def started(self, nodes, victim, steps):
        """A job in which `victim` goes through `steps` and the others join and hang."""
        others = ["connect", "gather", "watch", "hang"]
        job = self.job(nodes, *TRACES, "touch=traces", *[f"{victim}:{step}" for step in steps],
                       *[f"-{victim}:{step}" for step in others])
        pids = [job.node_pid(node) for node in range(nodes)]
        for pid in pids:
            wait_until(lambda: os.path.exists(f"/dev/shm/{pid}:0:0"), "the file in /dev/shm")
        # Nodes, their daemons, the keeper and the launcher.
        wait_until(lambda: len(job.processes()) >= 2 * nodes + 2, "all processes of the job")
        for step in steps:
            if step.startswith("touch="):
                job.await_file(step.split("=")[1])
        return job, pids

    def kill_node(self, victim):
        for moment, steps in MOMENTS.items():
            with self.subTest(moment=moment):
                job, pids = self.started(3, victim, steps)
                os.kill(pids[victim], signal.SIGKILL)
                self.assert_ends_in_time(job)
                self.assertEqual(job.code, 137)
                self.assertEqual(self.message_of(job), f"ompdsm-run: node {victim} (pid {pids[victim]}) was killed "
                                                       "by signal 9 (Killed); the job ends")

    def test_node_0_is_killed(self):
        self.kill_node(0)

    def test_another_node_is_killed(self):
        self.kill_node(2)

    def test_launcher_is_killed(self):
        for moment, steps in MOMENTS.items():
            with self.subTest(moment=moment):
                job, _ = self.started(3, 1, steps)
                os.kill(job.process.pid, signal.SIGKILL)
                self.assert_ends_in_time(job)
                self.assertEqual(job.code, -signal.SIGKILL)
                self.assertEqual(self.message_of(job), "ompdsm-run: the launcher was killed; the job ends")

    def test_keeper_is_killed(self):
        for moment, steps in MOMENTS.items():
            with self.subTest(moment=moment):
                job, _ = self.started(3, 1, steps)
                keeper = job.keeper_pid()
                self.assertNotEqual(keeper, job.process.pid)
                os.kill(keeper, signal.SIGKILL)
                self.assert_ends_in_time(job)
                self.assertEqual(job.code, 1)
                self.assertIn(f"the keeper of the job (pid {keeper}) was killed by signal 9", self.message_of(job))

    def test_launcher_is_killed_while_it_starts_nodes(self):
        # At a random moment of the start of many nodes; the number of tries makes it hit some.
        for attempt in range(12):
            job = self.job(40, *TRACES, "join", "hang")
            wait_until(lambda: len(job.recorded_pids()) >= 3 * attempt, "some nodes")
            os.kill(job.process.pid, signal.SIGKILL)
            self.assert_ends_in_time(job)

    def test_node_is_killed_while_others_start(self):
        for attempt in range(6):
            job = self.job(30, *TRACES, "join", "hang")
            os.kill(job.node_pid(3 * attempt), signal.SIGKILL)
            self.assert_ends_in_time(job)
            self.assertEqual(job.code, 137)
            self.assertIn(f"node {3 * attempt} (pid ", self.message_of(job))

    def test_all_nodes_are_killed_at_once(self):
        job, pids = self.started(3, 1, MOMENTS["in the run"])
        for pid in pids:
            os.kill(pid, signal.SIGKILL)
        self.assert_ends_in_time(job)
        self.assertEqual(job.code, 137)
        self.message_of(job)

    def test_launcher_is_killed_with_stopped_nodes(self):
        job, pids = self.started(3, 1, MOMENTS["in the run"])
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        os.kill(job.process.pid, signal.SIGKILL)
        self.assert_ends_in_time(job)

    def test_stopped_keeper_does_not_save_the_job(self):
        job, pids = self.started(2, 1, MOMENTS["in the run"])
        os.kill(job.keeper_pid(), signal.SIGSTOP)
        os.kill(job.process.pid, signal.SIGINT)
        os.kill(pids[1], signal.SIGKILL)
        self.assert_ends_in_time(job)
        self.assertNotEqual(job.code, 0)

    def test_orderly_end_leaves_nothing_either(self):
        job = self.job(3, *TRACES, "join")
        self.assert_ends_in_time(job)
        self.assertEqual((job.code, job.err), (0, b""))

    def test_files_of_a_node_behind_a_script_are_swept(self):
        # Its pid becomes known when it joins.
        job = self.job(2, *TRACES, "join", "1:touch=joined", "hang",
                       program=["/bin/sh", "-c", '"$@"; exit 0', "sh", FAKE])
        pid = job.node_pid(1)
        job.await_file("joined")
        wait_until(lambda: len(job.processes()) >= 8, "all processes of the job")
        os.kill(pid, signal.SIGKILL)
        self.assert_ends_in_time(job)
        self.assertTrue(re.search(r"node 1 \(pid \d+\)", self.message_of(job)))

    def test_strangers_files_stay(self):
        name = f"/dev/shm/{os.getpid()}:0:0"
        with open(name, "w"):
            pass
        self.addCleanup(os.unlink, name)
        job = self.job(2, *TRACES, "join", "1:kill=9", "hang")
        self.assert_ends_in_time(job)
        self.assertTrue(os.path.exists(name))


if __name__ == "__main__":
    main()
