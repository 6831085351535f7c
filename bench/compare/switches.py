"""What each mechanism of ompdsm is worth: every program with all of them, and with each one switched off.

All runs of one turn follow each other, so that a load on the machine falls on all alike; figures are medians over the turns. What is
counted is that of one timed round, as in traffic.py: a run with 0 rounds is subtracted."""
import json
import os
import statistics

from programs import Failure

# Name in the table, and the option that switches it off. Each is described in libompdsm/src/Options.h.
MECHANISMS = {
    "push": ("OMPDSM_PUSH", "0"),
    "first": ("OMPDSM_PUSH_FIRST", "0"),
    "predict": ("OMPDSM_PREDICT", "0"),
    "migrate": ("OMPDSM_MIGRATE", "0"),
    "prefetch": ("OMPDSM_PREFETCH", "0"),
    "ranges": ("OMPDSM_RANGES", "1"),
    "objects": ("OMPDSM_OBJECTS", "0"),
    "overwrite": ("OMPDSM_OVERWRITE", "0"),
    "away": ("OMPDSM_AWAY", "0"),
    "sites": ("OMPDSM_PUSH_SITES", "0"),
    "close": ("OMPDSM_CLOSE", "0"),
    "bare": ("OMPDSM_BARE", "0"),
    "adapt": ("OMPDSM_ADAPT", "0"),
    "digests": ("OMPDSM_DIGESTS", "0"),
    "sums": ("OMPDSM_SUMS", "0"),
    "updated": ("OMPDSM_KEEP_UPDATED", "0"),
    "single": ("OMPDSM_SINGLE", "0"),
    "locks": ("OMPDSM_LOCKS_AHEAD", "0"),
    "tasks": ("OMPDSM_TASKS", "0"),
    "fold": ("OMPDSM_FOLD", "0"),
    "join": ("OMPDSM_JOIN", "0"),
    "barrier": ("OMPDSM_SHORT_BARRIER", "0"),
    "sole": ("OMPDSM_SOLE", "0"),
    "multicast": ("OMPDSM_MULTICAST", "0"),
    "attention": ("OMPDSM_ATTENTION", "0"),
}
ALL = "all"
# Of a round: seconds, seconds that threads wait for what they have asked for (sum over nodes; "diff request time" in Karlsson and
# Brorsson 1999), seconds that they wait for anything, packets and their bytes, messages of the protocol, blocks fetched.
FIGURES = ("seconds", "missing", "waiting", "packets", "bytes", "messages", "blocks")
MISSING = "time_in_misses_seconds"
WAITING = (MISSING, "time_in_barriers_seconds", "time_in_releases_seconds", "time_in_locks_seconds")
HEADS = ("ms", "miss ms", "wait ms", "packets", "kB", "messages", "blocks")
COLUMNS = "{:<8} {:<9}" + " {:>9}" * len(FIGURES) + " " + " {:>9}" * len(FIGURES)
CHANGES = "{:<9} {:<9}" + " {:>9}" * len(FIGURES)


def run_once(version, app, work, size, nodes, rounds, option):
    """The result, and sums over the nodes of what was counted in the whole run."""
    path = os.path.join(work, f"{app.name}-{nodes}.switches.json")
    variables = {"OMPDSM_STATS_FILE": path, **dict([option] if option else [])}
    result = version.run(app, work, size, nodes, rounds, **variables)
    with open(path) as file:
        answered = [node for node in json.load(file)["nodes"] if node]
    os.remove(path)
    if len(answered) != nodes:
        raise Failure(f"'{app.name}' has statistics of {len(answered)} of {nodes} nodes")
    return result, {"missing": sum(node[MISSING] for node in answered),
                    "waiting": sum(node[name] for node in answered for name in WAITING),
                    "packets": sum(node["packets"] for node in answered),
                    "bytes": sum(node["packet_bytes"] for node in answered),
                    "messages": sum(sum(node["messages"].values()) for node in answered),
                    "blocks": sum(node["blocks_fetched"] for node in answered)}


def of_round(version, app, work, size, nodes, expected, option):
    """All FIGURES. A wrong answer is a Failure."""
    result, counted = run_once(version, app, work, size, nodes, None, option)
    result.check(expected, app.tolerance, f"'{app.name}' with {'='.join(option) if option else 'all mechanisms'}")
    _, before = run_once(version, app, work, size, nodes, 0, option)
    return {"seconds": result.seconds / result.rounds,
            **{name: max(0, counted[name] - before[name]) / result.rounds for name in counted}}


def measure(app, ways, work, size, nodes, turns, mechanisms):
    """"figures": {mechanism that is off, or ALL: {figure of a round: median over the turns}}; "rounds": how many are timed."""
    for name in ("serial", "ompdsm"):
        ways[name].build(app, work)
    expected = ways["serial"].run(app, work, size)
    variants = [(ALL, None), *((name, MECHANISMS[name]) for name in mechanisms)]
    taken = {name: [] for name, _ in variants}
    for turn in range(turns):
        for name, option in reversed(variants) if turn % 2 == 1 else variants:
            taken[name].append(of_round(ways["ompdsm"], app, work, size, nodes, expected, option))
    return {"rounds": expected.rounds,
            "figures": {name: {figure: statistics.median(each[figure] for each in runs) for figure in FIGURES}
                        for name, runs in taken.items()}}


def change(on, off):
    """What a mechanism makes of a figure, as a part of what it is without: -0.5 halves it. None if it is nothing without."""
    return on / off - 1 if off > 0 else None


def percent(part):
    return "" if part is None else f"{100 * part:+.0f} %"


def rows(app_name, figures):
    """A line with all mechanisms, and one without each, behind which stands what the mechanism changes."""
    for name, each in figures.items():
        shown = (f"{each['seconds'] * 1e3:.2f}", f"{each['missing'] * 1e3:.2f}", f"{each['waiting'] * 1e3:.2f}", f"{each['packets']:.1f}",
                 f"{each['bytes'] * 1e-3:.1f}", f"{each['messages']:.1f}", f"{each['blocks']:.1f}")
        changes = [None if name == ALL else change(figures[ALL][figure], each[figure]) for figure in FIGURES]
        yield COLUMNS.format(app_name if name == ALL else "", "" if name == ALL else name, *shown, *map(percent, changes)).rstrip()


def summary(results, mechanisms):
    """Two lines for each mechanism: the mean of what it changes, each program counting alike, and what it changes of the sum over the
    programs' timed rounds."""
    lines = []
    for name in mechanisms:
        mean, together = [], []
        for figure in FIGURES:
            changes = [part for each in results.values()
                       if (part := change(each["figures"][ALL][figure], each["figures"][name][figure])) is not None]
            mean.append(statistics.fmean(changes) if changes else None)
            together.append(change(*(sum(each["rounds"] * each["figures"][which][figure] for each in results.values())
                                     for which in (ALL, name))))
        for label, parts in ((name, mean), ("together", together)):
            lines.append(CHANGES.format("" if label == "together" else "switches:", label, *map(percent, parts)).rstrip())
    return "\n".join(lines)


def measure_all(chosen, ways, arguments, work):
    """Prints the tables; returns the number of programs that went wrong."""
    nodes = arguments.nodes[0]
    print(f"One round on {nodes} nodes of one thread with all mechanisms, and without each; behind it, what the mechanism changes\n"
          + COLUMNS.format("program", "without", *HEADS, *HEADS), flush=True)
    mechanisms = arguments.switches or list(MECHANISMS)
    results, wrong = {}, 0
    for app in chosen:
        try:
            results[app.name] = measure(app, ways, work, arguments.size, nodes, arguments.pairs, mechanisms)
            print("\n".join(rows(app.name, results[app.name]["figures"])), flush=True)
        except Failure as failure:
            wrong += 1
            print(f"{app.name}: WRONG\ncompare: {app.name}: {failure}", flush=True)
    with open(os.path.join(work, "switches.json"), "w") as file:
        json.dump(results, file, indent=1)
    if results:
        print("\nWhat each mechanism changes: mean of the programs, and of the sum of their rounds\n" + CHANGES.format("", "", *HEADS)
              + "\n" + summary(results, mechanisms))
    return wrong
