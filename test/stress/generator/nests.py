"""Loop nests whose checks stand in front of them, or of which there is a copy without: sections with strides, several at
once, overwritten ones, objects that loops gather from again and again, member pointers, functions that are not inlined,
searches."""
import dataclasses

from .construct import coprime, nest


def gathered_again(c):
    """Elements at computed places of an object that is written between two rounds, so that it is missing again."""
    source = c.segment.write(lambda v: v.count > 60)
    target = c.segment.write(lambda v: v.count > 8)
    reads, stride = c.rng.choice([1, 4, 12]), coprime(c.rng, source.count)
    span = c.rng.choice([source.count, source.count, max(1, source.count // 20)])  # Of which much or little is read.
    place = f"(int)((unsigned)(i * {reads} + k) * {stride}u % {span}u)"
    write = [source.write("i", f"{source.read('i')} * 3u + (u32)(i + round)")]
    gather = ["u32 sum = (u32)round;", f"for (int k = 0; k < {reads}; ++k)",
              f"  sum = sum * 5u + {source.read(place)};", target.write("i", "sum")]
    if c.rng.random() < 0.3:  # Some elements only.
        gather = nest(f"if (mix((u32)i) % 3 != 0)", gather)
    body = ["#pragma omp for schedule(static)"] + nest(f"for (int i = 0; i < {source.count}; ++i)", write)
    body += [f"#pragma omp for{c.schedule(target.count)}"] + nest(f"for (int i = 0; i < {target.count}; ++i)", gather)
    return nest(f"for (int round = 0; round < {c.rng.choice([2, 4, 7])}; ++round)", body)


def parts_of_rows(c):
    """Part of each row of a table, from the same part of others, in one nest: sections of rows that lie apart."""
    view = c.segment.write(lambda v: v.columns)
    rows, columns = view.count // view.columns, view.columns
    first = c.rng.randrange(columns - 1)
    last = c.rng.randint(first + 1, columns)
    terms = [c.constant()]
    for _ in range(c.rng.choice([1, 2, 3, 5])):
        source = c.segment.source(lambda v: v.count >= 2)
        if source.columns and source.count >= view.count and source.columns == columns:
            terms.append(source.read(f"r * {columns} + s"))
        elif source.count >= columns:
            terms.append(source.read(c.rng.choice(["s", f"{columns - 1} - s"])) + " * 3u")
        else:
            terms.append(source.read(f"s % {source.count}"))
    outer = c.rng.choice([f"for (int r = 0; r < {rows}; ++r)", f"for (int r = {rows - 1}; r >= 0; --r)"])
    inner = nest(f"for (int s = {first}; s < {last}; ++s)", [view.write(f"r * {columns} + s", " + ".join(terms))])
    return [f"#pragma omp for{c.schedule(rows)}{c.ending}", outer] + ["  " + line for line in inner]


def columns_of_a_table(c):
    """Sums over columns, which are sections of single elements."""
    source = c.segment.source(lambda v: v.columns)
    rows, columns = source.count // source.columns, source.columns
    target = c.segment.write(lambda v: v.count >= columns)
    step = c.rng.choice([1, 1, 2, 3])
    body = ["u32 sum = 0;", f"for (int r = 0; r < {rows}; r += {step})",
            f"  sum = sum * 3u + {source.read(f'r * {columns} + s')};", target.write("s", "sum")]
    return [f"#pragma omp for{c.schedule(columns)}{c.ending}"] + nest(f"for (int s = 0; s < {columns}; ++s)", body)


def members(c):
    """A function that is not inlined, with pointers that are members of a structure."""
    view = c.segment.write(lambda v: v.start and v.count > 8)
    source = c.segment.source(lambda v: v.start)
    name = f"m{c.number}"
    c.program.globals.append(f"struct {name} {{\n  int count, first;\n  {view.type} *to;\n  const {source.type} *from;\n}};")
    to = dataclasses.replace(view, pattern="m->to[{0}]")
    origin = dataclasses.replace(source, pattern="m->from[{0}]")
    place = f"(int)((unsigned)k * {coprime(c.rng, source.count)}u % {source.count}u)"
    times = c.rng.choice([1, 1, 3])
    inner = [to.write("m->first + k", f"{origin.read(place)} * {c.constant()} + (u32)k")]
    if times > 1:
        inner = ["u32 sum = 0;", f"for (int t = 0; t < {times}; ++t)",
                 f"  sum = sum * 7u + {origin.read(f'(int)((unsigned)(k + t * 5) % {source.count}u)')};",
                 to.write("m->first + k", "sum")]
    text = nest(f"static __attribute__((noinline)) void work_{name}(const struct {name} *m)",
                nest("for (int k = 0; k < m->count; ++k)", inner))
    c.function("\n".join(text))
    run = max(c.rng.choice([3, 40, 200]), view.count // 100)
    pieces = (view.count + run - 1) // run
    body = [f"int first = p * {run};", f"int count = {view.count} - first < {run} ? {view.count} - first : {run};",
            f"struct {name} mine = {{count, first, {view.start}, {source.start}}};", f"work_{name}(&mine);"]
    return [f"#pragma omp for{c.schedule(pieces)}{c.ending}"] + nest(f"for (int p = 0; p < {pieces}; ++p)", body)


def searched(c):
    """The first place with some property: loops whose length nobody knows before."""
    source = c.segment.source(lambda v: v.count > 10)
    target = c.segment.write()
    count, step = min(target.count, 300), c.rng.choice([1, 1, 7])
    found = f"(({source.read('k')} ^ (u32)i) & {c.rng.choice([3, 15, 255])}u) == 0"
    body = [f"int k = i % {source.count};", f"while (k < {source.count} && !({found}))", f"  k += {step};", target.write("i", "(u32)k")]
    return [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", body)


def scaled_by_a_global(c):
    """Functions that are not inlined and read globals, besides what their arguments point to; one is recursive."""
    source = c.segment.source(lambda v: v.start and v.count > 4)
    target = c.segment.write(lambda v: v.count > 8)
    factors, name = f"factors{c.number}", f"scaled{c.number}"
    c.program.globals.append(f"static u32 {factors}[40];")
    c.program.start += [f"for (u32 k = 0; k < 40; ++k)", f"  {factors}[k] = mix(k + {c.constant()});"]
    from_ = dataclasses.replace(source, pattern="from[{0}]")
    body = [f"return {from_.read('k')} * {factors}[k % 40] + {factors}[7];"]
    if c.rng.random() < 0.4:
        body = ["if (k > 3)", f"  return {name}(from, k / 2) * {factors}[k % 40] + {from_.read('k')};"] + body
    c.function("\n".join(nest(f"static __attribute__((noinline)) u32 {name}(const {source.type} *from, int k)", body)))
    call = f"{name}({source.start}, (int)((unsigned)i * {coprime(c.rng, source.count)}u % {source.count}u))"
    return ([f"#pragma omp for{c.schedule(target.count)}{c.ending}"]
            + nest(f"for (int i = 0; i < {target.count}; ++i)", [target.write("i", call)]))


def overwritten_parts(c):
    """Each thread overwrites its part, from several objects and other places than it will read next."""
    view = c.segment.write(lambda v: v.start and v.count > 20)
    sources = [c.segment.source(lambda v: v.start and v.count >= view.count) for _ in range(c.rng.choice([1, 2, 4]))]
    name = f"overwrite{c.number}"
    parameters = [f"{view.type} *to"] + [f"const {s.type} *from{n}" for n, s in enumerate(sources)] + ["int first, int last"]
    terms = [dataclasses.replace(s, pattern=f"from{n}[{{0}}]").read(c.rng.choice(["k", f"{view.count - 1} - k"]))
             for n, s in enumerate(sources)]
    store = dataclasses.replace(view, pattern="to[{0}]").write("k", " * 3u + ".join(terms))
    head = f"static {c.rng.choice(['', '__attribute__((noinline)) '])}void {name}({', '.join(parameters)})"
    c.function("\n".join(nest(head, nest("for (int k = first; k < last; ++k)", [store]))))
    starts = ", ".join(s.start for s in [view] + sources)
    part = f"{view.count} * me / threads, {view.count} * (me + 1) / threads"
    return [f"{name}({starts}, {part});"]


ALL = [(gathered_again, 4), (parts_of_rows, 3), (columns_of_a_table, 2), (members, 2), (searched, 2), (scaled_by_a_global, 2),
       (overwritten_parts, 3)]
