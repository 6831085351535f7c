"""The kernels of bench/checks: which there are, and how one is built by the plain compiler and by ompdsm's."""
import os
import shutil

from programs import Failure, build_program

HERE = os.path.dirname(os.path.abspath(__file__))
DIRECTORY = os.path.join(HERE, "kernels")
OPTIONS = ["-O3", "-march=native", "-fopenmp"]
# By suffix: the plain compiler, ompdsm's wrapper of it, options of the language, libraries.
LANGUAGES = {
    ".c": ("clang-22", "ompdsm-clang", ["-std=gnu17"], ["-lm"]),
    ".cpp": ("clang++-22", "ompdsm-clang++", ["-std=c++20"], ["-lm"]),
    ".f90": ("flang-22", "ompdsm-flang", [], []),
}
# The remarks of llvm-pass/CheckHoisting.cpp. What they say of the header that all kernels include is not counted.
REMARK_OPTIONS = ["-Rpass=ompdsm", "-Rpass-missed=ompdsm"]
HOISTED, LEFT = "remark: check moved in front of the loop", "remark: check stays in the loop"
COMMON_HEADER = "kernel.h:"


class Kernel:
    """One source file; after build(), two programs and what building them has shown."""

    def __init__(self, path):
        self.path = path
        self.name, self.suffix = os.path.splitext(os.path.basename(path))
        self.plain = self.checked = None  # paths of the programs
        self.hoisted = self.left = 0  # checks, by the compiler's remarks

    def compilers(self, tools):
        """The plain compiler and ompdsm's, whose wrappers are in the directory `tools`."""
        plain, wrapper, _, _ = LANGUAGES[self.suffix]
        return plain, os.path.join(tools, wrapper)

    def build(self, tools, work):
        """Builds both programs below `work`; returns the two compilers' user seconds."""
        plain, wrapper = self.compilers(tools)
        self.plain = os.path.join(work, self.name + "-plain")
        self.checked = os.path.join(work, self.name + "-checked")
        return self._compile(plain, self.plain, [])[0], self._compile(wrapper, self.checked, [])[0]

    def remarks(self, tools, work):
        """What ompdsm's compiler says of the checks in loops."""
        _, wrapper = self.compilers(tools)
        return self._compile(wrapper, os.path.join(work, self.name + ".o"), [*REMARK_OPTIONS, "-c"])[1]

    def count_remarks(self, tools, work):
        """Sets the numbers of checks that left a loop and that did not."""
        own = [line for line in self.remarks(tools, work).splitlines() if COMMON_HEADER not in line]
        self.hoisted = sum(HOISTED in line for line in own)
        self.left = sum(LEFT in line for line in own)

    def _compile(self, compiler, output, further):
        """User seconds and what the compiler said."""
        _, _, language, libraries = LANGUAGES[self.suffix]
        command = [compiler, *OPTIONS, *language, *further, self.path, "-o", output]
        if self.suffix == ".f90":  # modules must not end up where the caller stands
            directory = output + ".modules"
            os.makedirs(directory, exist_ok=True)
            command += ["-module-dir", directory]
        return build_program([*command, *([] if "-c" in further else libraries)], self.path)


def find(directory, names):
    """All kernels of a directory, or those named; returns them and the names of those that have no compiler here."""
    if not os.path.isdir(directory):
        raise Failure(f"there is no directory '{directory}'")
    found = {}
    for file in sorted(os.listdir(directory)):
        kernel = Kernel(os.path.join(directory, file))
        if kernel.suffix in LANGUAGES:
            found[kernel.name] = kernel
    if not found:
        raise Failure(f"'{directory}' has no kernel (a file that ends with {', '.join(LANGUAGES)})")
    for name in names:
        if name not in found:
            raise Failure(f"there is no kernel '{name}'; there are {', '.join(found)}")
    chosen = [found[name] for name in names] if names else list(found.values())
    usable = [kernel for kernel in chosen if shutil.which(LANGUAGES[kernel.suffix][0])]
    return usable, [kernel.name for kernel in chosen if kernel not in usable]
