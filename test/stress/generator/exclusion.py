"""Locks, critical sections, atomics and turns that threads hand to each other."""
from .construct import nest
from .segment import Unsuitable


class Guard:
    """A lock and the data that is only touched under it: two arrays that go together, a sum and a list."""

    def __init__(self, program, number):
        rng = program.rng
        self.name, self.size = f"guarded{number}", rng.choice([1, 5, 16, 40])
        self.kind = rng.choice(["critical", "lock", "nest_lock"])
        self.tries = self.kind == "lock" and rng.random() < 0.3
        self.element = rng.choice(["u32", "u64", "unsigned char", "unsigned short"])
        lock = "" if self.kind == "critical" else f"  omp_{self.kind}_t lock;\n"
        program.globals.append(
            f"struct {self.name}_node {{ u32 value; struct {self.name}_node *next; }};\n"
            f"static struct {{\n{lock}  {self.element} one[{self.size}], thrice[{self.size}];\n  u32 sum, pushed, popped;\n"
            f"  struct {self.name}_node *head;\n}} {self.name};")
        if lock:
            program.start.append(f"omp_init_{self.kind}(&{self.name}.lock);")
            program.end.append(f"omp_destroy_{self.kind}(&{self.name}.lock);")
        program.end += [f"for (int k = 0; k < {self.size}; ++k)",
                        f"  CHECK(({self.element}){self.name}.thrice[k] == ({self.element})(3 * {self.name}.one[k]));",
                        f'note("{self.name} sum", {self.name}.sum);', f'note("{self.name} pushed", {self.name}.pushed);',
                        f"for (int k = 0; k < {self.size}; ++k)", f'  note("{self.name} one", {self.name}.one[k]);',
                        f"u32 {self.name}_left = 0;",
                        f"for (struct {self.name}_node *n = {self.name}.head; n; n = n->next)",
                        f"  {self.name}_left += n->value;", f'note("{self.name} list", {self.name}.popped + {self.name}_left);']

    def holding(self, body):
        if self.kind == "critical":
            return [f"#pragma omp critical({self.name}_lock)"] + nest("", body)
        lock = f"_{self.kind}(&{self.name}.lock);"
        if self.kind == "nest_lock":
            body = ["omp_set" + lock] + body + ["omp_unset" + lock]
        wait = "while (!omp_test" + lock.removesuffix(";") + ")\n  ;" if self.tries else "omp_set" + lock
        return [wait] + body + ["omp_unset" + lock]


def guard(c):
    guards = c.program.guards
    if not guards or (len(guards) < 3 and c.rng.random() < 0.3):
        guards.append(Guard(c.program, len(guards)))
    return c.rng.choice(guards)


def guarded_sums(c):
    """Both arrays of a guard change together, and are seen to."""
    g = guard(c)
    count = c.rng.choice([6, 12, 30])
    name, kind = g.name, g.element
    held = [f"int k = (int)(x % {g.size});", f"CHECK(({kind}){name}.thrice[k] == ({kind})(3 * {name}.one[k]));",
            f"{name}.one[k] = ({kind})({name}.one[k] + x);", f"{name}.thrice[k] = ({kind})({name}.thrice[k] + 3 * ({kind})x);",
            f"{name}.sum += x;"]
    body = [f"u32 x = {c.value('i', count)};"] + g.holding(nest("", held))
    return [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", body)


def guarded_list(c):
    """Nodes made by one thread, pushed, popped and freed by another."""
    g = guard(c)
    count = c.rng.choice([5, 10, 24])
    node = f"struct {g.name}_node"
    push = [f"{node} *n = malloc(sizeof *n);", f"n->value = {c.value('i', count)};"]
    push += g.holding([f"n->next = {g.name}.head;", f"{g.name}.head = n;", f"++{g.name}.pushed;"])
    pop = [f"{node} *n = 0;"]
    pop += g.holding(nest("", [f"n = {g.name}.head;", "if (n) {", f"  {g.name}.head = n->next;",
                               f"  {g.name}.popped += n->value;", "}"]))
    pop += ["free(n);"]
    lines = [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", push)
    pops = c.rng.randint(1, count)
    return lines + [f"#pragma omp for{c.schedule(pops)}{c.ending}"] + nest(f"for (int i = 0; i < {pops}; ++i)", pop)


def atomics(c):
    """Atomic updates, in any order, of elements that share words."""
    view = c.segment.write(lambda v: not v.packed)
    count = c.rng.choice([10, 40, 100])
    operation = "+=" if view.floating else c.rng.choice(["+=", "^=", "-="])
    flags = c.rng.choice(["", " update", " seq_cst", " relaxed", " release"])
    target = view.at("k")
    body = [f"int k = (int)(mix((u32)i + {c.constant()}) % {min(view.count, c.rng.choice([1, 3, 20, 5000]))}u);",
            f"{view.type} x = ({view.type})(({c.value('i', count)}) & {'15' if view.floating else '0xffffffff'}u);",
            f"#pragma omp atomic{flags}", f"{target} {operation} x;"]
    return [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", body)


def tickets(c):
    """Each captured number is somebody's alone."""
    view = c.segment.write()
    count = min(view.count, 40)
    kind = c.rng.choice(["int", "unsigned char", "short", "long long"])
    ticket = f"ticket{c.number}"
    if c.rng.random() < 0.5:
        c.shared(kind, ticket)
    else:
        c.program.globals.append(f"static {kind} {ticket};")
        c.region.shared.append(f"{ticket} = 0;")
    c.note(ticket)
    flags = c.rng.choice(["", " seq_cst"])
    body = [f"{kind} t;", f"#pragma omp atomic capture{flags}"]
    body += c.rng.choice([[f"t = {ticket}++;"], nest("", [f"t = {ticket};", f"{ticket} += 1;"])])
    body += [view.write("(int)t", f"mix((u32)t) + {c.constant()}")]
    return [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", body)


def chain(c):
    """Step k of a chain is done by whoever has iteration k, after step k - 1, on data that all steps touch."""
    view = c.segment.write()
    steps = c.rng.choice([8, 15, 24])
    turn = f"turn{c.number}"
    step = [f"u32 x = {c.value('i', steps)};",
            f"for (int k = i % 3; k < {min(view.count, c.rng.choice([1, 5, 40, 300]))}; k += {c.rng.randint(1, 4)})",
            "  " + view.write("k", f"{view.read('k')} * 3u + x + (u32)k"),
            view.write(f"(i * 7) % {view.count}", f"{view.read(f'(i * 11) % {view.count}')} + x")]
    kind = c.rng.choice(["lock", "lock", "nest_lock", "atomic", "flush", "capture"])
    c.program.globals.append(f"static int {turn};")
    c.region.shared.append(f"{turn} = 0;")
    if "lock" in kind:
        lock = f"lock{c.number}"
        c.program.globals.append(f"static omp_{kind}_t {lock};")
        c.program.start.append(f"omp_init_{kind}(&{lock});")
        c.program.end.append(f"omp_destroy_{kind}(&{lock});")
        wait = ["for (int done = 0; !done;) {", f"  omp_set_{kind}(&{lock});", f"  if ({turn} == i) {{"]
        wait += ["    " + line for line in step] + [f"    {turn} = i + 1;", "    done = 1;", "  }", f"  omp_unset_{kind}(&{lock});", "}"]
        body = wait
    else:
        # The plain flush is unknown to the thread sanitizer, which gets the stronger atomics.
        loaded, stored = {"atomic": ("read seq_cst", "write seq_cst"), "capture": ("read acquire", "update release"),
                          "flush": ("READ_BEFORE_FLUSH", "WRITE_AFTER_FLUSH")}[kind]
        body = ["int now;", "do {"]
        flush = "#pragma omp flush"
        if kind == "flush":
            body += ["#ifdef STRESS_SANITIZED", "#pragma omp atomic read seq_cst", "#else", "#pragma omp atomic read", "#endif",
                     f"  now = {turn};", "} while (now != i);", flush] + step + [flush]
            body += ["#ifdef STRESS_SANITIZED", "#pragma omp atomic write seq_cst", "#else", "#pragma omp atomic write", "#endif",
                     f"{turn} = i + 1;"]
        else:
            body += [f"#pragma omp atomic {loaded}", f"  now = {turn};", "} while (now != i);"] + step
            body += [f"#pragma omp atomic {stored}", f"{turn} = i + 1;" if kind == "atomic" else f"{turn} += 1;"]
    return [f"#pragma omp for schedule(static, 1){c.ending}"] + nest(f"for (int i = 0; i < {steps}; ++i)", body)


ALL = [(guarded_sums, 4), (guarded_list, 3), (atomics, 4), (tickets, 2), (chain, 4)]
