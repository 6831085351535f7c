"""The lit test format of this directory: one test per program and configuration."""
import os

import lit.formats
import lit.Test

import runner

# Of the full matrix, a quick run takes so many configurations of each program, other ones for each.
QUICK = 1
# The programs that provoke the traps take these, because their traps need several nodes.
QUICK_TRAPS = [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)]
CANARY_SECONDS = 5


def quick_choice(index, name, rotation):
    """A deterministic part of the matrix; over all programs every configuration occurs often."""
    index += rotation
    direct = [runner.Configuration(runner.LEVELS[index % 2])]
    if name.startswith("trap-"):
        return direct + [
            runner.Configuration(
                runner.LEVELS[(index + k // 2) % 2], nodes, threads, runner.PROVIDERS[(index // 2 + k) % 2]
            )
            for k, (nodes, threads) in enumerate(QUICK_TRAPS)
        ]
    launched = [c for c in runner.all_configurations() if c.nodes]
    # 13 and 24 have no common divisor: neighbouring programs are far apart in the matrix.
    return direct + [launched[(index * QUICK + k) * 13 % len(launched)] for k in range(QUICK)]


def quick_language(index, rotation):
    """One configuration of several nodes for each program of language/."""
    launched = [c for c in runner.all_configurations() if c.nodes >= 2]
    return [launched[(index + rotation) * 13 % len(launched)]]


def canary_text(source):
    """What the runner must report of a program that is wrong on purpose."""
    with open(source) as file:
        for line in file:
            if line.startswith("// CANARY: "):
                return line[len("// CANARY: ") :].strip()
    raise ValueError(f"{source}: no line '// CANARY: <what the runner must report>'")


def environment_of(source):
    """The variables that the program asks for in lines "// ENVIRONMENT: NAME=VALUE"."""
    with open(source) as file:
        lines = [line.strip() for line in file if line.startswith("// ENVIRONMENT: ")]
    return dict(line[len("// ENVIRONMENT: ") :].split("=", 1) for line in lines)


class ProgramFormat(lit.formats.TestFormat):
    def __init__(self, tools, directory, matrix, rotation):
        self.tools = tools
        self.directory = directory
        self.matrix = matrix
        self.rotation = rotation

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        here = suite.getSourcePath(path_in_suite)
        canary = path_in_suite[-1:] == ("canary",)
        programs = sorted(n for n in os.listdir(here) if n.endswith((".c", ".cpp")))
        for index, name in enumerate(programs):
            if canary:
                configurations = [
                    runner.Configuration("O0"),
                    runner.Configuration("O3", 2, 1, "shm"),
                ]
            elif self.matrix == "full":
                configurations = runner.all_configurations()
            elif path_in_suite[-1:] == ("language",):
                configurations = quick_language(index, self.rotation)
            else:
                configurations = quick_choice(index, name, self.rotation)
            for configuration in configurations:
                path = path_in_suite + (name, configuration.name())
                test = lit.Test.Test(suite, path, local_config)
                test.ompdsm = (os.path.join(here, name), configuration, canary)
                yield test

    def execute(self, test, lit_config):
        source, configuration, canary = test.ompdsm
        try:
            program = runner.build(source, configuration.level, self.tools, self.directory)
        except runner.BuildFailed as failure:
            return lit.Test.FAIL, f"does not build: {failure}"
        if not canary:
            wrong = runner.run(program, configuration, self.tools, variables=environment_of(source))
            return (lit.Test.FAIL, wrong) if wrong else (lit.Test.PASS, "")
        expected = canary_text(source)
        wrong = runner.run(program, configuration, self.tools, seconds=CANARY_SECONDS)
        if wrong and expected in wrong:
            return lit.Test.PASS, ""
        return lit.Test.FAIL, f"the runner did not report '{expected}' but: {wrong}"
