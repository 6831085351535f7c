# RUN: %python %s
"""Signals: each reaches the program once, and the user's own signal is no failure to report."""
import os
import signal
import subprocess

from job import FAKE, RUN, Case, main, read_until, wait_until


class Signals(Case):
    def caught_by_node_0(self, number, send):
        job = self.job(2, f"0:catch={int(number)}", "join", "pid", "0:touch=ready", "0:caught=1", "0:touch=over",
                       "1:wait=over", start_new_session=True)
        job.node_pid(1)
        job.await_file("ready")
        send(job)
        job.code = job.finish()
        self.assertEqual((job.code, job.out, job.err), (0, b"node 0 caught 1\n", b""))

    def test_signal_to_the_launcher_reaches_node_0_once(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2):
            with self.subTest(signal=number):
                self.caught_by_node_0(number, lambda job: os.kill(job.process.pid, number))

    def test_signal_to_the_group_reaches_node_0_once(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
            with self.subTest(signal=number):
                self.caught_by_node_0(number, lambda job: os.killpg(job.process.pid, number))

    def test_program_without_a_handler_ends_as_without_the_launcher(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1):
            with self.subTest(signal=number):
                job = self.job(3, "join", "pid", "hang")
                job.node_pid(0)
                job.process.send_signal(number)
                self.assert_ends_in_time(job)
                self.assertEqual((job.code, job.err), (128 + number, b""))

    def test_second_interrupt_kills_a_program_that_ignores_the_first(self):
        job = self.job(2, "ignore=2", "deaf", "join", "pid", "hang")
        job.node_pid(0)
        job.node_pid(1)
        job.process.send_signal(signal.SIGINT)
        # The first must be taken before the second comes, or the kernel makes them one.
        wait_until(lambda: not self.pending(job.process.pid, signal.SIGINT), "the first signal to be taken")
        job.process.send_signal(signal.SIGINT)
        self.assert_ends_in_time(job)
        self.assertEqual(job.code, 130)
        self.assertIn("interrupted twice", self.message_of(job))

    def test_program_that_handles_sigterm_has_some_time(self):
        job = self.job(2, "ignore=15", "deaf", "join", "pid", "hang", options=["--kill-wait", "1"])
        job.node_pid(0)
        job.node_pid(1)
        job.process.send_signal(signal.SIGTERM)
        self.assert_ends_in_time(job)
        self.assertEqual(job.code, 143)
        self.assertIn("1 s after SIGTERM", self.message_of(job))

    def pending(self, pid, number):
        with open(f"/proc/{pid}/status") as file:
            fields = dict(line.split(":\t", 1) for line in file if ":\t" in line)
        return int(fields["ShdPnd"], 16) >> (number - 1) & 1

    def test_signal_that_the_caller_ignores_stays_ignored(self):
        for name in ("HUP", "INT"):
            job = self.job(2, command=["/bin/sh", "-c", f'trap "" {name}; exec "$@"', "sh", RUN, "-n", "2", FAKE,
                                       "join", "pid", "wait=go"])
            pids = [job.process.pid, job.node_pid(0), job.node_pid(1)]
            for pid in pids * 2:
                os.kill(pid, getattr(signal, f"SIG{name}"))
            # A signal that is not ignored comes after them, so these have been dealt with.
            job.process.send_signal(signal.SIGCONT)
            job.touch("go")
            self.assertEqual((job.finish(), job.err), (0, b""))

    def test_stop_and_continue(self):
        # A group of its own, as from a shell: in an orphaned one the kernel withholds SIGTSTP.
        job = self.job(2, "join", "pid", "wait=go", process_group=0)
        pids = [job.node_pid(0), job.node_pid(1), job.process.pid]
        job.process.send_signal(signal.SIGTSTP)
        wait_until(lambda: all(self.state(pid) == "T" for pid in pids), "all to stop")
        job.touch("go")
        job.process.send_signal(signal.SIGCONT)
        self.assertEqual(job.finish(), 0)

    def state(self, pid):
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]


class Terminal(Case):
    """With a terminal of its own: the launcher leads the foreground group, as under a shell."""

    def setUp(self):
        super().setUp()
        self.leader, follower = os.openpty()
        self.addCleanup(os.close, self.leader)
        self.follower = follower

    def on_terminal(self, *steps):
        # setsid --ctty makes the terminal the controlling one of a new session.
        job = self.job(2, command=["setsid", "--ctty", "--wait", RUN, "-n", "2", FAKE, *steps],
                       stdin=self.follower, stdout=self.follower, stderr=self.follower)
        os.close(self.follower)
        return job

    def test_control_c_reaches_node_0_once(self):
        job = self.on_terminal("0:catch=2", "join", "pid", "0:touch=ready", "0:caught=1", "0:touch=over",
                               "1:wait=over")
        job.await_file("ready")
        job.node_pid(1)
        os.write(self.leader, b"\x03")
        read_until(self.leader, b"node 0 caught 1")
        self.assertEqual(job.finish(), 0)

    def test_control_c_ends_a_program_without_a_handler(self):
        job = self.on_terminal("join", "pid", "hang")
        job.node_pid(0)
        job.node_pid(1)
        os.write(self.leader, b"\x03")
        self.assert_ends_in_time(job)
        self.assertEqual(job.code, 130)

    def test_node_0_reads_the_terminal(self):
        job = self.on_terminal("join", "0:print=name?\\n", "0:cat")
        read_until(self.leader, b"name?")
        os.write(self.leader, b"it is me\n")
        read_until(self.leader, b"it is me\r\nit is me")
        os.write(self.leader, b"\x04")
        self.assertEqual(job.finish(), 0)

    def test_hang_up_ends_the_job(self):
        leader, follower = os.openpty()
        job = self.job(2, command=["setsid", "--ctty", RUN, "-n", "2", FAKE, "join", "pid", "hang"], stdin=follower,
                       stdout=follower, stderr=follower)
        os.close(follower)
        os.close(self.follower)
        job.node_pid(0)
        job.node_pid(1)
        os.close(leader)
        self.assert_ends_in_time(job)


if __name__ == "__main__":
    main()
