"""Tests of on_nodes.py: no run of the full set is lost, whatever the launcher says."""
import os
import stat
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = os.path.join(HERE, "..", "on_nodes.py")
sys.path.insert(0, os.path.dirname(SCRIPT))

import on_nodes


class OnNodes(unittest.TestCase):
    def run_with(self, launcher, nodes=2):
        """Runs it with a shell script in place of ompdsm-run; gives exit code and output."""
        with tempfile.TemporaryDirectory() as directory:
            run = os.path.join(directory, "run")
            with open(run, "w") as file:
                file.write("#!/bin/sh\n" + launcher)
            os.chmod(run, stat.S_IRWXU)
            done = subprocess.run([sys.executable, "-B", SCRIPT, run, str(nodes), "program"], capture_output=True,
                                  timeout=60)
        return done.returncode, done.stdout

    def test_equal_runs_are_one(self):
        self.assertEqual(self.run_with("echo ok"), (0, b"ok\n"))
        self.assertEqual(self.run_with("echo wrong; exit 3"), (3, b"wrong\n"))

    def test_one_run_that_differs_fails(self):
        for differs in ("exit 1", "echo wrong", "echo ok; echo ok"):
            code, out = self.run_with(f'case "$*" in *"-t 3 --provider tcp"*) {differs};; *) echo ok;; esac')
            self.assertEqual(code, 99)
            self.assertNotEqual(out, b"ok\n")
        code, out = self.run_with('case "$*" in *"-t 1"*) echo ok;; *) exit 3;; esac')
        self.assertEqual(code, 99)

    def test_all_promised_combinations_run(self):
        for nodes in (1, 2, 4):
            commands = [" ".join(command) for command, _ in on_nodes.commands("run", nodes, "x")]
            for threads in (1, 3):
                for provider in ("shm", "tcp") if nodes > 1 else ("shm",):
                    self.assertIn(f"run -n {nodes} -t {threads} --provider {provider} x", commands)


if __name__ == "__main__":
    unittest.main()
