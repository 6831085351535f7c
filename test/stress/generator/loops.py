"""Worksharing loops over views, in the shapes in which programs walk through memory."""
from .construct import coprime, nest
from .segment import Unsuitable


def contiguous(c):
    """for (i) a[i] = f(b[i], b[i + k], ...), whole or every so-manieth element."""
    stride, offset = 1, 0
    if c.rng.random() < 0.35:
        view, stride, offset = c.segment.write_part()
    else:
        view = c.segment.write()
    count = (view.count - offset + stride - 1) // stride
    index = f"i * {stride} + {offset}" if stride > 1 else "i"
    body = [c.store(view, index, c.value("i", count, view.read(index)))]
    if c.rng.random() < 0.2:
        body = nest(f"if (mix((u32)i) % {c.rng.choice([2, 5])} == 0)", body)
    head = f"for (int i = 0; i < {count}; ++i)"
    if c.rng.random() < 0.2:
        head = f"for (int i = {count - 1}; i >= 0; --i)"
    return [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(head, body)


def permuted(c):
    """a[permutation[i]] = ..., or the permutation as arithmetic."""
    view = c.segment.write(lambda v: v.count > 3)
    index = f"{c.program.permutation(view.count)}[i]"
    if c.rng.random() < 0.4:
        index = f"(int)(((unsigned)i * {coprime(c.rng, view.count)}u + 1u) % {view.count}u)"
    body = ["int k = " + index + ";", c.store(view, "k", c.value("i", view.count, view.read("k")))]
    return [f"#pragma omp for{c.schedule(view.count)}{c.ending}"] + nest(f"for (int i = 0; i < {view.count}; ++i)", body)


def by_thread(c):
    """Elements, or runs of them, dealt to the threads by their numbers."""
    view = c.segment.write()
    run = c.rng.choice([1, 1, 2, 3, 16, 70])
    value = c.store(view, "i", c.value("i", view.count, view.read("i")))
    inner = nest(f"for (int i = first; i < first + {run} && i < {view.count}; ++i)", [value])
    return nest(f"for (int first = me * {run}; first < {view.count}; first += threads * {run})", inner)


def same_schedule(c):
    """Two static loops without a barrier between: each thread gets the same elements."""
    view = c.segment.write()
    other = c.segment.write(lambda v: v.count >= view.count)
    chunk = c.rng.choice(["", ", 1", ", 5"])
    lines = []
    for target, value in ((view, c.value("i", view.count)), (other, view.read("i") + " * 3u + " + c.constant()),
                          (view, view.read("i") + " ^ " + other.read("i"))):
        lines += [f"#pragma omp for schedule(static{chunk}) nowait"]
        lines += nest(f"for (int i = 0; i < {view.count}; ++i)", [target.write("i", value)])
    return lines


def copied(c):
    """b = a in a vectorised loop, and back: the second stores what is there."""
    target = c.segment.write()
    source = c.segment.source(lambda v: v.count >= target.count and v.type == target.type)
    lines = [f"#pragma omp for schedule(static){c.ending}"]
    return lines + nest(f"for (int i = 0; i < {target.count}; ++i)", [f"{target.at('i')} = {source.at('i')};"])


def tiles(c):
    """A five-point stencil from one table to another, some times to and fro."""
    view = c.segment.write(lambda v: v.columns)
    others = [v for v in c.views if v.columns == view.columns and v.count == view.count and v is not view]
    others = [v for v in others if c.segment.claim(v)]
    if not others:
        raise Unsuitable
    rows, columns = view.count // view.columns, view.columns
    lines, pair = [], (view, others[0])
    for _ in range(c.rng.choice([1, 2, 4])):
        to, source = pair
        near = " + ".join(source.read(f"(r + {dr}) * {columns} + s + {ds}")
                          for dr, ds in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)))
        body = [to.write(f"r * {columns} + s", near + f" + {c.constant()}")]
        inner = nest(f"for (int s = 1; s < {columns - 1}; ++s)", body)
        collapse = c.rng.choice(["", " collapse(2)"])
        lines += [f"#pragma omp for{collapse}{c.schedule(rows)}"]
        lines += [f"for (int r = 1; r < {rows - 1}; ++r)"] + ["  " + line for line in inner]
        pair = pair[1], pair[0]
    return lines


def functions_on_runs(c):
    """Runs of elements given to a function by pointers; it copies, fills or computes, by itself or with memcpy."""
    view = c.segment.write(lambda v: v.start and v.count > 2)
    source = c.segment.source(lambda v: v.start and v.count >= view.count and v.type == view.type)
    kind, name = view.type, f"work{c.number}"
    plain = f"  for (int k = 0; k < count; ++k)\n    to[k] = ({kind})(from[k] + 1);"
    if view.floating:
        plain = f"  for (int k = 0; k < count; ++k)\n    to[k] = from[k] > 1000 ? from[k] - 999 : from[k] + 3;"
    body = c.rng.choice([
        f"  memcpy(to, from, (size_t)count * sizeof *to);",
        f"  memset(to, {0 if view.floating else c.rng.randint(0, 255)}, (size_t)count * sizeof *to);\n"
        f"  if (count > 2)\n    memmove(to + 1, from + 1, (size_t)(count - 2) * sizeof *to);",
        plain,
        f"  if (count < 5) {{\n  {plain}\n    return;\n  }}\n  int half = count / 2;\n"
        f"  {name}(to, from, half);\n  {name}(to + half, from + half, count - half);",
        f"  {kind} kept[8];\n  for (int k = 0; k < count; k += 8) {{\n    int n = count - k < 8 ? count - k : 8;\n"
        f"    memcpy(kept, from + k, (size_t)n * sizeof *to);\n    memcpy(to + k, kept, (size_t)n * sizeof *to);\n  }}",
    ])
    head = f"static __attribute__((noinline)) void {name}({kind} *to, const {kind} *from, int count)"
    c.function(f"{head} {{\n{body}\n}}")
    run = c.rng.choice([1, 7, 32, 100, max(1, view.count // 4)])
    run = max(run, view.count // 100)
    pieces = (view.count + run - 1) // run
    call = [f"int first = p * {run};", f"int count = {view.count} - first < {run} ? {view.count} - first : {run};",
            f"{name}({view.start} + first, {source.start} + first, count);"]
    if c.rng.random() < 0.3:  # Through a pointer to the function.
        c.program.globals.append(f"static void (*volatile via{c.number})({kind} *, const {kind} *, int);")
        c.program.start.append(f"via{c.number} = {name};")
        call[2] = call[2].replace(name, f"via{c.number}", 1)
    return [f"#pragma omp for{c.schedule(pieces)}{c.ending}"] + nest(f"for (int p = 0; p < {pieces}; ++p)", call)


def structures(c):
    """Whole structures copied."""
    view = c.segment.write(lambda v: v.structure)
    if not all(v is view or c.segment.claim(v) for v in view.siblings):
        raise Unsuitable
    name, count = view.structure, view.count
    low = (count + 1) // 2
    index = "i" if c.rng.random() < 0.5 else f"(int)((unsigned)i * {coprime(c.rng, count)}u % {count}u)"
    # The lower half is read, the upper written.
    body = [f"int k = {index};", f"if (k >= {low})", f"  {name}[k] = {name}[k - {low}];"]
    return [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", body)


def nested(c):
    """Regions inside of the region: each thread's stays in its node."""
    view = c.segment.write(lambda v: v.count >= 8)
    value = c.store(view, "i", c.value("i", view.count))
    inner = [f"#pragma omp parallel for num_threads({c.rng.randint(1, 3)})"]
    inner += nest(f"for (int i = first; i < first + {view.count // 4}; ++i)", [value])
    body = [f"int first = p * {view.count // 4};"] + inner
    return [f"#pragma omp for schedule(static, 1){c.ending}"] + nest("for (int p = 0; p < 4; ++p)", body)


def ordered(c):
    """A chain of values in the order of the iterations."""
    view = c.segment.write()
    count = min(view.count, 24)
    link = f"link{c.number}"
    c.shared("u32", link, "1")
    c.note(link)
    # A loop with an ordered clause needs its nodes in step at its end.
    lines = [f"#pragma omp for ordered{c.rng.choice(['', ' schedule(static, 1)', ' schedule(dynamic, 2)'])}"]
    body = [f"u32 x = {c.value('i', count)};", "#pragma omp ordered"]
    body += nest("", [f"{link} = {link} * 3u + x;", view.write("i", link)])
    return lines + nest(f"for (int i = 0; i < {count}; ++i)", body)


def across(c):
    """A loop with cross-iteration dependences."""
    view = c.segment.write(lambda v: v.count > 4 and not v.floating)
    count = min(view.count, 30)
    back = c.rng.choice([1, 2, 3])
    body = [f"u32 x = {c.value('i', count)};", f"#pragma omp ordered depend(sink : i - {back})",
            f"if (i >= {back})", f"  x += {view.read(f'i - {back}')};", view.write("i", "x"),
            "#pragma omp ordered depend(source)"]
    schedule = c.rng.choice(["", " schedule(static, 1)", " schedule(static, 2)"])
    # The thread sanitizer does not know this order.
    return (["#ifndef STRESS_SANITIZED", f"#pragma omp for ordered(1){schedule}"]
            + nest(f"for (int i = 0; i < {count}; ++i)", body) + ["#endif"])


def wavefront(c):
    """A loop nest whose iterations depend on those above and to the left, and go on behind their source."""
    view = c.segment.write(lambda v: v.count >= 12 and not v.floating)
    columns = c.rng.choice([2, 3, 5, 9])
    rows = min(view.count // columns, 40)
    sinks = "depend(sink : i - 1, j)" + c.rng.choice(["", " depend(sink : i, j - 1)", " depend(sink : i - 2, j)"])
    body = [f"int k = i * {columns} + j;", f"u32 x = {c.value('k', rows * columns)};", f"#pragma omp ordered {sinks}",
            "if (i > 0)", f"  x += {view.read(f'k - {columns}')};",
            "if (j > 0)", f"  x += {view.read('k - 1')};", view.write("k", "x"), "#pragma omp ordered depend(source)"]
    if c.rng.random() < 0.3:
        body += [f"for (int n = 0; n < {c.rng.choice([10, 1000])}; ++n)", '  __asm__ volatile("");']
    schedule = c.rng.choice(["", "static, 1", "static, 2", "dynamic, 1", "dynamic, 3", "guided"])
    inner = nest(f"for (int j = 0; j < {columns}; ++j)", body)
    # The thread sanitizer does not know this order.
    return (["#ifndef STRESS_SANITIZED", "#pragma omp for ordered(2)" + (f" schedule({schedule})" if schedule else "") + c.ending]
            + nest(f"for (int i = 0; i < {rows}; ++i)", inner) + ["#endif"])


def orphaned(c):
    """A worksharing loop in a function that the region calls."""
    name = f"orphan{c.number}"
    lines = c.rng.choice([contiguous, permuted, copied])(c)
    text = nest(f"static __attribute__((noinline)) void {name}({c.program.parameters})", lines)
    c.program.functions.append("\n".join(text))
    return [f"{name}({c.program.arguments});"]


ALL = [(orphaned, 2), (contiguous, 8), (permuted, 4), (by_thread, 5), (same_schedule, 2), (copied, 3), (tiles, 3), (functions_on_runs, 4),
       (structures, 2), (nested, 1), (ordered, 1), (across, 1), (wavefront, 2)]
