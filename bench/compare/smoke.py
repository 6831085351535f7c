"""Answers only: each program with a small problem in all ways and on several numbers of nodes."""
import concurrent.futures

from programs import Failure

SIZE = "smoke"
NODES = (2, 3, 4)
JOBS = 2


def answer_once(app, ways, work):
    """Failure if one way answers otherwise than the serial program, or does not end well."""
    for way in ways.values():
        way.build(app, work)
    expected = ways["serial"].run(app, work, SIZE)
    ways["libomp"].run(app, work, SIZE).check(expected, app.tolerance, f"'{app.name}' by libomp")
    for name in ("ompdsm", "mpi"):
        for nodes in NODES:
            ways[name].run(app, work, SIZE, nodes).check(expected, app.tolerance, f"'{app.name}' by {name} on {nodes} nodes")


def answer_all(chosen, ways, work):
    """Prints a line for each program; returns the number of those that went wrong."""
    wrong = 0
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        running = [(app, pool.submit(answer_once, app, ways, work)) for app in chosen]
        for app, answer in running:
            try:
                answer.result()
                print(f"{app.name}: ok", flush=True)
            except Failure as failure:
                wrong += 1
                print(f"{app.name}: WRONG\ncompare: {app.name}: {failure}", flush=True)
    print(f"compare: {len(chosen) - wrong} programs right, {wrong} wrong")
    return wrong
