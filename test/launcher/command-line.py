# RUN: %python %s
"""What ompdsm-run says to a wrong command line: one clear line and the shells' exit codes."""
import os

from job import FAKE, HELPERS, RUN, Case, main


class CommandLine(Case):
    def expect(self, arguments, code, *words, environment=None):
        job = self.run_job(1, command=[RUN, *arguments], environment=environment)
        self.assertEqual(job.code, code, job.err)
        message = self.message_of(job)
        for word in words:
            self.assertIn(word, message)
        self.assertEqual(job.out, b"")

    def test_number_of_nodes_is_required(self):
        self.expect([FAKE], 2, "-n")

    def test_number_of_nodes_is_from_1_to_256(self):
        for number in ("0", "-1", "257", "100000000", "99999999999999999999", "two", "", "1.5"):
            self.expect(["-n", number, FAKE], 2, "wrong command line")

    def test_number_of_threads_is_from_1_to_1024(self):
        for number in ("0", "1025", "100000000", "99999999999999999999", "many"):
            self.expect(["-n", "1", "-t", number, FAKE], 2, "-t")

    def test_unknown_option(self):
        self.expect(["-n", "1", "--nodes-per-moon", FAKE], 2, "unknown option '--nodes-per-moon'")

    def test_option_without_its_value(self):
        self.expect(["-n", "1", "--provider"], 2, "--provider")

    def test_no_program(self):
        self.expect(["-n", "1"], 2, "no program")
        self.expect(["-n", "1", "--"], 2, "no program")

    def test_nested(self):
        self.expect(["-n", "1", FAKE], 2, "OMPDSM_NODES is set", environment={"OMPDSM_NODES": "2"})

    def test_start_timeout_of_the_environment_is_checked(self):
        self.expect(["-n", "1", FAKE], 2, "--start-timeout", "soon", environment={"OMPDSM_START_TIMEOUT": "soon"})

    def test_missing_program(self):
        self.expect(["-n", "2", "./no-such-program"], 127, "'./no-such-program'", "No such file")
        self.expect(["-n", "2", "no-such-program"], 127, "in PATH")

    def test_program_that_is_not_executable(self):
        self.expect(["-n", "2", __file__ if not os.access(__file__, os.X_OK) else "/etc/passwd"], 126,
                    "Permission denied")
        self.expect(["-n", "2", "/etc"], 126, "Is a directory")

    def test_program_that_the_kernel_refuses(self):
        job = self.job(2)
        job.finish()
        script = job.path("script")
        with open(script, "w") as file:
            file.write("#!/no/such/interpreter\n")
        os.chmod(script, 0o755)
        self.expect(["-n", "2", script], 127, "cannot start node 0")

    def test_forbidden_personality_is_explained(self):
        job = self.run_job(1, command=[os.path.join(HELPERS, "ompdsm-deny-personality"), RUN, "-n", "2", FAKE])
        self.assertEqual(job.code, 1)
        self.assertIn("randomisation of addresses", self.message_of(job))
        self.assertIn("seccomp", self.message_of(job))

    def test_help_and_version_are_no_errors(self):
        job = self.run_job(1, command=[RUN, "--help"])
        self.assertEqual((job.code, job.err), (0, b""))
        for word in (b"-n", b"-t", b"--tag", b"--provider", b"--stats", b"--fault", b"--trace", b"--events", b"Usage: ompdsm-run"):
            self.assertIn(word, job.out)
        job = self.run_job(1, command=[RUN, "--version"])
        self.assertEqual((job.code, job.err), (0, b""))
        self.assertRegex(job.out, rb"^ompdsm-run \d+\.\d+\.\d+\n$")

    def test_arguments_of_the_program_are_its_own(self):
        for separator in ([], ["--"]):
            job = self.run_job(1, options=separator, program=["/bin/echo", "-n", "--stats", "--", "x"])
            self.assertEqual((job.code, job.out), (0, b"--stats -- x"))

    def test_program_is_found_in_path(self):
        job = self.run_job(1, program=["echo", "found"])
        self.assertEqual((job.code, job.out), (0, b"found\n"))


if __name__ == "__main__":
    main()
