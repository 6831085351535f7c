"""What a program sends in one of its timed rounds: messages, bytes, and a histogram of the messages' sizes.

Counters run from the start of a process to its end, so a run with 0 rounds is subtracted; it starts, generates the problem, does
the round that is not timed, and ends in the same way."""
import glob
import json
import os


class Traffic:
    """Sums over the nodes. `histogram` maps k to the number of messages of 2^k to 2^(k+1) - 1 bytes, -1 to those of none."""

    def __init__(self, messages=0, bytes_=0, histogram=None):
        self.messages, self.bytes, self.histogram = messages, bytes_, histogram or {}

    def __sub__(self, other):
        keys = self.histogram.keys() | other.histogram.keys()
        histogram = {key: self.histogram.get(key, 0) - other.histogram.get(key, 0) for key in sorted(keys)}
        return Traffic(self.messages - other.messages, self.bytes - other.bytes, {k: n for k, n in histogram.items() if n})

    def __truediv__(self, rounds):
        return Traffic(self.messages / rounds, self.bytes / rounds, {k: n / rounds for k, n in self.histogram.items()})

    def add(self, messages, bytes_, histogram):
        self.messages += messages
        self.bytes += bytes_
        for key, count in histogram.items():
            self.histogram[key] = self.histogram.get(key, 0) + count


def of_ompdsm(version, app, work, size, nodes, rounds):
    """Packets and their bytes, by OMPDSM_STATS_FILE: several messages of the protocol may travel in one packet."""
    path = os.path.join(work, f"{app.name}-{nodes}.statistics.json")
    version.run(app, work, size, nodes, rounds, OMPDSM_STATS_FILE=path)
    with open(path) as file:
        statistics = [node for node in json.load(file)["nodes"] if node]
    os.remove(path)
    traffic = Traffic()
    for node in statistics:
        messages = node["packets"] if "packets" in node else sum(node["messages"].values())
        histogram = {int(size).bit_length() - 1: count for size, count in node["message_sizes"].items()}
        traffic.add(messages, node.get("packet_bytes", sum(node["message_bytes"].values())), histogram)
    return traffic


def of_mpi(version, app, work, size, nodes, rounds):
    """By Open MPI's component `monitoring`, which also sees the messages that collective operations consist of."""
    prefix = os.path.join(work, f"{app.name}-{nodes}.monitoring")
    # 1: what the program sends and what collectives send, in one; 3: into a file for each process.
    options = {"pml_monitoring_enable": "1", "pml_monitoring_enable_output": "3", "pml_monitoring_filename": prefix}
    version.run(app, work, size, nodes, rounds,
                launch=[word for name, value in options.items() for word in ("--mca", name, value)])
    traffic = Traffic()
    for path in glob.glob(glob.escape(prefix) + ".*.prof"):
        with open(path) as file:
            for line in file:
                fields = line.split("\t")
                if fields[0] == "E":
                    counts = [int(count) for count in fields[5].split(",") if count.strip()]
                    traffic.add(int(fields[4].split()[0]), int(fields[3].split()[0]),
                                {place - 1: count for place, count in enumerate(counts) if count})
        os.remove(path)
    return traffic


def of_round(count, version, app, work, size, nodes, rounds):
    """What a round sends, the mean of so many; `count` is one of the two above."""
    return (count(version, app, work, size, nodes, rounds) - count(version, app, work, size, nodes, 0)) / rounds
