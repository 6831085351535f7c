"""The shared data of a generated program: views, that is arrays of elements of one type, whatever they are stored in.

A view knows how its elements are named, read into a u32, and written from one. A field of an array of structures is a
view of its own, so that threads may write neighbouring fields.
"""
import dataclasses
import random

# Type, bytes. Floating-point values are whole numbers below 2^20, so that sums of them are exact in any order.
INTEGERS = [("unsigned char", 1), ("signed char", 1), ("short", 2), ("unsigned short", 2), ("int", 4), ("unsigned", 4),
            ("long long", 8), ("unsigned long long", 8)]
FLOATS = [("double", 8), ("float", 4)]
TYPES = INTEGERS + FLOATS


@dataclasses.dataclass(eq=False)
class View:
    name: str
    type: str
    count: int
    pattern: str  # An element, of {0}, the index in parentheses.
    start: str = ""  # Pointer to the first element, if they are contiguous.
    columns: int = 0  # Of a two-dimensional view; then count is a multiple.
    pieces: str = ""  # Name of the table of pieces, if it is cut in separately allocated ones,
    piece: int = 0  # and the elements of each.
    heap: str = ""  # Name of the pointer, if it is a file-scope pointer to one allocation.
    siblings: tuple = ()  # All fields of the structure that this is a field of.
    structure: str = ""  # Name of the array of structures.
    packed: bool = False  # Elements may lie at any address.

    @property
    def bytes(self):
        return dict(TYPES)[self.type]

    @property
    def floating(self):
        return self.type in ("double", "float")

    def at(self, index):
        return self.pattern.format(f"({index})")

    def read(self, index):
        """A u32 expression that depends on (nearly) all bits of the element."""
        element = self.at(index)
        if self.floating:
            return f"(u32)bitsOfDouble({element})"
        return f"(u32)((u64){element} >> 13)" if self.bytes == 8 else f"(u32){element}"

    def whole(self, index):
        """A u64 expression, for digests."""
        element = self.at(index)
        return f"bitsOfDouble({element})" if self.floating else f"(u64){element}"

    def value(self, expression):
        """The element's value for a u32 expression."""
        if self.floating:
            return f"({self.type})(({expression}) & 0xfffffu)"
        if self.bytes == 8:
            return f"({self.type})((u64)({expression}) * 0x100000801u)"
        return f"({self.type})({expression})"

    def write(self, index, expression):
        return f"{self.at(index)} = {self.value(expression)};"


@dataclasses.dataclass
class Storage:
    """One object of the program: what is declared where."""

    views: list
    declaration: str = ""  # At file scope.
    local: str = ""  # In main.
    parameter: str = ""  # Of each region's function, if it is local to main.
    argument: str = ""
    allocate: str = ""  # In main, at the beginning.
    release: str = ""  # In main, at the end.


def pick_count(rng: random.Random, favourites):
    """Most objects have one of the program's few favourite sizes, so that loops run over several."""
    if rng.random() < 0.7:
        return rng.choice(favourites)
    return rng.choice([1, 3, 7, 16, 33, 63, 130, 257, rng.randint(2, 700), rng.randint(500, 5000)])


def make_array(rng, number, favourites):
    name, (kind, size) = f"o{number}", rng.choice(TYPES)
    count = pick_count(rng, favourites)
    where = rng.choice(["global", "global", "aligned", "heap", "heap", "calloc", "stack", "pieces"])
    view = View(name, kind, count, name + "[{0}]", name)
    if where in ("global", "aligned"):
        alignment = "_Alignas(64) " if where == "aligned" else ""
        linkage = rng.choice(["static ", "static ", ""])
        return Storage([view], declaration=f"{linkage}{alignment}{kind} {name}[{count}];")
    if where == "stack":
        return Storage([view], local=f"{kind} {name}[{count}];", parameter=f"{kind} *{name}", argument=name)
    if where == "pieces":
        piece = rng.choice([1, 3, 17, 64, 100, 700])
        if count / piece > 150:
            piece = count // 40 + 1
        table = (count + piece - 1) // piece
        view.pattern, view.start, view.pieces, view.piece = f"{name}[{{0}} / {piece}][{{0}} % {piece}]", "", name, piece
        one = f"{name}[p] = malloc({piece} * sizeof({kind}));"
        return Storage([view], declaration=f"static {kind} *{name}[{table}];",
                       allocate=f"for (int p = 0; p < {table}; ++p)\n  {one}",
                       release=f"for (int p = 0; p < {table}; ++p)\n  free({name}[p]);")
    view.heap = name
    call = f"calloc({count}, sizeof({kind}))" if where == "calloc" else f"malloc({count} * sizeof({kind}))"
    return Storage([view], declaration=f"static {kind} *{name};", allocate=f"{name} = {call};", release=f"free({name});")


def make_table(rng, number, favourites):
    """Two dimensions."""
    name, (kind, size) = f"o{number}", rng.choice(TYPES)
    rows, columns = rng.choice([(8, 8), (5, 33), (20, 20), (64, 16), (31, 40), (16, 130)])
    view = View(name, kind, rows * columns, f"{name}[{{0}} / {columns}][{{0}} % {columns}]", f"&{name}[0][0]", columns)
    return Storage([view], declaration=f"static {kind} {name}[{rows}][{columns}];")


def make_structures(rng, number, favourites):
    name = f"o{number}"
    count = min(pick_count(rng, favourites), 700)
    packed = rng.random() < 0.35
    views, fields = [], ""
    for k in range(rng.randint(2, 5)):
        kind, _ = rng.choice(TYPES)
        fields += f" {kind} f{k};"
        views.append(View(f"{name}f{k}", kind, count, f"{name}[{{0}}].f{k}"))
    if rng.random() < 0.3:
        fields += f" char unused[{rng.choice([3, 60, 200])}];"
    for view in views:
        view.siblings, view.structure, view.packed = tuple(views), name, packed
    attribute = "__attribute__((packed)) " if packed else ""
    declaration = f"struct {attribute}s{number} {{{fields} }};\n"
    if rng.random() < 0.5:
        return Storage(views, declaration=declaration + f"static struct s{number} {name}[{count}];")
    return Storage(views, declaration=declaration + f"static struct s{number} *{name};",
                   allocate=f"{name} = malloc({count} * sizeof(struct s{number}));", release=f"free({name});")


def make_objects(rng):
    """The objects of a program."""
    favourites = [rng.choice([24, 60, 100]), rng.choice([200, 500, 1000]), rng.choice([300, 3000, 9000])]
    makers = [make_array] * 4 + [make_structures] * 2 + [make_table] * 2
    objects = [make_array(rng, 0, favourites), make_array(rng, 1, favourites), make_structures(rng, 2, favourites)]
    table = make_table(rng, 3, favourites)
    rows = table.views[0].count // table.views[0].columns
    twin = dataclasses.replace(table.views[0], name="o4", pattern=table.views[0].pattern.replace("o3", "o4"),
                               start="&o4[0][0]")
    objects += [table, Storage([twin], declaration=f"static {twin.type} o4[{rows}][{twin.columns}];")]
    for number in range(5, 5 + rng.randint(3, 7)):
        objects.append(rng.choice(makers)(rng, number, favourites))
    return objects
