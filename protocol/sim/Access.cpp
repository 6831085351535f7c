// Access.cpp: memory, records and messages of the small world, as the core's steps ask for them.
#include "protocol/core/Print.h"
#include "protocol/sim/World.h"
#include <algorithm>
#include <cstring>

namespace ompdsm::sim {

const Transition &World::Access::transition(BlockState state, Event event) const {
  world_.reached[std::size_t(state)][std::size_t(event)] = true;
  const Transition &found = world_.rules_.cell(state, event);
  if (world_.log) {
    std::string text = "  node " + std::to_string(n_) + ", block " + std::to_string(b_) + ": " +
                       ompdsm::nameOf(event) + " in " + ompdsm::nameOf(state);
    if (found.possible) {
      text += std::string(" -> ") + ompdsm::nameOf(found.next);
      for (Action action : found.actions)
        if (action != Action::None)
          text += std::string(" ") + ompdsm::nameOf(action);
    }
    world_.note(text);
  }
  return found;
}

void World::Access::impossible(Event event) {
  world_.fail(std::string("impossible: ") + ompdsm::nameOf(event) + " in " +
              ompdsm::nameOf(state()));
}

void World::Access::addWaiter() {
  if (context_.thread == kMaxThreads)
    return world_.fail("nobody waits for what is awaited");
  record().waiters |= std::uint8_t(1u << context_.thread);
  s_.threads[context_.thread].awaits |= std::uint8_t(1u << b_);
}

void World::Access::wakeWaiters() {
  for (unsigned t = 0; t < kMaxThreads; ++t)
    if (record().waiters >> t & 1) {
      Thread &thread = s_.threads[t];
      thread.awaits &= std::uint8_t(~(1u << b_));
      if (!thread.awaits)
        world_.finish(s_, t);
    }
  record().waiters = 0;
  --node().requestsInFlight;
}

bool World::Access::isQuietSince(std::uint64_t stamp) const {
  for (unsigned t = 0; t < world_.litmus_.threads.size(); ++t)
    if (world_.nodeOf(t) == n_ && t != context_.thread &&
        !Clock::isQuiet(s_.threads[t].quiescentAt, std::uint8_t(stamp)))
      return false;
  return true;
}

void World::Access::takeWhole(bool) {
  std::copy_n(copy().memory, kBlockBytes, copy().snapshot);
  context_.mask = (1u << kBlockBytes) - 1;
}

void World::Access::makeTwinOfSnapshot() {
  if (record().twinned)
    return world_.fail("a twin is made where there is one");
  std::copy_n(copy().snapshot, kBlockBytes, copy().twin);
  record().twinned = true;
}

bool World::Access::needTwin() {
  if (!record().twinned)
    world_.fail("a twin is used where there is none");
  return record().twinned;
}

void World::Access::write(unsigned byte, std::uint8_t value) {
  std::uint8_t &target = copy().memory[byte];
  world_.checkOverwritten(s_, n_, b_ * kBlockBytes + byte, target, value);
  target = value;
}

bool World::Access::keepsBytesUnderZeros() const {
  return context_.message->flag && !world_.rules_.zerosAreData;
}

void World::Access::overwriteMemory() {
  if (keepsBytesUnderZeros())
    return;
  for (unsigned i = 0; i < kBlockBytes; ++i)
    write(i, context_.message->bytes[i]);
}

void World::Access::mergeUnderWriters() {
  if (!needTwin() || keepsBytesUnderZeros())
    return;
  for (unsigned i = 0; i < kBlockBytes; ++i)
    if (context_.message->bytes[i] != copy().twin[i]) {
      write(i, context_.message->bytes[i]);
      copy().twin[i] = context_.message->bytes[i];
    }
}

void World::Access::takeTwin() {
  if (record().twinned)
    return world_.fail("a twin is made where there is one");
  std::copy_n(copy().memory, kBlockBytes, copy().twin);
  record().twinned = true;
}

void World::Access::renewTwin() {
  if (needTwin())
    std::copy_n(copy().snapshot, kBlockBytes, copy().twin);
}

void World::Access::freeTwin() {
  if (!needTwin())
    return;
  std::fill_n(copy().twin, kBlockBytes, std::uint8_t(0));
  record().twinned = false;
}

void World::Access::keepDigest() {
  if (record().twinned || record().digested)
    return world_.fail("a digest is kept beside a twin, or another one");
  std::copy_n(copy().memory, kBlockBytes, copy().twin);
  record().digested = true;
}

bool World::Access::compareWithDigest() {
  if (!record().digested)
    world_.fail("a digest is used where there is none");
  takeWhole(/*quiet=*/false);
  return std::memcmp(copy().snapshot, copy().twin, kBlockBytes) != 0;
}

void World::Access::dropDigest() {
  if (!record().digested)
    return world_.fail("a digest is dropped where there is none");
  std::fill_n(copy().twin, kBlockBytes, std::uint8_t(0));
  record().digested = false;
}

bool World::Access::compareWithTwin() {
  context_.mask = 0;
  if (!needTwin())
    return false;
  if (world_.rules_.quietBeforeSnapshot || !node().locked)
    std::copy_n(copy().memory, kBlockBytes, copy().snapshot);
  for (unsigned i = 0; i < kBlockBytes; ++i)
    context_.mask |= std::uint8_t((copy().snapshot[i] != copy().twin[i]) << i);
  return context_.mask != 0;
}

void World::Access::applyChangesToMemory() {
  for (unsigned i = 0; i < kBlockBytes; ++i)
    if (context_.message->mask >> i & 1)
      write(i, context_.message->bytes[i]);
}

void World::Access::applyChangesToTwin() {
  for (unsigned i = 0; i < kBlockBytes; ++i)
    if (context_.message->mask >> i & 1)
      copy().twin[i] = context_.message->bytes[i];
}

void World::Access::executeAtomicInMemory() {
  const Message &message = *context_.message;
  const unsigned byte = message.block * kBlockBytes + message.mask;
  context_.executed = true;
  if (message.kind == Kind::Atomic)
    world_.see(s_, message.thread, byte, message.flag ? message.bytes[0] : s_.truth[byte]);
  if (message.flag) {
    write(message.mask, message.resultOf(copy().memory[message.mask]));
    if (!message.whole)
      s_.truth[byte] = message.resultOf(s_.truth[byte]);
  } else if (copy().memory[message.mask] != s_.truth[byte])
    world_.fail("G3: an atomic load reads " + std::to_string(copy().memory[message.mask]) +
                ", not " + std::to_string(s_.truth[byte]));
}

void World::Access::applyAtomicToTwin() {
  const Message &message = *context_.message;
  std::uint8_t &twin = copy().twin[message.mask];
  if (message.flag)
    twin = message.kept ? message.resultOf(twin) : copy().memory[message.mask];
}

void World::Access::collectGet() {
  Message message{};
  message.from = std::uint8_t(n_);
  message.to = node().homes[b_];
  message.kind = context_.isBehindBarrier ? Kind::GetBehind : Kind::Get;
  message.block = std::uint8_t(b_);
  message.epoch = context_.isBehindBarrier ? std::uint8_t(node().entered + 1) : node().completed;
  ++node().requestsInFlight;
  world_.send(s_, message);
}

void World::Access::collectPut() {
  if (context_.mask ||
      record().distrusted) // as the engine, whose message has no line of it otherwise
    sendPut(false, false);
}
void World::Access::collectWhole() { sendPut(true, false); }
void World::Access::collectAway() { sendPut(true, true); }

void World::Access::sendPut(bool whole, bool away) {
  Message message{};
  message.whole = whole;
  message.away = away;
  message.from = std::uint8_t(n_);
  message.to = node().homes[b_];
  message.kind = Kind::Put;
  message.block = std::uint8_t(b_);
  message.mask = context_.mask;
  for (unsigned i = 0; i < kBlockBytes; ++i)
    if (context_.mask >> i & 1)
      message.bytes[i] = copy().snapshot[i];
  message.epoch = node().completed;
  message.flag = context_.acknowledged;
  Peer &home = node().peers[message.to];
  home.onPutSent(message.flag, away || !copy().isSole);
  if (world_.traits(b_).comesWhole())
    copy().latestPut = home.putsSent.get();
  world_.send(s_, message);
}

void World::Access::collectLeave() {
  Message message{};
  message.from = std::uint8_t(n_);
  message.to = node().homes[b_];
  message.kind = Kind::Leave;
  message.block = std::uint8_t(b_);
  message.epoch = node().completed;
  Peer &home = node().peers[message.to];
  if (world_.rules_.barriersCountLeaves)
    home.onLeaveSent();
  if (world_.traits(b_).comesWhole() && world_.rules_.suppliesCrossNoLeaves)
    copy().latestPut = home.putsSent.get();
  world_.send(s_, message);
}

void World::Access::sendData(NodeId to, const std::uint8_t *bytes) {
  Message message{};
  message.from = std::uint8_t(n_);
  message.to = std::uint8_t(to);
  message.kind = Kind::Data;
  message.block = std::uint8_t(b_);
  message.flag = std::all_of(bytes, bytes + kBlockBytes, [](std::uint8_t byte) { return !byte; });
  std::copy_n(bytes, kBlockBytes, message.bytes);
  world_.send(s_, message);
}
void World::Access::collectTwin(NodeId to) {
  if (needTwin())
    sendData(to, copy().twin);
}
void World::Access::collectMemory(NodeId to) { sendData(to, copy().memory); }
void World::Access::collectSupply(NodeId to) {
  sendUpdate(to, (1u << kBlockBytes) - 1, copy().memory, /*whole=*/true, /*isSole=*/false);
}

bool World::Access::sentDiffers() {
  return (record().digested || needTwin()) &&
         std::memcmp(copy().memory, copy().twin, kBlockBytes) != 0;
}

void World::Access::collectUpdate(NodeId to) {
  sendUpdate(to, context_.mask, copy().snapshot, /*whole=*/false);
}
void World::Access::collectRefresh(NodeId to) {
  sendUpdate(to, (1u << kBlockBytes) - 1, copy().snapshot, /*whole=*/true);
}
void World::Access::forwardPut(NodeId to) {
  sendUpdate(to, context_.message->mask, context_.message->bytes, /*whole=*/false);
}

void World::Access::collectSharing(NodeId to, bool isSole) {
  if (isSole || world_.rules_.soleSharersHearOfOthers)
    sendUpdate(to, 0, copy().memory, /*whole=*/false);
}

void World::Access::sendUpdate(NodeId to, std::uint8_t mask, const std::uint8_t *bytes,
                               bool whole) {
  sendUpdate(to, mask, bytes, whole, isOnlySharer(to));
}

void World::Access::sendUpdate(NodeId to, std::uint8_t mask, const std::uint8_t *bytes, bool whole,
                               bool isSole) {
  Message message{};
  message.from = std::uint8_t(n_);
  message.to = std::uint8_t(to);
  message.kind = Kind::Update;
  message.whole = whole;
  message.block = std::uint8_t(b_);
  message.mask = mask;
  for (unsigned i = 0; i < kBlockBytes; ++i)
    if (mask >> i & 1)
      message.bytes[i] = bytes[i];
  message.flag = context_.acknowledged;
  message.count = node().peers[to].putsProcessed.get();
  message.isSole = isSole;
  copy().hasSaidSole |= message.isSole;
  node().peers[to].onInvalidateSent(message.flag);
  world_.send(s_, message);
}

void World::Access::collectInvalidate(NodeId to) {
  world_.sendInvalidate(s_, n_, to, b_, context_.acknowledged && !context_.isFollowed);
}

} // namespace ompdsm::sim
