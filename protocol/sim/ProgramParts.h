// ProgramParts.h: the words that litmus programs are written in.
#pragma once
#include "protocol/sim/Litmus.h"

namespace ompdsm::sim::parts {

inline constexpr std::uint8_t X = 0, Y = 1, U = 2, V = 3; ///< X and Y lie in block 0.
enum Flag : std::uint8_t { a, b, c, d, e, f, g, h };
using Operations = std::vector<Operation>;

/// Not inline: programs are long sums, which take a compiler seconds otherwise.
[[gnu::noinline]] inline Operations operator+(Operations left, const Operations &right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}
[[gnu::noinline]] inline Operations one(Operation::Kind kind, std::uint8_t byte = 0,
                                        std::uint8_t value = 0) {
  return {{kind, byte, value}};
}
constexpr std::uint8_t blockOf(std::uint8_t byte) {
  return std::uint8_t(1u << (byte / kBlockBytes));
}
inline Operations checkRead(std::uint8_t byte = X) {
  return one(Operation::CheckRead, 0, blockOf(byte));
}
inline Operations checkWrite(std::uint8_t byte = X) {
  return one(Operation::CheckWrite, 0, blockOf(byte));
}
inline Operations checkOverwrite(std::uint8_t byte = X) {
  return one(Operation::CheckOverwrite, 0, blockOf(byte));
}
/// One check of both blocks, whose misses overlap.
inline Operations checkReadBoth() { return one(Operation::CheckRead, 0, 3); }
inline Operations checkWriteBoth() { return one(Operation::CheckWrite, 0, 3); }
inline Operations load(std::uint8_t byte) { return one(Operation::Load, byte); }
inline Operations store(std::uint8_t byte, std::uint8_t value) {
  return one(Operation::Store, byte, value);
}
inline Operations read(std::uint8_t byte) { return checkRead(byte) + load(byte); }
inline Operations write(std::uint8_t byte, std::uint8_t value) {
  return checkWrite(byte) + store(byte, value);
}
/// All of block 0.
inline Operations checkRewrite(std::uint8_t byte = X) {
  return one(Operation::CheckRewrite, 0, blockOf(byte));
}
inline Operations overwrite(std::uint8_t first, std::uint8_t second) {
  return checkOverwrite() + store(X, first) + store(Y, second);
}
inline Operations rawStore(std::uint8_t byte, std::uint8_t value) {
  return one(Operation::RawStore, byte, value);
}
inline Operations rawLoad(std::uint8_t byte) { return one(Operation::RawLoad, byte); }
inline Operations prefetch(std::uint8_t byte = X) {
  return one(Operation::Prefetch, 0, blockOf(byte));
}
inline Operations exchange(std::uint8_t byte, std::uint8_t value) {
  return one(Operation::Exchange, byte, value);
}
inline Operations update(std::uint8_t byte, std::uint8_t value) {
  return one(Operation::AtomicStore, byte, value);
}
/// A maximum.
inline Operations raise(std::uint8_t byte, std::uint8_t value) {
  return one(Operation::Raise, byte, value);
}
/// An update that the node keeps, if it can.
inline Operations add(std::uint8_t byte, std::uint8_t value) {
  return one(Operation::Add, byte, value);
}
inline Operations atomicLoad(std::uint8_t byte) { return one(Operation::AtomicLoad, byte); }
/// Of a copy that serves atomic loads.
inline Operations lease(std::uint8_t byte) { return one(Operation::Lease, byte) + checkRead(byte); }
inline Operations proposeHome(std::uint8_t byte, std::uint8_t node) {
  return one(Operation::ProposeHome, byte, node);
}
inline Operations evict(std::uint8_t byte = X) { return one(Operation::Evict, 0, blockOf(byte)); }
inline Operations drop() { return one(Operation::Drop); }
inline Operations release() { return one(Operation::Release); }
inline Operations post(Flag flag) { return one(Operation::Post, 0, flag); }
inline Operations wait(Flag flag) { return one(Operation::Wait, 0, flag); }
inline Operations tell(Flag flag) { return one(Operation::Tell, 0, flag); }
inline Operations watch(Flag flag) { return one(Operation::Watch, 0, flag); }
/// A release that others can wait for.
inline Operations signal(Flag flag) { return release() + post(flag); }
/// A release towards some nodes, with the message by which they acquire.
inline Operations order(Flag flag, std::uint8_t nodes) {
  return one(Operation::Release, nodes) + one(Operation::Post, nodes, flag);
}
inline Operations obey(Flag flag) { return one(Operation::Wait, 1, flag); }
/// A release that others hear of later, by hand().
inline Operations begin(Flag flag) { return one(Operation::Begin, 0, flag); }
inline Operations hand(Flag flag, std::uint8_t node) { return one(Operation::Give, node, flag); }
/// A release of which another node hears before it is confirmed there.
inline Operations give(Flag flag, std::uint8_t node) { return begin(flag) + hand(flag, node); }
inline Operations take(Flag flag) { return one(Operation::Take, 0, flag); }
inline Operations lock(Flag name) { return one(Operation::Lock, 0, name); }
/// A release before the lock is handed over.
inline Operations unlock(Flag name) { return release() + one(Operation::Unlock, 0, name); }
inline Operations barrier() { return one(Operation::Barrier); }
inline Operations barrierBefore(std::uint8_t byte) {
  return one(Operation::Barrier, blockOf(byte), 0);
}
/// After which all but node 0 wait for it.
inline Operations join() { return one(Operation::Barrier, 0, 1); }
inline Operations offline() { return one(Operation::Offline); }
inline Operations online() { return one(Operation::Online); }

/// What the program must leave behind, and may cost at most.
inline Litmus ending(Litmus litmus, std::vector<Ending> endings, Cost most = {}) {
  litmus.endings = std::move(endings);
  litmus.most = most;
  return litmus;
}

} // namespace ompdsm::sim::parts
