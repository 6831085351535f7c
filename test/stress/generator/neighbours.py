"""Neighbours that different constructs touch at the same time, flags instead of barriers, and memory that changes hands."""
from .construct import nest


def atomics_on_part(c):
    """Atomic updates of every so-manieth element, while others may store to those between."""
    view, stride, offset = c.segment.write_part(lambda v: not v.packed)
    have = (view.count - offset + stride - 1) // stride
    count = c.rng.choice([20, 60])
    operation = "+=" if view.floating else c.rng.choice(["+=", "^="])
    limit = "15u" if view.floating else "0xffffu"
    body = [f"int k = (int)(mix((u32)i) % {have}u) * {stride} + {offset};",
            f"{view.type} x = ({view.type})(({c.value('i', count)}) & {limit});",
            f"#pragma omp atomic{c.rng.choice(['', ' seq_cst'])}", f"{view.at('k')} {operation} x;"]
    return [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", body)


def part_read_by_all(c):
    """Every so-manieth element is read by many, while others may store to those between."""
    view, stride, offset = c.segment.write_part()
    total = f"part{c.number}"
    c.shared("u64", total)
    c.note(total)
    inner = nest(f"for (int k = {offset}; k < {view.count}; k += {stride})", [f"{total} += {view.read('k')} ^ (u32)k;"])
    head = f"#pragma omp for schedule(static, 1) reduction(+ : {total}){c.ending}"
    return [head] + nest("for (int i = 0; i < 9; ++i)", inner)


def columns(c):
    """Each thread has columns of a table: as many strided walks."""
    view = c.segment.write(lambda v: v.columns)
    width, rows = view.columns, view.count // view.columns
    value = c.value("s", width)
    inner = nest(f"for (int r = 0; r < {rows}; ++r)", [view.write(f"r * {width} + s", f"x + (u32)r + {view.read(f'r * {width} + s')}")])
    return [f"#pragma omp for{c.schedule(width)}{c.ending}"] + nest(f"for (int s = 0; s < {width}; ++s)", [f"u32 x = {value};"] + inner)


def flags(c):
    """A pipeline: each element has a flag, which tells one other thread that it is there."""
    view = c.segment.write(lambda v: v.count >= 12)
    to = c.segment.write(lambda v: v.count >= 12)
    count = c.rng.choice([8, 12])
    run = min(view.count, to.count) // count
    kind = c.rng.choice(["unsigned char", "int"])
    name = f"flags{c.number}"
    c.program.globals.append(f"static {kind} {name}[{count}];")
    c.region.shared.append(f"memset({name}, 0, sizeof {name});")
    stored, loaded = c.rng.choice([("write release", "read acquire"), ("write seq_cst", "read seq_cst")])
    fill = nest(f"for (int k = i * {run}; k < (i + 1) * {run}; ++k)", [view.write("k", c.value("k", view.count))])
    fill += [f"#pragma omp atomic {stored}", f"{name}[i] = 1;"]
    shift = c.rng.randrange(count)
    take = [f"int from = (i + {shift}) % {count};", f"{kind} there;", "do {", f"#pragma omp atomic {loaded}", f"  there = {name}[from];",
            "} while (!there);"]
    take += nest(f"for (int k = 0; k < {run}; ++k)", [to.write(f"i * {run} + k", f"{view.read(f'from * {run} + k')} * 3u + (u32)i")])
    lines = ["#pragma omp for schedule(static, 1) nowait"] + nest(f"for (int i = 0; i < {count}; ++i)", fill)
    return lines + [f"#pragma omp for schedule(static, 1){c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", take)


def churn(c):
    """Allocations of many sizes, replaced by one thread, read and freed by others."""
    count = c.rng.choice([10, 40])
    name, value = f"churn{c.number}", c.constant()
    c.program.globals.append(f"static struct {{ unsigned *p; unsigned words; }} {name}[{count}];")
    c.program.end += [f"for (int i = 0; i < {count}; ++i)", f"  free({name}[i].p);"]
    largest = c.rng.choice([9, 60, 700, 3000])
    make = [f"unsigned words = 1 + mix((u32)i * {value}) % {largest}u;", f"free({name}[i].p);",
            f"{name}[i].p = {c.rng.choice(['malloc(words * 4)', 'calloc(words, 4)', 'aligned_alloc(64, (words * 4 + 63) / 64 * 64)'])};",
            f"{name}[i].words = words;", "for (unsigned k = 0; k < words; ++k)", f"  {name}[i].p[k] = k * {value} + (unsigned)i;"]
    check = [f"for (unsigned k = 0; k < {name}[i].words; ++k)", f"  CHECK({name}[i].p[k] == k * {value} + (unsigned)i);"]
    other = [f"int i = (j * {c.rng.choice([3, 7, 9])}) % {count};"] + check
    lines = [f"#pragma omp for{c.schedule(count)}"] + nest(f"for (int i = 0; i < {count}; ++i)", make + check)
    lines += [f"#pragma omp for{c.schedule(count)}"] + nest(f"for (int j = 0; j < {count}; ++j)", other)
    if c.rng.random() < 0.5:
        lines += [f"#pragma omp for{c.schedule(count)}{c.ending}"]
        lines += nest(f"for (int i = 0; i < {count}; i += 2)", [f"free({name}[i].p);", f"{name}[i].p = 0, {name}[i].words = 0;"])
    return lines


def texts(c):
    """Functions of the C library write numbers into shared rows, others read them."""
    rows, width = c.rng.choice([6, 20]), c.rng.choice([12, 16, 100])
    name = f"text{c.number}"
    c.program.globals.append(f"static char {name}[{rows}][{width}];")
    total = f"total{c.number}"
    c.shared("u64", total)
    c.note(total)
    value = f"(unsigned)({c.value('i', rows)})"
    write = c.rng.choice([[f"snprintf({name}[i], {width}, \"%u\", {value});"],
                          ["char line[40];", f"snprintf(line, sizeof line, \"%u\", {value});", f"strcpy({name}[i], line);"],
                          [f"memset({name}[i], 0, {width});", f"sprintf({name}[i] + strlen({name}[i]), \"%u\", {value});"]])
    read = c.rng.choice([f"strtoul({name}[k], 0, 10)", f"strlen({name}[k]) + (u64)strtoull({name}[k], 0, 10)"])
    take = [f"int k = (i * 5 + 1) % {rows};", f"{total} += {read};"]
    lines = [f"#pragma omp for{c.schedule(rows)}"] + nest(f"for (int i = 0; i < {rows}; ++i)", write)
    return lines + [f"#pragma omp for{c.schedule(rows)} reduction(+ : {total}){c.ending}"] + nest(f"for (int i = 0; i < {rows}; ++i)", take)


ALL = [(atomics_on_part, 4), (part_read_by_all, 4), (columns, 2), (flags, 3), (churn, 2), (texts, 1)]
