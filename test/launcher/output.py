# RUN: %python %s
"""What becomes of the nodes' stdout and stderr."""
import fcntl
import os
import re
import subprocess

from job import Case, main, read_until, wait_until

F_SETPIPE_SZ = 1031


class Output(Case):
    def lines_of(self, out, nodes):
        """The lines of each node, in their order; fails if a line is not whole."""
        lines = {node: [] for node in range(nodes)}
        for line in out.decode().splitlines():
            match = re.fullmatch(r"node (\d+) line (\d+) (x*) end", line)
            self.assertTrue(match, f"not a whole line: {line!r}")
            self.assertEqual(len(match[3]), int(match[2]) % 97)
            lines[int(match[1])].append(int(match[2]))
        return lines

    def test_lines_are_whole_and_in_order(self):
        job = self.run_job(6, "join", "lines=4000")
        self.assertEqual(job.code, 0, job.err)
        self.assertEqual(self.lines_of(job.out, 6), {node: list(range(4000)) for node in range(6)})

    def test_lines_of_stdout_and_stderr_are_whole_in_one_file(self):
        job = self.run_job(3, "join", "lines=500", "error=error one\\n", "lines=500", "error=error two\\n",
                           stderr=subprocess.STDOUT)
        errors = [line for line in job.out.splitlines() if line.startswith(b"error")]
        self.assertEqual(sorted(errors), [b"error one"] * 3 + [b"error two"] * 3)
        rest = b"\n".join(line for line in job.out.splitlines() if not line.startswith(b"error"))
        self.assertEqual(self.lines_of(rest, 3), {node: list(range(500)) * 2 for node in range(3)})

    def test_stdout_and_stderr_stay_apart(self):
        job = self.run_job(2, "join", "print=to stdout\\n", "error=to stderr\\n")
        self.assertEqual((job.out, job.err), (b"to stdout\n" * 2, b"to stderr\n" * 2))

    def test_output_to_a_file(self):
        job = self.job(2)
        job.finish()
        path = job.path("output")
        with open(path, "wb") as file:
            job = self.run_job(4, "join", "lines=1000", stdout=file)
        self.assertEqual(job.code, 0, job.err)
        with open(path, "rb") as file:
            self.assertEqual(self.lines_of(file.read(), 4), {node: list(range(1000)) for node in range(4)})

    def test_unfinished_last_line_comes_at_the_end(self):
        job = self.run_job(2, "join", "0:print=one\\ntwo")
        self.assertEqual((job.code, job.out), (0, b"one\ntwo"))

    def test_unfinished_last_line_of_a_killed_node_comes_too(self):
        job = self.run_job(2, "join", "1:print=last words", "1:kill=9", "hang")
        self.assertEqual((job.code, job.out), (137, b"last words"))

    def test_unfinished_lines_of_two_nodes_do_not_join(self):
        job = self.run_job(2, "join", "print=from each")
        self.assertEqual(job.out, b"from each\nfrom each")

    def test_binary_data_passes_unchanged(self):
        data = os.urandom(3_000_000)
        job = self.job(2, "join", "0:cat", stdin=subprocess.PIPE)
        job.out, job.err = job.process.communicate(data, timeout=30)
        self.assertEqual(job.process.returncode, 0, job.err)
        self.assertTrue(job.out == data)

    def test_a_line_of_megabytes_passes(self):
        job = self.run_job(2, "join", "0:long=5000000")
        self.assertEqual((job.code, job.out), (0, b"A" * 5_000_000))

    def test_slow_reader_holds_the_nodes_back(self):
        job = self.job(2, "join", "pid", "0:flood")
        fcntl.fcntl(job.process.stdout.fileno(), F_SETPIPE_SZ, 4096)
        node = job.node_pid(0)

        def is_blocked():
            with open(f"/proc/{node}/wchan") as file:
                return "pipe" in file.read()

        wait_until(is_blocked, "the node to block in its write")
        with open(f"/proc/{job.process.pid}/status") as file:
            resident_kb = int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])
        self.assertLess(resident_kb, 32 * 1024)
        # The launcher is not blocked itself: it hears the signal, and the job ends.
        job.process.terminate()
        job.process.stdout.close()
        job.process.stdout = None
        self.assert_ends_in_time(job)

    def test_blocked_output_does_not_keep_a_failed_job(self):
        job = self.job(2, "join", "pid", "0:flood", "1:hang")
        os.kill(job.node_pid(1), 9)
        # Nobody reads stdout until the launcher is over.
        job.process.wait(timeout=10)
        self.assertEqual(job.process.returncode, 137)

    def test_closed_reader_ends_the_job_as_a_broken_pipe(self):
        job = self.job(2, "join", "0:flood", "1:hang")
        read_until(job.process.stdout.fileno(), b"y\n")
        job.process.stdout.close()
        job.process.stdout = None
        self.assert_ends_in_time(job)
        self.assertEqual((job.code, job.err), (141, b""))

    def test_full_disk_ends_the_job_with_a_message(self):
        with open("/dev/full", "wb") as full:
            job = self.job(2, "join", "0:flood", "1:hang", stdout=full)
            self.assert_ends_in_time(job)
        self.assertEqual(job.code, 1)
        self.assertIn("cannot write the job's output: No space left on device", self.message_of(job))

    def test_tagged_lines_name_their_node(self):
        job = self.run_job(3, "join", "lines=1000", "error=one\\ntwo\\n", options=["--tag"])
        self.assertEqual(job.code, 0, job.err)
        self.assertEqual(sorted(job.err.splitlines()),
                         sorted(b"[%d] %s" % (node, word) for node in range(3) for word in (b"one", b"two")))
        for line in job.out.splitlines():
            self.assertRegex(line, rb"^\[(\d)\] node \1 line \d+ x* end$")
        untagged = re.sub(rb"^\[\d\] ", b"", job.out, flags=re.MULTILINE)
        self.assertEqual(self.lines_of(untagged, 3), {node: list(range(1000)) for node in range(3)})

    def test_tagged_lines_of_stdout_and_stderr_are_whole_in_one_file(self):
        job = self.run_job(2, "join", "print=out", "error=err\\n", "print=put\\n", options=["--tag"],
                           stderr=subprocess.STDOUT)
        self.assertEqual(sorted(job.out.splitlines()), [b"[0] err", b"[0] output", b"[1] err", b"[1] output"])

    def test_tagged_unfinished_last_lines(self):
        job = self.run_job(2, "join", "print=from each", options=["--tag"])
        self.assertIn(job.out, [b"[%d] from each\n[%d] from each" % pair for pair in ((0, 1), (1, 0))])

    def test_tagged_message_of_the_launcher_has_no_tag(self):
        job = self.run_job(2, "join", "1:error=last words\\n", "1:kill=9", "hang", options=["--tag"])
        self.assertIn(b"[1] last words\n", job.err)
        self.assertTrue(self.message_of(job).startswith("ompdsm-run: node 1 "))

    def test_tagged_binary_data_is_only_tagged(self):
        data = b"".join(os.urandom(64 * k % 9000) + b"\n" * (k % 5) for k in range(300)) + b"\0end"
        job = self.job(2, "join", "0:cat", options=["--tag"], stdin=subprocess.PIPE)
        job.out, job.err = job.process.communicate(data, timeout=30)
        self.assertEqual(job.process.returncode, 0, job.err)
        self.assertTrue(job.out == b"".join(b"[0] " + line for line in re.findall(rb"[^\n]*\n|[^\n]+$", data)))

    def test_tagged_line_of_megabytes_has_one_tag(self):
        job = self.run_job(2, "join", "0:long=5000000", options=["--tag"])
        self.assertEqual((job.code, job.out), (0, b"[0] " + b"A" * 5_000_000))

    def test_output_of_a_short_job_is_complete(self):
        for _ in range(20):
            job = self.run_job(3, "join", "lines=50", "done", "0:exit=3")
            self.assertEqual(job.code, 3)
            self.assertEqual(self.lines_of(job.out, 3), {node: list(range(50)) for node in range(3)})

    def test_prompt_at_a_terminal_is_shown_before_its_line_ends(self):
        leader, follower = os.openpty()
        try:
            job = self.job(2, "join", "0:print=how many? ", "0:cat", "0:print=done\\n", stdin=follower,
                           stdout=follower, stderr=follower)
            os.close(follower)
            read_until(leader, b"how many? ")
            os.write(leader, b"\x04")
            read_until(leader, b"done")
            self.assertEqual(job.finish(), 0)
        finally:
            os.close(leader)


if __name__ == "__main__":
    main()
