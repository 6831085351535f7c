"""subject.py: builds Inputs/subject.cpp, a program that goes wrong as its arguments say, and runs it."""
import os
import shutil
import subprocess
import tempfile
import time

from job import BUILD, END_SECONDS, Case

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")
BUILD_SECONDS = 120


class SubjectCase(Case):
    """Tests of one program, which is built once: self.program."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="ompdsm-subject-")
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        cls.early = os.path.join(cls.directory, "early.o")
        subprocess.run(["clang-22", "-O1", "-c", os.path.join(INPUTS, "early.c"), "-o", cls.early], check=True,
                       timeout=BUILD_SECONDS)
        cls.program = cls.build("subject")

    @classmethod
    def build(cls, name, *options, compiler=(os.path.join(BUILD, "bin", "ompdsm-clang++"),)):
        program = os.path.join(cls.directory, name)
        os.makedirs(os.path.dirname(program), exist_ok=True)
        source = os.path.join(INPUTS, "subject.cpp")
        # Early last: what it defines for the runtime must not come from an archive.
        subprocess.run([*compiler, "-g", "-O1", source, cls.early, *options, "-o", program], check=True,
                       timeout=BUILD_SECONDS)
        return program

    def run_subject(self, nodes, *arguments, options=("-t", "2"), program=None, **named):
        """Runs to the end, which must come soon, with all of it gone."""
        start = time.monotonic()
        job = self.job(nodes, *arguments, options=options, program=[program or self.program], **named)
        self.assert_ends_in_time(job)
        job.seconds = time.monotonic() - start
        return job

    def start_under_mpirun(self, nodes, *arguments, environment=None):
        # As root, and on few cores.
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--quiet", "-np", str(nodes), self.program]
        environment = {"OMP_NUM_THREADS": str(2 * nodes), **(environment or {})}
        return self.job(nodes, command=[*command, *arguments], environment=environment)

    def run_under_mpirun(self, nodes, *arguments, environment=None):
        job = self.start_under_mpirun(nodes, *arguments, environment=environment)
        self.assert_ends_in_time(job)
        return job

    def assert_refused(self, job, *words, code=1):
        """One message and nothing else, within the promised time."""
        self.assertEqual((job.code, job.out), (code, b""), job.err)
        self.assertEqual(len(job.err.splitlines()), 1, job.err)
        message = self.message_of(job)
        for word in words:
            self.assertIn(word, message)
        self.assertLess(job.seconds, END_SECONDS)
