# RUN: %python %s
"""ompdsm-clang and ompdsm-clang++: which compiler they run, with what, and from where."""
import os
import shlex
import shutil
import subprocess
import tempfile
import unittest

from job import BUILD, main

LLVM = "22"


class Wrapper(unittest.TestCase):
    def setUp(self):
        # A tree as an installation makes it, in a place with a blank in its name.
        self.root = tempfile.mkdtemp(prefix="ompdsm wrapper ")
        self.addCleanup(shutil.rmtree, self.root)
        self.bin = os.path.join(self.root, "bin")
        self.lib = os.path.join(self.root, "lib")
        os.mkdir(self.bin)
        os.mkdir(self.lib)
        for name in ("ompdsm-clang", "ompdsm-clang++", "ompdsm.cfg"):
            shutil.copy(os.path.join(BUILD, "bin", name), self.bin)
        for name in ("lib/libompdsm-plugin.so", "lib/libompdsm-plugin-19.so", "bin/ompdsm-19.cfg"):
            open(os.path.join(self.root, name), "w").close()
        self.source = os.path.join(self.root, "x.c")
        with open(self.source, "w") as file:
            file.write("int main(void) { return __OMPDSM__ - 1; }\n")

    def run_wrapper(self, *arguments, wrapper=None, **environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith("OMPDSM_")}
        env.update(environment)
        return subprocess.run([wrapper or os.path.join(self.bin, "ompdsm-clang"), *arguments], env=env, text=True,
                              capture_output=True, timeout=60, stdin=subprocess.DEVNULL)

    def commands(self, *arguments, **named):
        """The commands that clang would run, as lists of words."""
        result = self.run_wrapper("-###", *arguments, **named)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("warning", result.stderr)
        return [shlex.split(line) for line in result.stderr.splitlines() if line.startswith(' "') or line.startswith(' /')]

    def test_libraries_come_after_the_objects_and_before_libomp(self):
        link = self.commands(self.source, "-o", "x")[-1]
        objects = [i for i, word in enumerate(link) if word.endswith(".o") and "crt" not in os.path.basename(word)]
        self.assertTrue(objects)
        self.assertLess(max(objects), link.index("-lompdsm"))
        self.assertLess(link.index("-lompdsm"), link.index("-lomp"))
        self.assertIn(f"-L{self.bin}/../lib", link)
        self.assertEqual(link[link.index("-rpath") + 1], f"{self.bin}/../lib")

    def test_compilation_has_the_pass_the_macro_and_openmp(self):
        for flags in (["-c"], ["-c", "-O3", "-Wall", "-Werror"], ["-S", "-emit-llvm"]):
            compile = self.commands(*flags, self.source)[0]
            self.assertIn(f"-fpass-plugin={self.bin}/../lib/libompdsm-plugin.so", compile)
            self.assertIn("-fopenmp", compile)
            self.assertIn("__OMPDSM__=1", compile)
            self.assertNotIn("-lompdsm", compile)

    def test_through_a_symbolic_link(self):
        link = os.path.join(self.root, "occ")
        os.symlink(os.path.join(self.bin, "ompdsm-clang"), link)
        self.assertIn(f"-L{self.bin}/../lib", self.commands(self.source, wrapper=link)[-1])

    def test_from_another_directory_by_a_relative_path(self):
        result = subprocess.run(["./bin/ompdsm-clang", "-###", "x.c"], cwd=self.root, text=True, capture_output=True)
        self.assertIn(f"{self.bin}/../lib", result.stderr)

    def test_cxx_is_cxx(self):
        cxx = os.path.join(self.bin, "ompdsm-clang++")
        link = self.commands("-x", "c++", self.source, wrapper=cxx)[-1]
        self.assertIn("-lstdc++", link)
        self.assertIn("-lompdsm", link)

    def test_version_is_of_both(self):
        result = self.run_wrapper("--version")
        self.assertRegex(result.stdout, r"^ompdsm version \d+\.\d+\.\d+\n.*clang version " + LLVM)

    def test_variable_names_the_compiler(self):
        for wrapper, variable in (("ompdsm-clang", "OMPDSM_CC"), ("ompdsm-clang++", "OMPDSM_CXX")):
            result = self.run_wrapper("a b", "$c", wrapper=os.path.join(self.bin, wrapper), **{variable: "/bin/echo"})
            self.assertEqual(result.stdout, f"--config={self.bin}/ompdsm.cfg a b $c\n")
            result = self.run_wrapper(wrapper=os.path.join(self.bin, wrapper), **{variable: "/no/such/clang"})
            self.assertEqual((result.returncode, result.stderr.count("\n")), (127, 1))
            self.assertIn(f"there is no '/no/such/clang', which {variable} names", result.stderr)

    def fake_compiler(self, version):
        """A compiler of the version that prints its arguments, and is going to link if they have a file."""
        path = os.path.join(self.root, "a compiler")
        with open(path, "w") as file:
            file.write(f'#!/bin/sh\n[ "$*" != -dumpversion ] || {{ echo {version}; exit; }}\n'
                       'case $* in *-###*x.c*) echo \'"-l:libompdsm.so.0"\' >&2 ;; *) echo "$*" ;; esac\n')
        os.chmod(path, 0o755)
        return path

    def test_configuration_is_that_of_the_version(self):
        for wrapper, variable in (("ompdsm-clang", "OMPDSM_CC"), ("ompdsm-clang++", "OMPDSM_CXX")):
            path = os.path.join(self.bin, wrapper)
            result = self.run_wrapper("x.c", wrapper=path, **{variable: self.fake_compiler("22.1.8")})
            self.assertEqual(result.stdout, f"--config={self.bin}/ompdsm.cfg x.c\n")
            result = self.run_wrapper("a", wrapper=path, **{variable: self.fake_compiler("19.1.7")})
            self.assertEqual(result.stdout, f"--config={self.bin}/ompdsm-19.cfg a\n")

    def test_older_version_gets_the_libraries_behind_the_objects_when_it_links(self):
        result = self.run_wrapper("x.c", OMPDSM_CC=self.fake_compiler("19.1.7"))
        self.assertEqual(result.stdout, f"--config={self.bin}/ompdsm-19.cfg x.c -lompdsm -Wl,-rpath,{self.bin}/../lib\n")

    def test_version_without_a_plugin_is_an_error_that_says_which_there_are(self):
        result = self.run_wrapper("x.c", OMPDSM_CC=self.fake_compiler("17.0.6"))
        self.assertEqual((result.returncode, result.stderr.count("\n")), (1, 1))
        self.assertIn("of version 17; there are plugins for clang 22 and 19", result.stderr)
        os.unlink(os.path.join(self.lib, "libompdsm-plugin-19.so"))
        result = self.run_wrapper("x.c", OMPDSM_CC=self.fake_compiler("19.1.7"))
        self.assertIn("of version 19; there are plugins for clang 22\n", result.stderr)

    def test_missing_plugin_is_named(self):
        os.unlink(os.path.join(self.lib, "libompdsm-plugin.so"))
        result = self.run_wrapper("-c", self.source)
        self.assertEqual(result.returncode, 1)
        self.assertIn("libompdsm-plugin.so' is missing", result.stderr)

    def test_exit_code_is_clangs(self):
        self.assertEqual(self.run_wrapper("/no/such/file.c", "-c").returncode, 1)


if __name__ == "__main__":
    main()
