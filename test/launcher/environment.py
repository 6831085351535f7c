# RUN: %python %s
"""What a node finds when it starts."""
import re

from job import FAKE, RUN, Case, main


class Environment(Case):
    def value(self, name, options=(), environment=None):
        job = self.run_job(2, "join", f"env={name}", options=options, environment=environment)
        self.assertEqual(job.code, 0, job.err)
        lines = sorted(job.out.decode().splitlines())
        self.assertEqual([line.split("=")[0] for line in lines], [f"0 {name}", f"1 {name}"])
        return [line.split("=", 1)[1] for line in lines]

    def test_index_and_numbers(self):
        self.assertEqual(self.value("OMPDSM_NODE"), ["0", "1"])
        self.assertEqual(self.value("OMPDSM_NODES"), ["2", "2"])

    def test_rendezvous_is_on_loopback(self):
        self.assertRegex(self.value("OMPDSM_RENDEZVOUS")[0], r"^127\.0\.0\.1:\d+$")

    def test_options_become_variables(self):
        for option, name in (("-t 3", "OMPDSM_THREADS"), ("--provider tcp", "OMPDSM_PROVIDER"),
                             ("--fault delay=3", "OMPDSM_FAULT"), ("--trace a.json", "OMPDSM_TRACE"),
                             ("--events file=%n", "OMPDSM_EVENTS")):
            self.assertEqual(self.value(name, options=option.split()), [option.split()[1]] * 2)
            self.assertEqual(self.value(name), ["(unset)"] * 2)
        self.assertEqual(self.value("OMPDSM_STATS", options=["--stats"]), ["1", "1"])
        self.assertEqual(self.value("OMPDSM_STATS"), ["(unset)"] * 2)

    def test_secret_is_gone_once_read(self):
        self.assertEqual(self.value("OMPDSM_SECRET"), ["(unset)"] * 2)
        job = self.run_job(2, "join", "pid", "0:system=tr '\\\\0' '\\\\n' < /proc/$PPID/environ")
        self.assertEqual(job.code, 0, job.err)
        self.assertIn(b"OMPDSM_NODES=2", job.out)
        self.assertNotRegex(job.out, rb"[0-9a-f]{64}")

    def test_child_of_a_node_is_a_program_of_its_own(self):
        # The fake, without steps, would fail to connect if it took itself for a node.
        job = self.run_job(2, "join", f"0:system={FAKE} print=alone || exit 1")
        self.assertEqual((job.code, job.out), (0, b"alone"), job.err)

    def test_addresses_are_the_same_in_all_nodes_and_runs(self):
        seen = set()
        for _ in range(3):
            job = self.run_job(3, "join", "addresses")
            self.assertEqual(job.code, 0, job.err)
            seen |= set(re.findall(rb"main at .*", job.out))
        self.assertEqual(len(seen), 1, seen)

    def test_stdin_goes_to_node_0_only(self):
        job = self.job(2, "join", "0:cat", "1:cat", stdin=-1)
        job.process.stdin.write(b"for node 0\n")
        job.process.stdin.close()
        job.process.stdin = None
        self.assertEqual(job.finish(), 0)
        self.assertEqual(job.out, b"for node 0\n")

    def test_program_may_close_low_descriptors(self):
        job = self.run_job(2, "join", "close=256", "msleep=700")
        self.assertEqual(job.code, 0, job.err)

    def test_closed_standard_streams_do_no_harm(self):
        job = self.run_job(2, command=["/bin/sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", RUN, "-n", "2", FAKE,
                                       "join", "print=x\\n", "done", "0:exit=4"])
        self.assertEqual(job.code, 4)

    def test_gather_of_the_largest_blobs(self):
        job = self.run_job(8, "connect", "gather=65536", "gather", "gather=65536", "gather=0")
        self.assertEqual(job.code, 0, job.err)

    def test_256_nodes(self):
        job = self.run_job(256, "join", "print=x\\n")
        self.assertEqual(job.code, 0, job.err)
        self.assertEqual(job.out, b"x\n" * 256)

    def test_one_node_works_as_many(self):
        job = self.run_job(1, "join", "env=OMPDSM_NODES")
        self.assertEqual((job.code, job.out), (0, b"0 OMPDSM_NODES=1\n"))


if __name__ == "__main__":
    main()
