"""A whole program from a seed."""
from . import exclusion, gathering, loops, neighbours, nests, views
from .construct import Construct, Program, nest
from .segment import Segment, Unsuitable

CONSTRUCTS = loops.ALL + exclusion.ALL + gathering.ALL + neighbours.ALL + nests.ALL


class Region:
    def __init__(self):
        self.shared, self.notes, self.lines = [], [], []


class Writer:
    """Puts a program together. Constructs whose numbers are in `dropped` take part in all choices, but leave no text."""

    def __init__(self, seed, dropped):
        self.program = Program(seed)
        self.rng = self.program.rng
        self.dropped = dropped
        self.count = 0  # Constructs so far.
        self.objects = views.make_objects(self.rng)
        self.views = [view for storage in self.objects for view in storage.views]
        self.parameters = ", ".join(s.parameter for s in self.objects if s.parameter) or "void"
        self.program.parameters = self.parameters
        self.program.arguments = self.arguments = ", ".join(s.argument for s in self.objects if s.argument)

    def kept(self, lines):
        """Lines of the next thing that can be dropped."""
        number, self.count = self.count, self.count + 1
        return [] if number in self.dropped else [f"// {number}"] + lines

    def construct(self, make, segment, region, nowait):
        c = Construct(self.program, segment, region, self.count, self.views)
        c.nowait = nowait
        try:
            return self.kept(make(c))
        except Unsuitable:
            return []

    def segment_of(self, region):
        segment = Segment(self.rng, self.views)
        makers, weights = zip(*CONSTRUCTS)
        lines = []
        for make in self.rng.choices(makers, weights, k=self.rng.choice([1, 1, 2, 2, 3])):
            lines += self.construct(make, segment, region, nowait=True)
        return lines + ["#pragma omp barrier"]

    def brief_regions(self, region):
        """A loop that is a region by itself, some times."""
        segment = Segment(self.rng, self.views)
        lines = self.construct(self.rng.choice([loops.contiguous, loops.permuted, loops.copied]), segment, region, False)
        lines = [line.replace("omp for", "omp parallel for") for line in lines]
        return nest(f"for (int again = 0; again < {self.rng.choice([1, 2, 5])}; ++again)", lines)

    def region(self, number):
        region = Region()
        if self.rng.random() < 0.2:
            region.lines = self.brief_regions(region)
        else:
            body = ["int me = omp_get_thread_num(), threads = omp_get_num_threads();", "(void)me, (void)threads;"]
            for _ in range(self.rng.randint(1, 4)):
                body += self.segment_of(region)
            team = self.rng.choice(["", "", "", f" num_threads({self.rng.randint(1, 9)})", " if(0)"])
            region.lines = nest("", [f"#pragma omp parallel{team}"] + nest("", body))
        text = [f"static void region{number}({self.parameters}) {{"]
        text += ["  " + line for line in region.shared + region.lines + region.notes] + ["}"]
        self.program.functions.append("\n".join(text))

    def serial(self):
        """What the initial thread does between two regions."""
        view = self.rng.choice(self.views)
        step = self.rng.choice([1, 1, 3, 40])
        write = [f"for (int k = 0; k < {view.count}; k += {step})",
                 "  " + view.write("k", f"{view.read('k')} + (u32)k * {self.rng.randint(1, 999)}u")]
        digest = [f'note("between regions {view.name}", digest_{view.name}({self.arguments}));']
        tables = sorted(self.program.tables)
        turn = []
        if tables:
            size = self.rng.choice(tables)
            turn = [f"for (int k = 0; k < {size}; ++k)", f"  permuted{size}[k] = (permuted{size}[k] + 1) % {size};"]
        fresh = []
        heaps = [v for v in self.views if v.heap]
        if heaps:
            v = self.rng.choice(heaps)
            fresh = [f"free({v.heap});", f"{v.heap} = malloc({v.count} * sizeof({v.type}));",
                     f"for (int k = 0; k < {v.count}; ++k)", "  " + v.write("k", f"(u32)k * {self.rng.randint(1, 999)}u")]
        return self.kept(self.rng.choice([[], write, digest, turn, fresh]))

    def initial(self, view):
        """Statements that give all elements a value, by the initial thread or by all."""
        value = view.write("k", f"mix((u32)k + {self.rng.randint(1, 10**9)}u)")
        head = self.rng.choice(["", "", "#pragma omp parallel for", "#pragma omp parallel for schedule(static, 7)"])
        return ([head] if head else []) + [f"for (int k = 0; k < {view.count}; ++k)", "  " + value]

    def digest(self, view):
        parameters = self.parameters
        return "\n".join([f"static u64 digest_{view.name}({parameters}) {{", "  u64 digest = 0;",
                          f"  for (int k = 0; k < {view.count}; ++k)", f"    digest = digest * 0x100000001b3u + {view.whole('k')};",
                          "  return digest;", "}"])

    def last_region(self):
        """All threads must see what the initial thread sees."""
        body, before, dump = [], [], []
        for view in self.views:
            before += [f"u64 {view.name}_digest = digest_{view.name}({self.arguments});",
                       f'note("at the end {view.name}", {view.name}_digest);']
            if view.count * view.bytes < 3000 or self.rng.random() < 0.3:
                body += [f"CHECK(digest_{view.name}({self.arguments}) == {view.name}_digest);"]
            dump += [f"for (int k = 0; k < {view.count}; ++k)",
                     f'  printf("{view.name}[%d] %llx\\n", k, (unsigned long long){view.whole("k")});']
        view = self.views[0]
        canary = ["#ifdef STRESS_CANARY", "#pragma omp masked", "  " + view.write(view.count - 1, view.read(view.count - 1) + " + 1u"),
                  "#pragma omp barrier", "#endif"]
        return (["#pragma omp parallel"] + nest("", ["#pragma omp barrier"] + canary) + before + ["#pragma omp parallel"] + nest("", body)
                + ["#ifdef STRESS_DUMP"] + dump + ["#endif"])

    def main(self, regions):
        body = [s.local for s in self.objects if s.local]
        body += [line for s in self.objects for line in s.allocate.splitlines() if line]
        for view in self.views:
            body += self.initial(view)
        calls = []
        for number in range(regions):
            times = self.rng.choice([1, 1, 1, 2, 4])  # What is repeated is predicted, and its pages move.
            calls += [f"for (int again = 0; again < {times}; ++again)", f"  region{number}({self.arguments});"] + self.serial()
        last = self.last_region()
        body += self.program.start + calls + last + self.program.end
        body += [line for s in self.objects for line in s.release.splitlines() if line]
        body += ['note("failed checks", wrong);', "return 0;"]
        return "\n".join(nest("int main(void)", body))

    def text(self):
        digests = [self.digest(view) for view in self.views]
        regions = self.rng.randint(3, 6)
        for number in range(regions):
            self.region(number)
        main = self.main(regions)
        declarations = [s.declaration for s in self.objects if s.declaration] + self.program.globals
        parts = ['#include "stress.h"\n'] + declarations + [""] + digests + self.program.functions + [main]
        return "\n".join(parts) + "\n"


def generate(seed, dropped=frozenset()):
    """(source, number of things that can be dropped)."""
    writer = Writer(seed, frozenset(dropped))
    return writer.text(), writer.count
