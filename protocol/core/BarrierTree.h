// BarrierTree.h: by which way the reports of a barrier come together, and what they bring.
//
// The nodes form a binomial tree: the parent of n is n without its lowest bit, so that neighbours
// of a stencil are often parent and child. A node that has all of its children reports to its
// parent; when all have come together at node 0, the word goes down again. Twice as many messages
// as there are edges, in 2 log2 N message times; all to all would be N (N - 1) in one. Two nodes
// tell each other: one message time, as many messages. Unless node 1 waits for an order of node 0
// anyway: a join. In the second half, in which there is something to tell, up to four do.
//
// Source of the tree: Thakur, Rabenseifner, Gropp, "Optimization of collective communication
// operations in MPICH" (IJHPCA 19, 2005), section 3.
#pragma once
#include "Types.h"
#include <bit>

namespace ompdsm {

constexpr bool tellEachOther(std::size_t nodes, bool isJoin, bool isSecondHalf) {
  constexpr std::size_t kMostNodes = 2, kMostInSecondHalf = 4;
  return !isJoin && nodes <= (isSecondHalf ? kMostInSecondHalf : kMostNodes);
}

constexpr NodeId parentOf(NodeId node) { return NodeId(node & (node - 1)); }
template <class Visit> constexpr void forEachChild(NodeId node, std::size_t nodes, Visit visit) {
  for (unsigned bit = 1; node + bit < nodes && !(node & bit); bit <<= 1)
    visit(NodeId(node + bit));
}
/// Whether `node` is `top` or reports to it, directly or not.
constexpr bool isBelow(NodeId node, NodeId top) {
  return node >= top && (top == 0 || node - top < (top & -unsigned(top)));
}
/// From how many nodes one hears before it passes the word on.
constexpr unsigned reportersOf(NodeId node, std::size_t nodes, bool tellEachOther) {
  unsigned count = 0;
  if (tellEachOther)
    return static_cast<unsigned>(nodes - 1);
  forEachChild(node, nodes, [&](NodeId) { ++count; });
  return count;
}
/// Whether it may tell another of itself when it arrives, as it has not to hear of anybody before.
constexpr bool tellsAtOnce(NodeId node, NodeId other, std::size_t nodes, bool tellEachOther) {
  return node != other &&
         (tellEachOther || (other == parentOf(node) && reportersOf(node, nodes, false) == 0));
}

/// How many messages one node has ever sent to another: only of pairs between which there were some
/// since the barrier before. The receiver leaves when it has processed as many.
template <class Value> struct Sent {
  NodeId from = 0, to = 0;
  Value puts = 0, invalidates = 0;
};

/// What holds of all nodes of which a report tells.
struct Agreement {
  bool askNothing = true; ///< They promise to ask nothing of a home until the barrier ends.
  bool areSettled = true; ///< Nothing comes of what they have sent (BarrierRules.h).
  bool tellNobody = true; ///< The same, if nobody asks.
  void join(const Agreement &other) {
    askNothing = askNothing && other.askNothing;
    areSettled = areSettled && other.areSettled;
    tellNobody = tellNobody && other.tellNobody;
  }
  bool needSecondHalf() const { return !areSettled && !(tellNobody && askNothing); }
};

} // namespace ompdsm
