"""One construct of a region while it is being written: its random choices, its expressions, what it asks of the program."""
import math
import random
import textwrap


def nest(head, body):
    """`head { body }` as lines."""
    return [head + " {"] + ["  " + line for line in body] + ["}"]


class Program:
    """What constructs add to the program outside of their region."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.globals = []  # Declarations at file scope.
        self.functions = []
        self.start = []  # Statements of main before the first region.
        self.end = []  # And after the last.
        self.tables = set()  # Sizes of permutations.
        self.guards = []
        self.parameters = self.arguments = ""  # By which functions get the objects of main.

    def permutation(self, count):
        """Name of a table of 0 to count - 1 in another order, constant in regions."""
        if count not in self.tables:
            self.tables.add(count)
            self.globals.append(f"static int permuted{count}[{count}];")
            stride = coprime(self.rng, count)
            self.start += [f"for (unsigned i = 0; i < {count}; ++i)",
                           f"  permuted{count}[i] = (int)((i * {stride}u + {self.rng.randrange(count)}u) % {count}u);"]
        return f"permuted{count}"


def coprime(rng, count):
    while True:
        stride = rng.randint(1, max(1, min(count, 500)))
        if math.gcd(stride, count) == 1:
            return stride


class Construct:
    def __init__(self, program, segment, region, number, views):
        self.program = program
        self.segment = segment
        self.region = region  # Has lists `shared` (declarations before the region) and `notes` (after it).
        self.rng = program.rng
        self.number = number
        self.tag = f"c{number}"
        self.views = views
        self.nowait = True

    @property
    def ending(self):
        return " nowait" if self.nowait else ""

    def constant(self):
        return f"{self.rng.randint(1, 0x7fffffff)}u"

    def schedule(self, count):
        chunk = self.rng.choice([1, 2, 3, 5, 8, 17, 64])
        large = max(chunk, count // 40 + 1)
        return self.rng.choice(["", " schedule(static)", f" schedule(static, {chunk})", f" schedule(static, {chunk})",
                                f" schedule(dynamic, {large})", f" schedule(guided, {large})",
                                f" schedule(monotonic: dynamic, {large})"])

    def index(self, view, i, count):
        """An index of `view` for the loop variable `i` below `count`, in one of several shapes."""
        forms = [f"((unsigned){i} * {coprime(self.rng, view.count)}u + {self.rng.randrange(view.count)}u) % {view.count}u"]
        if view.count >= count:
            forms += [i] * 4
            if view.count > 16:
                forms += [f"{self.program.permutation(view.count)}[{i}]"]
        if view.count > count:
            forms += [f"{i} + {self.rng.randint(1, view.count - count)}"] * 3
        if view.count * 4 >= count:
            forms += [f"{i} / {(count + view.count - 1) // view.count}"]
        return self.rng.choice(forms)

    def value(self, i, count, own=None):
        """A u32 expression of the loop variable and of elements that nobody writes now. `own` is an element that the
        iteration itself may read, as an expression."""
        i_part = f"(u32)({i}) * {self.constant()} + {self.constant()}"
        text = self.rng.choice([i_part, f"mix({i_part})"])
        for _ in range(self.rng.choice([0, 1, 1, 2, 3])):
            view = self.segment.source()
            term = view.read(self.index(view, i, count))
            text += self.rng.choice([f" + {term}", f" + {term} * {self.rng.randint(3, 99)}u", f" ^ ({term} >> 1)"])
        if own and self.rng.random() < 0.6:
            text += f" + {own} * 5u"
        return text

    def store(self, view, index, value):
        """A store of a new value, or one that mostly stores what is there."""
        if self.rng.random() < 0.25:
            every = self.rng.choice([3, 7, 50])
            element = view.at(index)
            return f"{element} = (({index}) % {every} == 1) ? {view.value(value)} : {element};"
        return view.write(index, value)

    def shared(self, kind, name, initial="0"):
        """A variable of the region's function that all threads share."""
        self.region.shared.append(f"{kind} {name} = {initial};")

    def note(self, name, expression=""):
        self.region.notes.append(f'note("{self.tag} {name}", (u64)({expression or name}));')

    def function(self, text):
        self.program.functions.append(textwrap.dedent(text).strip("\n"))
