// Locks.cpp: locks and flags of the runtime above the protocol, as far as they order accesses:
// queue locks that a node hands on among its threads, and whose holder releases before the lock
// leaves the node (libompdsm/src/Locks.cpp, without tokens that stay at a node).
#include "protocol/sim/simulator/Simulation.h"
#include "protocol/sim/simulator/WireSizes.h"

namespace ompdsm::simulator {

namespace {
/// Threads of a node that get the lock one after the other before it goes back.
constexpr unsigned kMostHandOffs = 4;
} // namespace

Task Simulation::lock(SimThread &thread, std::uint32_t name) {
  Node &node = nodeOf(thread);
  // A thread outside of the team would not come online again in a barrier (protocol/README.md).
  const bool goesOffline = !thread.program.isOutsider;
  if (goesOffline)
    goOffline(thread);
  thread.granted = false;
  const auto [entry, isNew] = node.locks.try_emplace(name);
  entry->second.waiters.push_back(&thread);
  if (isNew)
    sendToken(node, managerOf(name), Token::LockRequest, name);
  co_await until(thread, [&] { return thread.granted; });
  if (goesOffline)
    co_await goOnline(thread);
  else
    co_await acquire(thread);
}

bool Simulation::handOn(Node &node, LocalLock &entry) {
  if (entry.waiters.empty() || entry.handOffs >= kMostHandOffs)
    return false;
  ++entry.handOffs;
  grant(node, entry);
  return true;
}

void Simulation::grant(Node &node, LocalLock &entry) {
  entry.owner = entry.waiters.front();
  entry.waiters.pop_front();
  entry.owner->granted = true;
  notify(node);
}

Task Simulation::unlock(SimThread &thread, std::uint32_t name) {
  Node &node = nodeOf(thread);
  if (node.locks.at(name).owner != &thread)
    fail("the program is wrong: it releases a lock that it does not own");
  thread.forgetPermissions();
  if (handOn(node, node.locks.at(name)))
    co_return;
  // What its holders wrote is at home before the lock may leave.
  co_await release(thread);
  LocalLock &entry = node.locks.at(name);
  if (handOn(node, entry))
    co_return;
  entry.owner = nullptr;
  entry.handOffs = 0;
  const bool isWanted = !entry.waiters.empty();
  if (!isWanted)
    node.locks.erase(name);
  sendToken(node, managerOf(name), Token::LockReturn, name);
  if (isWanted)
    sendToken(node, managerOf(name), Token::LockRequest, name);
}

void Simulation::sendToken(Node &from, NodeId to, Token token, std::uint32_t name) {
  if (to == from.self)
    return onToken(from, to, token, name);
  Message message{from.self, to, Kind::Runtime};
  message.token = token;
  message.name = name;
  send(std::move(message), wire::kRuntime);
}

void Simulation::onToken(Node &node, NodeId from, Token token, std::uint32_t name) {
  switch (token) {
  case Token::LockRequest:
    if (ManagedLock &lock = node.managedLocks[name]; !std::exchange(lock.isTaken, true))
      sendToken(node, from, Token::LockGrant, name);
    else
      lock.queue.push_back(from);
    break;
  case Token::LockReturn: {
    ManagedLock &lock = node.managedLocks[name];
    lock.isTaken = !lock.queue.empty();
    if (!lock.isTaken)
      break;
    const NodeId next = lock.queue.front();
    lock.queue.pop_front();
    sendToken(node, next, Token::LockGrant, name);
    break;
  }
  case Token::LockGrant:
    grant(node, node.locks.at(name));
    break;
  case Token::Flag:
    node.flags[name] = true;
    notify(node);
    break;
  }
}

void Simulation::setFlag(SimThread &thread, std::uint32_t name) {
  for (NodeId reader : program_.flagReaders[name])
    sendToken(nodeOf(thread), reader, Token::Flag, name);
}

} // namespace ompdsm::simulator
