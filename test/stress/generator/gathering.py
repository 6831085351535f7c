"""What brings threads together or tells them apart: reductions, single, masked, sections, tasks, private copies."""
from .construct import nest
from .segment import Unsuitable


def read_whole(c):
    """Threads read a whole object that was written in parts, and agree."""
    view = c.segment.source()
    sum_ = f"sum{c.number}"
    c.shared("u64", sum_)
    c.note(sum_)
    inner = [f"for (int k = 0; k < {view.count}; ++k)", f"  {sum_} += {view.read('k')} + (u32)k;"]
    if c.rng.random() < 0.3:
        inner = [f"for (int k = {view.count - 1}; k >= 0; --k)", f"  {sum_} = {sum_} + {view.read('k')} * (u32)(k + i);"]
    return [f"#pragma omp for schedule(static, 1) reduction(+ : {sum_}){c.ending}"] + nest("for (int i = 0; i < 8; ++i)", inner)


def reduction(c):
    """A reduction of several variables, or of an array."""
    count = c.rng.choice([20, 100, 1000])
    first = f"r{c.number}"
    x = f"u32 x = {c.value('i', count)};"
    schedule = c.schedule(count)
    if c.rng.random() < 0.35:
        size = c.rng.choice([3, 16, 70])
        c.region.shared.append(f"u64 {first}[{size}] = {{0}};")
        c.region.notes += [f"for (int k = 0; k < {size}; ++k)", f'  note("{c.tag} {first}", {first}[k]);']
        clause, body = f"reduction(+ : {first}[:{size}])", [x, f"{first}[x % {size}u] += x;"]
    else:
        kind = c.rng.choice(["u64", "unsigned", "unsigned char", "double", "float"])
        exact = "x & 0xfffu" if kind in ("double", "float") else "x"
        c.shared(kind, first + "a", "5")
        c.shared("u32", first + "b", "0")
        c.shared("int", first + "c", "-1")
        for name in "abc":
            c.note(first + name)
        clause = f"reduction(+ : {first}a) reduction(^ : {first}b) reduction(max : {first}c)"
        body = [x, f"{first}a += ({kind})({exact});", f"{first}b ^= x;", f"if ({first}c < (int)(x >> 2))",
                f"  {first}c = (int)(x >> 2);"]
    return [f"#pragma omp for{schedule} {clause}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", body)


def declared_reduction(c):
    """A reduction that the program declares, of a structure."""
    name, count = f"pair{c.number}", c.rng.choice([7, 60, 300])
    c.program.globals.append(
        f"struct {name} {{ u64 sum; unsigned char bits; double most; u32 unused[{c.rng.choice([1, 9, 40])}]; }};\n"
        f"static void add_{name}(struct {name} *to, const struct {name} *from) {{\n  to->sum += from->sum;\n"
        f"  to->bits ^= from->bits;\n  if (to->most < from->most)\n    to->most = from->most;\n}}\n"
        f"#pragma omp declare reduction(join_{name} : struct {name} : add_{name}(&omp_out, &omp_in)) "
        f"initializer(omp_priv = (struct {name}){{0}})")
    variable = f"joined{c.number}"
    c.shared(f"struct {name}", variable, "{0}")
    for field in ("sum", "bits", "most"):
        c.note(f"{variable}.{field}")
    body = [f"u32 x = {c.value('i', count)};", f"{variable}.sum += x;", f"{variable}.bits ^= (unsigned char)x;",
            f"if ({variable}.most < (double)(x >> 3))", f"  {variable}.most = (double)(x >> 3);"]
    head = f"#pragma omp for reduction(join_{name} : {variable}){c.schedule(count)}{c.ending}"
    return [head] + nest(f"for (int i = 0; i < {count}; ++i)", body)


def copied_array(c):
    """An array and a structure that one thread gives to all."""
    source = c.segment.source()
    size = c.rng.choice([2, 30, 400])
    fill = [f"for (int k = 0; k < {size}; ++k)", f"  got.all[k] = {source.read(f'k % {source.count}')} + (u32)k;"]
    check = [f"for (int k = 0; k < {size}; ++k)", f"  CHECK(got.all[k] == {source.read(f'k % {source.count}')} + (u32)k);"]
    return nest("", [f"struct {{ u32 all[{size}]; }} got;", "#pragma omp single copyprivate(got)"] + nest("", fill) + check)


def single(c):
    """One thread writes; the others learn of it by the barrier or by copyprivate."""
    view = c.segment.write()
    source = c.segment.source()
    write = [f"for (int k = 0; k < {view.count}; k += {c.rng.choice([1, 2, 9])})",
             "  " + view.write("k", f"(u32)k * {c.constant()}")]
    if c.rng.random() < 0.5:
        return [f"#pragma omp single{c.ending}"] + nest("", write)
    got, k = f"got{c.number}", c.rng.randrange(source.count)
    lines = [f"u32 {got};", f"#pragma omp single copyprivate({got})"]
    lines += nest("", write + [f"{got} = {source.read(k)} + 1;"])
    return nest("", lines + [f"CHECK({got} == {source.read(k)} + 1);"])


def masked(c):
    view = c.segment.write()
    k = c.rng.randrange(view.count)
    write = [view.write(k, c.constant()), view.write(view.count - 1 - k, c.constant())]
    return [f"#pragma omp {c.rng.choice(['masked', 'master'])}"] + nest("", write)


def sections(c):
    lines = []
    for _ in range(c.rng.randint(2, 4)):
        try:
            view, stride, offset = c.segment.write_part()
        except Unsuitable:
            break
        lines += ["#pragma omp section"]
        lines += nest("", nest(f"for (int k = {offset}; k < {view.count}; k += {stride})",
                               [view.write("k", f"{view.read('k')} + (u32)k * {c.constant()}")]))
    if not lines:
        raise Unsuitable
    return [f"#pragma omp sections{c.ending}"] + nest("", lines)


def tasks(c):
    """Tasks in the order of their dependences, and others in none."""
    view = c.segment.write(lambda v: v.count >= 4)
    count, parts = view.count, 4
    size = count // parts
    clean = nest(f"for (int k = p * {size}; k < (p + 1) * {size}; ++k)", [view.write("k", c.value("k", count))])
    shape = c.rng.choice(["depend", "taskloop", "tree"])
    if shape == "taskloop":
        loop = nest(f"for (int p = 0; p < {parts}; ++p)", clean)
        return [f"#pragma omp single{c.ending}"] + nest("", [f"#pragma omp taskloop grainsize(1)"] + loop)
    if shape == "tree":
        name = f"tree{c.number}"
        c.function(f"static void {name}(u64 *to, int low, int high) {{\n  if (high - low < 8) {{\n    u64 sum = 0;\n"
                   f"    for (int k = low; k < high; ++k)\n      sum += mix((u32)k);\n    *to = sum;\n    return;\n  }}\n"
                   f"  u64 left = 0, right = 0;\n#pragma omp task shared(left)\n  {name}(&left, low, (low + high) / 2);\n"
                   f"  {name}(&right, (low + high) / 2, high);\n#pragma omp taskwait\n  *to = left + right;\n}}")
        write = [f"u64 sum = 0;", f"{name}(&sum, 0, 60);", view.write(0, "(u32)sum")]
        return [f"#pragma omp single{c.ending}"] + nest("", write)
    order = f"order{c.number}"
    body = [f"int {order}[{parts}] = {{0}};", f"for (int p = 0; p < {parts}; ++p) {{",
            f"#pragma omp task depend(out : {order}[p]) firstprivate(p)"] + nest("", clean)
    if size > 1:
        body += ["if (p == 0)", "  continue;", f"#pragma omp task depend(in : {order}[p - 1]) depend(inout : {order}[p]) firstprivate(p)"]
        body += nest("", [view.write(f"p * {size}", view.read(f"(p - 1) * {size} + 1") + " + 9u")])
    body += ["}", "#pragma omp taskwait"]
    return [f"#pragma omp single{c.ending}"] + nest("", body)


def pieces(c):
    """Memory allocated by one thread is freed by another."""
    view = c.segment.write(lambda v: v.pieces or v.heap)
    kind, table = view.type, (view.count + view.piece - 1) // view.piece if view.pieces else 1
    size = f"{view.piece if view.pieces else view.count} * sizeof({kind})"
    slot = f"{view.pieces}[p]" if view.pieces else view.heap
    body = c.rng.choice([
        [f"{kind} *fresh = malloc({size});", f"memcpy(fresh, {slot}, {size});", f"free({slot});", f"{slot} = fresh;"],
        [f"{slot} = realloc({slot}, {size} + 500);"],
        [f"{kind} *fresh = malloc({size});", f"for (size_t k = 0; k < {size} / sizeof *fresh; ++k)", f"  fresh[k] = {slot}[k];",
         f"{kind} *old = {slot};", f"{slot} = fresh;", "free(old);"],
    ])
    if not view.pieces:
        return [f"#pragma omp single{c.ending}"] + nest("", body)
    return [f"#pragma omp for{c.schedule(table)}{c.ending}"] + nest(f"for (int p = 0; p < {table}; ++p)", body)


def stacks(c):
    """Each thread's local array is read and written by its neighbour."""
    size = c.rng.choice([3, 20, 200, 1500])
    table = f"stack{c.number}"
    c.program.globals.append(f"static u32 *{table}[64];")
    step = c.rng.choice([1, 2, 3])
    each = f"for (int k = 0; k < {size}; ++k)"
    body = [f"u32 mine[{size}];", each, "  mine[k] = (u32)(me * 1000 + k);", f"{table}[me] = mine;",
            "#pragma omp barrier", f"int other = (me + {c.rng.randint(1, 3)}) % threads;", f"u32 *theirs = {table}[other];",
            each, "  CHECK(theirs[k] == (u32)(other * 1000 + k));", "#pragma omp barrier",
            f"for (int k = 0; k < {size}; k += {step})", "  theirs[k] *= 3u;", "#pragma omp barrier",
            each, f"  CHECK(mine[k] == (k % {step} == 0 ? 3u : 1u) * (u32)(me * 1000 + k));"]
    return nest("", body)


def private_copies(c):
    """firstprivate and lastprivate."""
    view = c.segment.write()
    first, last = f"first{c.number}", f"last{c.number}"
    c.region.shared.append(f"u32 {first}[12] = {{1, 2, 3}};")
    c.shared("u32", last)
    c.note(last)
    body = [f"{first}[i % 3] += 0;", f"{last} = {first}[i % 3] + (u32)i;", view.write("i", last)]
    head = f"#pragma omp for firstprivate({first}) lastprivate({last}){c.schedule(view.count)}{c.ending}"
    return [head] + nest(f"for (int i = 0; i < {view.count}; ++i)", body)


def thread_private(c):
    """A threadprivate variable keeps its thread's part."""
    count = 40
    own, total = f"own{c.number}", f"total{c.number}"
    c.program.globals.append(f"static u32 {own};\n#pragma omp threadprivate({own})")
    c.program.globals.append(f"static u32 {total};")
    c.note(total)
    lines = [f"#pragma omp for{c.schedule(count)}{c.ending}"] + nest(f"for (int i = 0; i < {count}; ++i)", [f"{own} += {c.value('i', count)};"])
    return lines + ["#pragma omp atomic", f"{total} += {own};"]


ALL = [(read_whole, 5), (reduction, 3), (declared_reduction, 2), (copied_array, 1), (single, 3), (masked, 2), (sections, 2), (tasks, 2), (pieces, 3), (stacks, 1),
       (private_copies, 1), (thread_private, 1)]
