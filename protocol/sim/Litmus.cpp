#include "protocol/sim/Litmus.h"
#include <algorithm>
#include <array>
#include <set>

namespace ompdsm::sim {

namespace {
constexpr bool isAccess(Operation::Kind kind) {
  return kind == Operation::Load || kind == Operation::Store;
}

Held after(const Operation &operation, Held held) {
  const std::uint8_t byte = std::uint8_t(1u << (operation.byte & 7));
  if (operation.isSynchronisation())
    held.readable = held.writable = held.touched = held.outdated = 0;
  switch (operation.kind) {
  case Operation::CheckWrite:
  case Operation::CheckOverwrite:
  case Operation::CheckRewrite:
    held.writable |= operation.value;
    [[fallthrough]];
  case Operation::CheckRead:
    held.readable |= operation.value;
    for (unsigned i = 0; i < kBytes; ++i)
      if (operation.value >> (i / kBlockBytes) & 1)
        held.outdated &= std::uint8_t(~(1u << i));
    break;
  case Operation::Exchange: // of a home: found at its release, as a store
  case Operation::AtomicStore:
  case Operation::Add:
  case Operation::Raise:
    held.unreleased |= byte;
    held.outdated |= byte;
    held.touched &= std::uint8_t(~byte);
    break;
  case Operation::Store:
    held.unreleased |= byte;
    [[fallthrough]];
  case Operation::Load:
    held.touched |= byte;
    break;
  case Operation::Release:
  case Operation::Begin:
  case Operation::Barrier:
  case Operation::Offline: // its node's next barrier releases for it
    held.unreleased = 0;
    break;
  default:
    break;
  }
  return held;
}

/// How far each thread is, the flags that are set, the locks that are held.
using Place = std::array<std::uint8_t, kMaxThreads + 2>;

/// What a thread does next to a byte that others may touch, if anything.
struct Touch {
  int byte = -1;
  bool writes = false, isAtomic = false;
  int stored = -1;     ///< The value, if one is stored.
  bool isHere = false; ///< At the byte's home, which does not move.
  bool conflicts(const Touch &other) const {
    return byte >= 0 && byte == other.byte && (writes || other.writes) &&
           !(isAtomic && other.isAtomic) && !(stored >= 0 && stored == other.stored) &&
           !isSeenBy(other) && !other.isSeenBy(*this);
  }
  /// An atomic load is done at the home, so that it finds what is stored there, in whatever order.
  bool isSeenBy(const Touch &load) const { return isHere && load.isAtomic && !load.writes; }
};
Touch touchOf(const Litmus &litmus, unsigned node, const Operation &operation) {
  const BlockTraits &block = litmus.blocks[operation.byte / kBlockBytes % kBlocks];
  switch (operation.kind) {
  case Operation::Load:
    return {operation.byte, false, false};
  case Operation::Store:
    return {operation.byte, true, false, operation.value, block.home == node && !block.migratable};
  case Operation::RawStore:
    return block.foreign ? Touch{operation.byte, true, false} : Touch{};
  case Operation::Exchange:
  case Operation::AtomicStore:
  case Operation::Add:
  case Operation::Raise:
    return {operation.byte, true, true, operation.value};
  case Operation::AtomicLoad:
    return {operation.byte, false, true};
  default:
    return {};
  }
}

/// The program alone, one operation after the other, in every order: it has a data race if two
/// conflicting accesses can both come next.
class Orders {
public:
  explicit Orders(const Litmus &litmus) : litmus_(litmus) {}

  std::string visit(const Place &start) {
    std::vector<Place> open{start};
    std::set<Place> seen{start};
    while (!open.empty()) {
      const Place here = open.back();
      open.pop_back();
      std::vector<Place> next;
      bool done = true;
      for (unsigned t = 0; t < litmus_.threads.size(); ++t) {
        done = done && isDone(here, t);
        for (unsigned u = 0; u < t; ++u)
          if (!isDone(here, t) && !isDone(here, u) &&
              touchOf(litmus_, litmus_.threads[t].node, at(here, t))
                  .conflicts(touchOf(litmus_, litmus_.threads[u].node, at(here, u))))
            return "threads " + std::to_string(u) + " and " + std::to_string(t) +
                   " race: " + toString(at(here, u)) + ", " + toString(at(here, t));
        advance(here, t, next);
      }
      passBarrier(here, next);
      if (next.empty() && !done)
        return "it cannot end, whatever the protocol does";
      for (const Place &place : next)
        if (seen.insert(place).second)
          open.push_back(place);
    }
    return "";
  }

private:
  bool isDone(const Place &place, unsigned t) const {
    return place[t] >= litmus_.threads[t].operations.size();
  }
  const Operation &at(const Place &place, unsigned t) const {
    return litmus_.threads[t].operations[place[t]];
  }
  void advance(const Place &here, unsigned t, std::vector<Place> &next) const {
    if (isDone(here, t))
      return;
    const Operation &operation = at(here, t);
    const std::uint8_t bit = std::uint8_t(1u << operation.value % 8);
    Place place = here;
    std::uint8_t &flags = place[kMaxThreads], &locks = place[kMaxThreads + 1];
    switch (operation.kind) {
    case Operation::Barrier:
      return;
    case Operation::Tell:
    case Operation::Post:
    case Operation::Give:
      flags |= bit;
      break;
    case Operation::Watch:
    case Operation::Wait:
    case Operation::Take:
      if (!(flags & bit))
        return;
      break;
    case Operation::Lock:
      if (locks & bit)
        return;
      locks |= bit;
      break;
    case Operation::Unlock:
      locks &= std::uint8_t(~bit);
      break;
    default:
      break;
    }
    ++place[t];
    next.push_back(place);
  }
  /// If one thread of each node is at a barrier, all of these go on.
  void passBarrier(const Place &here, std::vector<Place> &next) const {
    Place place = here;
    unsigned nodes = 0;
    for (unsigned t = 0; t < litmus_.threads.size(); ++t)
      if (!isDone(here, t) && at(here, t).kind == Operation::Barrier) {
        nodes |= 1u << litmus_.threads[t].node;
        ++place[t];
      }
    if (nodes == (1u << litmus_.nodeCount()) - 1)
      next.push_back(place);
  }

  const Litmus &litmus_;
};
} // namespace

bool Litmus::has(Operation::Kind kind) const {
  return std::any_of(threads.begin(), threads.end(), [&](const Program &program) {
    return std::any_of(program.operations.begin(), program.operations.end(),
                       [&](const Operation &operation) { return operation.kind == kind; });
  });
}

unsigned Litmus::nodeCount() const {
  unsigned count = 0;
  for (const Program &program : threads)
    count = std::max(count, program.node + 1u);
  for (const BlockTraits &block : blocks)
    for (const Program &program : threads)
      for (const Operation &operation : program.operations)
        if (isAccess(operation.kind) && &blocks[operation.byte / kBlockBytes] == &block)
          count = std::max(count, block.home + 1u);
  return std::max(count, 2u);
}

std::vector<std::vector<Held>> holdingsOf(const Litmus &litmus) {
  std::vector<std::vector<Held>> all;
  for (const Program &program : litmus.threads) {
    std::vector<Held> &holdings = all.emplace_back(1);
    for (const Operation &operation : program.operations)
      holdings.push_back(after(operation, holdings.back()));
  }
  return all;
}

/// Whether a thread does all that it has promised by checks of what it overwrites.
static bool keepsPromises(const Program &program) {
  unsigned promised = 0, unread = 0; // Bytes that will be stored to; of these, before any is read.
  for (const Operation &operation : program.operations) {
    const unsigned byte = 1u << (operation.byte & 7);
    if (operation.kind == Operation::CheckOverwrite || operation.kind == Operation::CheckRewrite) {
      unsigned bytes = 0;
      for (unsigned i = 0; i < kBytes; ++i)
        bytes |= unsigned(operation.value >> (i / kBlockBytes) & 1) << i;
      promised |= bytes;
      if (operation.kind == Operation::CheckOverwrite)
        unread |= bytes;
    } else if (operation.kind == Operation::Store) {
      promised &= ~byte;
    } else if (const Operation::Kind kind = operation.kind;
               (promised && operation.isSynchronisation()) ||
               ((promised & unread & byte) &&
                (kind == Operation::Load || kind == Operation::Exchange ||
                 kind == Operation::AtomicStore || kind == Operation::Add ||
                 kind == Operation::Raise || kind == Operation::AtomicLoad))) {
      return false;
    }
  }
  return promised == 0;
}

std::string faultOf(const Litmus &litmus) {
  if (litmus.threads.empty() || litmus.threads.size() > kMaxThreads)
    return "it has no thread, or too many";
  if (litmus.nodeCount() > kMaxNodes)
    return "it has too many nodes";
  const auto holdings = holdingsOf(litmus);
  for (std::size_t t = 0; t < litmus.threads.size(); ++t) {
    const auto &operations = litmus.threads[t].operations;
    if (!keepsPromises(litmus.threads[t]))
      return "thread " + std::to_string(t) + " does not overwrite what it has promised to";
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const Operation &operation = operations[i];
      const Held &held = holdings[t][i];
      const std::uint8_t allowed =
          operation.kind == Operation::Store ? held.writable : held.readable;
      if (isAccess(operation.kind) && (!(allowed >> (operation.byte / kBlockBytes) & 1) ||
                                       (held.outdated >> operation.byte & 1)))
        return "thread " + std::to_string(t) + ", operation " + std::to_string(i) +
               " has no permission: " + toString(operation);
    }
  }
  return Orders(litmus).visit(Place{});
}

std::string toString(const Operation &operation) {
  constexpr const char *kNames[] = {
      "CheckRead", "CheckWrite", "CheckOverwrite", "CheckRewrite", "Prefetch",   "Load",
      "Store",     "RawLoad",    "RawStore",       "Exchange",     "AtomicLoad", "AtomicStore",
      "Add",       "Raise",      "Lease",          "Tell",         "Watch",      "ProposeHome",
      "Evict",     "Release",    "Drop",           "Post",         "Wait",       "Begin",
      "Give",      "Take",       "Lock",           "Unlock",       "Barrier",    "Offline",
      "Online"};
  std::string text = kNames[int(operation.kind)];
  const char *bytes = "XYUV", *blocks[] = {"", " 0", " 1", " 0 and 1"};
  switch (operation.kind) {
  case Operation::CheckRead:
  case Operation::CheckWrite:
  case Operation::CheckOverwrite:
  case Operation::CheckRewrite:
  case Operation::Prefetch:
  case Operation::Evict:
    return text + " of block" + blocks[operation.value & 3];
  case Operation::Load:
  case Operation::RawLoad:
  case Operation::AtomicLoad:
  case Operation::Lease:
    return text + " " + bytes[operation.byte];
  case Operation::Store:
  case Operation::RawStore:
  case Operation::Exchange:
  case Operation::AtomicStore:
  case Operation::Add:
  case Operation::Raise:
  case Operation::ProposeHome:
    return text + " " + bytes[operation.byte] + " := " + std::to_string(operation.value);
  case Operation::Tell:
  case Operation::Watch:
  case Operation::Post:
  case Operation::Wait:
  case Operation::Begin:
  case Operation::Give:
  case Operation::Take:
  case Operation::Lock:
  case Operation::Unlock:
    return text + " " + char('a' + operation.value);
  default:
    return text;
  }
}

} // namespace ompdsm::sim
