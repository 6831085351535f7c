// Locks.cpp: locks and flags of the runtime above the protocol, as far as they order accesses:
// queue locks that a node hands on among its threads, and whose holder releases before the lock
// leaves the node, towards the node that gets it next if that is known (libompdsm/src/Locks.cpp,
// without tokens that stay at a node).
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
  co_await until(thread, [&] {
    if (!thread.granted)
      return false;
    const TokenBody &granted = node.locks.at(name).granted;
    return !rules_.takersSeeWhatWasSent || granted.handover.isProcessed(node.peers[granted.node]);
  });
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
  // What its holders wrote is at home before the lock may leave, or on its way to the next one.
  LocalLock &entry = node.locks.at(name);
  co_await release(thread, &entry);
  if (handOn(node, entry))
    co_return;
  entry.owner = nullptr;
  entry.handOffs = 0;
  const TokenBody left{node.self, std::exchange(entry.handover, {})};
  entry.wanter.reset();
  const bool isWanted = !entry.waiters.empty();
  if (!isWanted)
    node.locks.erase(name);
  sendToken(node, managerOf(name), Token::LockReturn, name, left);
  if (isWanted)
    sendToken(node, managerOf(name), Token::LockRequest, name);
}

void Simulation::sendToken(Node &from, NodeId to, Token token, std::uint32_t name, TokenBody body) {
  if (to == from.self)
    return onToken(from, to, token, name, body);
  Message message{from.self, to, Kind::Runtime};
  message.token = token;
  message.tokenBody = body;
  message.name = name;
  send(std::move(message), wire::kRuntime);
}

void Simulation::onToken(Node &node, NodeId from, Token token, std::uint32_t name,
                         const TokenBody &body) {
  switch (token) {
  case Token::LockRequest: {
    ManagedLock &lock = node.managedLocks[name];
    if (!lock.holder) {
      lock.holder = from;
      sendToken(node, from, Token::LockGrant, name);
      break;
    }
    lock.queue.push_back(from);
    if (lock.queue.size() == 1)
      sendToken(node, *lock.holder, Token::LockRecall, name, {from});
    break;
  }
  case Token::LockRecall:
    // Else it is on its way back.
    if (const auto entry = node.locks.find(name);
        entry != node.locks.end() && entry->second.owner != nullptr) {
      entry->second.wanter = body.node;
      notify(node); // a release may wait for others only
    }
    break;
  case Token::LockReturn: {
    ManagedLock &lock = node.managedLocks[name];
    lock.holder.reset();
    if (lock.queue.empty())
      break;
    const NodeId next = lock.queue.front();
    lock.holder = next;
    lock.queue.pop_front();
    sendToken(node, next, Token::LockGrant, name, body);
    if (!lock.queue.empty())
      sendToken(node, next, Token::LockRecall, name, {lock.queue.front()});
    break;
  }
  case Token::LockGrant: {
    LocalLock &entry = node.locks.at(name);
    entry.granted = body;
    grant(node, entry);
    break;
  }
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
