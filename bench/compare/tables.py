"""The results of bench/compare as text: one function for each table, and the last line."""
import math
import statistics

TIMES = "{:<8} {:>8} {:>8} {:>8} {:>8} {:>7} {:>14} {:>10} {:>10} {:>8} {:>9} {:>9} {:>7}"
TRAFFIC = "{:<8} {:>5} {:>12} {:>12} {:>8} {:>9} {:>8} {:>12} {:>12} {:>8}"
SIZES = "{:<8} {:<7}" + " {:>9}" * 6
# Upper bounds of the columns of the table of sizes, in powers of two.
SIZE_BOUNDS = (6, 8, 10, 12, 14)
RIVALS = ("ompdsm", "mpi")
PIECE_POWER = 16  # 64 KiB, what ompdsm sends at most in one packet


def ratio(mine, other):
    """None if there is nothing to compare with."""
    return mine / other if other > 0 else None


def shown(value, digits):
    return "-" if value is None else f"{value:.{digits}f}"


def messages_ratio(result, nodes):
    """Messages of ompdsm for one of MPI."""
    return ratio(*(result["sent"][rival][nodes]["messages"] for rival in RIVALS))


def mpi_pieces(result, nodes):
    """Messages that MPI would need if none were larger than ompdsm's largest packet. At least: of each message only the power
    of two below its size is known, and of all their sum."""
    sent = result["sent"]["mpi"][nodes]
    counts = {int(power): count for power, count in sent["histogram"].items()}
    large = {power: count for power, count in counts.items() if power >= PIECE_POWER}
    most_in_small = sum(count * (2 ** (power + 1) - 1) for power, count in counts.items() if 0 <= power < PIECE_POWER)
    by_powers = sum(count * 2 ** (power - PIECE_POWER) for power, count in large.items())
    by_sum = (sent["bytes"] - most_in_small) / 2 ** PIECE_POWER
    return sent["messages"] - sum(large.values()) + max(by_powers, by_sum if large else 0)


def pieces_ratio(result, nodes):
    return ratio(result["sent"]["ompdsm"][nodes]["messages"], mpi_pieces(result, nodes))


def bytes_ratio(result, nodes):
    return ratio(*(result["sent"][rival][nodes]["bytes"] for rival in RIVALS))


def times_head(nodes):
    return (f"On {nodes} nodes of one thread: seconds (medians), speed relative to MPI (median of pairs, min to max), messages and "
            "kilobytes of a round\n" + TIMES.format("program", "serial", "libomp", "ompdsm", "MPI", "speed", "min to max", "messages",
                                         "of MPI", "ratio", "kB", "of MPI", "ratio"))


def times_row(result, nodes):
    seconds, (low, high) = result["seconds"], result["speed_spread"]
    sent = [result["sent"][rival][nodes] for rival in RIVALS]
    return TIMES.format(result["name"], *(f"{seconds[name]:.3f}" for name in ("serial", "libomp", "ompdsm", "mpi")),
                        f"{result['speed']:.3f}", f"{low:.2f} to {high:.2f}", *(f"{each['messages']:.1f}" for each in sent),
                        shown(messages_ratio(result, nodes), 2), *(f"{each['bytes'] * 1e-3:.1f}" for each in sent),
                        shown(bytes_ratio(result, nodes), 2))


def traffic_table(results, all_nodes):
    lines = ["", "Messages and bytes of a round", TRAFFIC.format("program", "nodes", "messages", "of MPI", "ratio", "in pieces", "ratio", "bytes", "of MPI", "ratio")]
    for result in results:
        for nodes in all_nodes:
            ours, theirs = (result["sent"][rival][nodes] for rival in RIVALS)
            lines.append(TRAFFIC.format(result["name"], nodes, f"{ours['messages']:.1f}", f"{theirs['messages']:.1f}",
                                        shown(messages_ratio(result, nodes), 2), f"{mpi_pieces(result, nodes):.1f}",
                                        shown(pieces_ratio(result, nodes), 2), f"{ours['bytes']:.0f}", f"{theirs['bytes']:.0f}",
                                        shown(bytes_ratio(result, nodes), 2)))
    return "\n".join(lines)


def sizes_table(results, nodes):
    """Messages by their size."""
    heads = [f"< {1 << bound} B" for bound in SIZE_BOUNDS] + ["larger"]
    lines = ["", f"Messages of a round by size, {nodes} nodes", SIZES.format("program", "", *heads)]
    for result in results:
        for rival in RIVALS:
            columns = [0] * (len(SIZE_BOUNDS) + 1)
            for power, count in result["sent"][rival][nodes]["histogram"].items():
                columns[sum(power >= bound for bound in SIZE_BOUNDS)] += count
            lines.append(SIZES.format(result["name"] if rival == RIVALS[0] else "", rival,
                                      *(f"{column:.1f}" for column in columns)))
    return "\n".join(lines)


def worst(results, nodes, measure):
    """Of the regular programs that MPI sends messages for; None if there is none."""
    return max((found for result in results if result["regular"] and (found := measure(result, nodes)) is not None), default=None)


def summary(results, nodes):
    """The last lines."""
    speeds = [result["speed"] for result in results]
    return (f"\nmost messages for one of MPI in pieces of at most 64 KiB: {shown(worst(results, nodes, pieces_ratio), 2)}\n"
            f"compare: geomean {math.exp(statistics.fmean(map(math.log, speeds))):.3f} min {min(speeds):.3f} "
            f"messages {shown(worst(results, nodes, messages_ratio), 2)}")
