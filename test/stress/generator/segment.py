"""What keeps a generated program free of data races: who may touch which view between two barriers.

A segment is what a region executes between two barriers; its constructs may all run at the same time. A construct
claims the views that it writes, whole or every so-manieth element of them, and those that it reads; a view that one
construct writes is neither read nor written by another, except for other parts. Within a construct, each element has
one writer by the shape of its loop.
"""
import random


class Unsuitable(Exception):
    """The construct finds no view that it could use here."""


class Segment:
    def __init__(self, rng: random.Random, views):
        self.rng = rng
        self.views = views
        self.read = set()
        self.written = set()
        self.parts = {}  # View: (stride, offsets that are still free).

    def _pick(self, allowed, suits):
        fitting = [view for view in self.views if allowed(view) and suits(view)]
        if not fitting:
            raise Unsuitable
        return self.rng.choice(fitting)

    def write(self, suits=lambda view: True):
        """A view for this construct alone."""
        view = self._pick(lambda v: v not in self.read and v not in self.written, suits)
        self.written.add(view)
        return view

    def claim(self, view):
        """The same for a certain view; False if it is taken."""
        if view in self.read or view in self.written:
            return False
        self.written.add(view)
        return True

    def write_part(self, suits=lambda view: True):
        """(view, stride, offset): the construct may write (and read) the elements offset + k * stride."""
        shared = [v for v, (_, free) in self.parts.items() if free and suits(v)]
        if shared and self.rng.random() < 0.7:
            view = self.rng.choice(shared)
        else:
            view = self.write(lambda v: v.count >= 8 and not v.pieces and suits(v))
            stride = self.rng.choice([2, 2, 3, 4])
            self.parts[view] = (stride, list(range(stride)))
        stride, free = self.parts[view]
        return view, stride, free.pop(self.rng.randrange(len(free)))

    def source(self, suits=lambda view: True):
        """A view that nobody writes in this segment."""
        view = self._pick(lambda v: v not in self.written, suits)
        self.read.add(view)
        return view
