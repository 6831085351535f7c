"""The lit test format of this directory: one test per seed, and the canary."""
import os

import lit.formats
import lit.Test

import cases

CANARY = "canary"
# Of so many seeds, the protocol of one run is replayed by its core.
REPLAYED = 10


class SeedsFormat(lit.formats.TestFormat):
    def __init__(self, build, first, seeds):
        self.build = build
        self.seeds = range(first, first + seeds)

    def getTestsForPath(self, suite, path_in_suite, lit_config, local_config):
        yield from self.getTestsInDirectory(suite, path_in_suite, lit_config, local_config)

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        if path_in_suite:
            return
        for name in [CANARY] + [f"seed-{seed}" for seed in self.seeds]:
            yield lit.Test.Test(suite, (name,), local_config)

    def execute(self, test, lit_config):
        name = test.path_in_suite[-1]
        if name == CANARY:
            return self.canary()
        seed = int(name.removeprefix("seed-"))
        replay = seed % REPLAYED == 0 and os.path.exists(os.path.join(self.build, "bin", "ompdsm-check"))
        wrong = cases.run(cases.case_of(seed, replay=replay), self.build)
        if wrong is None:
            return lit.Test.PASS, ""
        again = f"test/stress/stress --runs 1 --first-seed {seed} --repeat 20" + " --replay" * replay
        return lit.Test.FAIL, f"{wrong}\nrepeat it with: {again}"

    def canary(self):
        """A program of which one node changes one element must be found to be wrong."""
        case = cases.case_of(1, defines=("STRESS_CANARY",), delay="")
        wrong = cases.run(case, self.build, directory=f"{self.build}/test/stress/canary")
        if wrong and "+at the end o0 " in wrong and "-failed checks" not in wrong:
            return lit.Test.PASS, ""
        return lit.Test.FAIL, f"the comparison did not report the changed element of o0, but: {wrong}"
