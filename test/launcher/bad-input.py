# REQUIRES: ompdsm
# RUN: %python %s
"""What a real program's user can get wrong: one message with what, where and what to do, soon, and nothing left."""
import os
import resource
import shutil
import unittest

from job import BUILD, main
from subject import SubjectCase

GIB = 1 << 30


def limited(kind, most):
    return lambda: resource.setrlimit(kind, (most, most))


class BadInput(SubjectCase):
    def refuse(self, *words, environment=None, options=("-t", "2"), arguments=("none",), nodes=2, **named):
        job = self.run_subject(nodes, *arguments, options=options, environment=environment, **named)
        self.assert_refused(job, *words)
        return self.message_of(job)

    def test_program_without_the_plugin(self):
        lib = os.path.join(BUILD, "lib")
        program = self.build("plain", f"-L{lib}", "-l:libompdsm.so.0", f"-Wl,-rpath,{lib}",
                             compiler=("clang++-22", "-fopenmp"))
        self.refuse("not compiled with the plugin of ompdsm", "ompdsm-clang", program=program)

    def test_different_builds_on_different_nodes(self):
        for node in range(2):
            self.build(f"{node}/subject", f"-O{node + 1}")
        script = 'exec "$0/$OMPDSM_NODE/subject" none'
        job = self.run_subject(2, "-c", script, self.directory, program="/bin/sh")
        self.assert_refused(job, "the nodes of the job are not alike", "image subject build",
                            "install the same files on all hosts")

    def test_range_of_the_segment_is_taken(self):
        self.refuse("this mapping is in the way", "OMPDSM_SEGMENT_BASE",
                    environment={"OMPDSM_SEGMENT_BASE": "0x555540000000"})

    def test_segment_beyond_the_address_space(self):
        self.refuse("does not fit", "OMPDSM_SLICE_GIB", environment={"OMPDSM_SLICE_GIB": "16384"}, nodes=8)

    def test_limit_of_the_address_space(self):
        # What is needed: 2 TiB of table, 8 GiB of counts, a page for another one, and 64 GiB for each node.
        needed = (2048 + 8 + 128) * GIB + 4096
        for kind, option, most in ((resource.RLIMIT_AS, "-v", 8 * GIB), (resource.RLIMIT_AS, "-v", 2080 * GIB),
                                   (resource.RLIMIT_DATA, "-d", 8 * GIB)):
            with self.subTest(option=option, most=most):
                self.refuse(f"limited to {most // 1024} KiB (`ulimit {option}`)", f"{needed // 1024} KiB",
                            preexec_fn=limited(kind, most))

    def test_limit_of_the_address_space_without_a_launcher(self):
        job = self.run_job(1, command=[self.program, "none"], preexec_fn=limited(resource.RLIMIT_AS, 8 * GIB))
        self.assertEqual((job.code, job.out), (1, b""))
        self.assertRegex(job.err, rb"^ompdsm: cannot reserve .*`ulimit -v`.*\n$")
        self.assertEqual(job.err.count(b"\n"), 1)

    def test_unknown_provider(self):
        message = self.refuse("no provider 'no-such'", "it has ", options=["--provider", "no-such"])
        self.assertRegex(message, r"it has .*'(tcp|tcp;ofi_rxm)'.*choose one of these")

    def test_number_of_threads_that_is_none(self):
        for value in ("abc", "0", "-2", "4,x"):
            for options in ([], ["-t", "2"]):
                self.refuse(f"OMP_NUM_THREADS is '{value}', but must be a number", options=options,
                            environment={"OMP_NUM_THREADS": value})

    def test_more_threads_than_the_nodes_can_have(self):
        self.refuse("OMP_NUM_THREADS asks for 100000000 threads", "at most 2048 (1024 on each node)", options=[],
                    environment={"OMP_NUM_THREADS": "100000000"})
        self.refuse("OMP_NUM_THREADS asks for 100000000 threads", "`ulimit -u`", options=[], nodes=1,
                    environment={"OMP_NUM_THREADS": "100000000"})
        self.refuse("OMPDSM_THREADS is '100000000'", options=[], environment={"OMPDSM_THREADS": "100000000"})
        message = self.refuse("asks for 100000000 threads", "at most 2048", arguments=["huge team"])
        self.assertRegex(message, r"the parallel region at \S*subject.cpp:\d+ ")

    def test_more_threads_than_there_is_room_for_stacks(self):
        self.refuse("there is no room for its stack", "OMP_STACKSIZE", "OMPDSM_SLICE_GIB", options=["-t", "40"],
                    environment={"OMPDSM_SLICE_GIB": "2"})

    def test_main_stack_that_does_not_fit(self):
        self.refuse("no room for a main stack of 64 MiB", "OMPDSM_MAIN_STACK_MIB", "OMPDSM_SLICE_GIB",
                    environment={"OMPDSM_SLICE_GIB": "1"})

    @unittest.skipUnless(shutil.which("mpirun"), "needs mpirun")
    def test_mistakes_under_mpirun_are_said_once(self):
        for variable, value, words in (("OMPDSM_BLOCK_SMALL", "100", "must be a power of two"),
                                       ("OMP_NUM_THREADS", "abc", "must be a number of threads"),
                                       ("OMPDSM_PROVIDER", "no-such", "no provider 'no-such'"),
                                       ("OMPDSM_INTERFACE", "no-such", "no such interface")):
            with self.subTest(variable=variable):
                # An interface is asked for as if there were other hosts.
                job = self.run_under_mpirun(3, "none", environment={variable: value})
                self.assertNotEqual(job.code, 0)
                said = [line for line in job.err.decode().splitlines() if line.startswith("ompdsm")]
                self.assertEqual(len(said), 1, job.err)
                self.assertIn(words, said[0])

    @unittest.skipUnless(shutil.which("mpirun"), "needs mpirun")
    def test_more_nodes_than_a_job_can_have_under_mpirun(self):
        # So many processes take their time to start, whatever becomes of them.
        job = self.start_under_mpirun(257, "none")
        self.assertNotEqual(job.finish(), 0)
        said = [line for line in job.err.decode().splitlines() if line.startswith("ompdsm")]
        self.assertEqual(said, ["ompdsm: the job has 257 processes, more than the 256 nodes that a job may have; "
                                "the job ends"])

    def test_full_slice_is_said_once_by_each_node_and_can_be_handled(self):
        job = self.run_subject(2, "slice", environment={"OMPDSM_SLICE_GIB": "2"})
        self.assertEqual((job.code, job.out), (0, b"8 failures\nran\n"), job.err)
        lines = sorted(job.err.decode().splitlines())
        self.assertEqual(len(lines), 2, job.err)
        for node, line in enumerate(lines):
            self.assertRegex(line, rf"^ompdsm: node {node} has no memory left for an allocation of {64 << 20} bytes"
                                   r".*its slice of 2 GiB.*OMPDSM_SLICE_GIB")

    def test_no_memory_for_the_runtime_itself(self):
        message = self.refuse("out of memory: the runtime cannot get", "(`ulimit -v`)", arguments=["private", "1"])
        self.assertRegex(message, r"^ompdsm-run: node 1 \(pid \d+\): ")


if __name__ == "__main__":
    main()
