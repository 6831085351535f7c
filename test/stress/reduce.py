"""Leaves out of a failing program what its failure does not need."""
import dataclasses

import cases


def reduce(case, build, repeat, seconds):
    """What the smallest failing program found does wrong, with the constructs that it leaves out; None if it never fails."""
    wrong = cases.run(case, build, repeat, seconds)
    if wrong is None:
        return None
    _, count = cases.generate(case.seed)
    dropped = set(case.dropped)
    size = max(1, count // 2)
    while size:  # Halves first, then ever smaller runs, as in delta debugging (Zeller, Hildebrandt: TSE 28(2), 2002).
        for first in range(0, count, size):
            more = dropped | set(range(first, first + size))
            if more == dropped:
                continue
            found = cases.run(dataclasses.replace(case, dropped=frozenset(more)), build, repeat, seconds)
            if found:
                dropped, wrong = more, found
        size //= 2
    return f"{wrong}\nleft out: --drop {','.join(map(str, sorted(dropped)))}"
