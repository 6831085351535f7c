#include "protocol/engine/EngineImpl.h"
#include "protocol/engine/ProtocolScope.h"

namespace ompdsm {

Engine::Impl::Impl(const AddressMap &map, Messenger &messenger, EngineOptions options)
    : map(map), messenger(messenger), options(options), self(messenger.self()),
      nodes(messenger.nodeCount()), grace(options.events), homes(map), sizes(map),
      states_(options.stateTable, options.missCounts, options.groupTable), getRuns_(nodes),
      leaveRuns_(nodes), invalidateRuns_(nodes), puts_(nodes), updates_(nodes), sums_(nodes),
      data_(nodes), peers_(nodes), history_(self, nodes, options.homePatience) {
  if (options.countSites)
    sites.emplace();
  OMPDSM_CHECK(options.stateTable && options.atomicExecutor);
  std::size_t largest = kPageBytes; // What adapts its size is at most as large.
  for (const Area &area : map.areas())
    largest = std::max(largest, area.blockBytes());
  snapshot_.resize(largest);
  zeros_.resize(largest);
  masks_.resize(largest / kLineBytes);

  using fabric::Bytes;
  for (MessageKind kind : {MessageKind::Get, MessageKind::Put, MessageKind::Leave,
                           MessageKind::Atomic, MessageKind::AtomicPut, MessageKind::Sums})
    messenger.setHandler(kind,
                         [this, kind](NodeId from, Bytes body) { onRequest(from, kind, body); });
  auto handle = [&](MessageKind kind, void (Impl::*handler)(NodeId, Bytes)) {
    messenger.setHandler(kind,
                         [this, handler](NodeId from, Bytes b) { (this->*handler)(from, b); });
  };
  handle(MessageKind::Data, &Impl::onData);
  handle(MessageKind::Invalidate, &Impl::onInvalidate);
  handle(MessageKind::Update, &Impl::onUpdate);
  handle(MessageKind::CommonUpdate, &Impl::onCommonUpdate);
  handle(MessageKind::InvalidateAck, &Impl::onInvalidateAck);
  handle(MessageKind::PutAck, &Impl::onPutAck);
  handle(MessageKind::AtomicReply, &Impl::onAtomicReply);
  handle(MessageKind::GetBehind, &Impl::onGetBehind);
  handle(MessageKind::SiteReads, &Impl::onSiteReads);
  handle(MessageKind::Order, &Impl::onOrder);
  handle(MessageKind::SilentStores, &Impl::onSilentStores);
  handle(MessageKind::Offer, &Impl::onOffer);
  handle(MessageKind::BarrierArrive, &Impl::onBarrierReport);
  handle(MessageKind::BarrierDone, &Impl::onBarrierReport);
  handle(MessageKind::BarrierGo, &Impl::onBarrierGo);
  messenger.setReminder([this] { sendSums(); });
}

Engine::Impl::~Impl() {
  blocks_.forEachRecord([&](BlockRecord &record, unsigned blockShift) {
    if (record.twin && record.twin != zeros_.data())
      blocks_.twins().release(record.twin, blockShift);
  });
}

void Engine::Impl::comeTo(SiteId site) {
  site_.store(site, std::memory_order_relaxed);
  countAt(site, [](SiteCounts &counts) { ++counts.visits; });
}

bool Engine::Impl::isInBarrier() const {
  return enteredEpoch_.load(std::memory_order_acquire) !=
         completedEpoch_.load(std::memory_order_acquire);
}

BlockRef Engine::Impl::blockAt(Address address) const {
  return blockAt(*sizes.find(address), address);
}

BlockRef Engine::Impl::blockAt(const Area &area, Address address) const {
  Address begin = area.blockBegin(address);
  return {&area, begin, area.blockEnd(address) - begin};
}

Engine::Engine(const AddressMap &map, Messenger &messenger, EngineOptions options)
    : impl_(std::make_unique<Impl>(map, messenger, options)), sums_(impl_->sums()) {}
Engine::~Engine() = default;

void Engine::setPageSupplier(PageSupplier *pages) { impl_->pages = pages; }

NodeId Engine::self() const { return impl_->self; }
unsigned Engine::nodeCount() const { return impl_->nodes; }

void Engine::ensure(std::span<const WantedRange> ranges, FetchAhead ahead) {
  ProtocolScope scope;
  impl_->ensure(ranges, ahead);
  impl_->makeRoom(nullptr);
}

void Engine::proposeHome(Address begin, std::size_t bytes, NodeId heir) {
  ProtocolScope scope;
  impl_->proposeHome(begin, bytes, heir);
}

ThreadRegistration *Engine::registerThread() {
  ProtocolScope scope;
  std::lock_guard lock(impl_->lock);
  return impl_->grace.add();
}
void Engine::unregisterThread(ThreadRegistration *thread) {
  ProtocolScope scope;
  std::lock_guard lock(impl_->lock);
  impl_->grace.remove(thread);
}
void Engine::goOffline(ThreadRegistration *thread) { impl_->grace.goOffline(thread); }
void Engine::goOnline(ThreadRegistration *thread) {
  ProtocolScope scope;
  {
    std::lock_guard lock(impl_->lock);
    impl_->grace.goOnline(thread);
  }
  impl_->acquire(thread);
  impl_->makeRoom(thread);
}

void Engine::syncPoint(ThreadRegistration *thread) {
  ProtocolScope scope;
  impl_->acquire(thread);
  impl_->makeRoom(thread);
}
void Engine::release(ThreadRegistration *thread) {
  ProtocolScope scope;
  impl_->release(thread);
  impl_->makeRoom(thread);
}
PendingRelease Engine::beginRelease(ThreadRegistration *thread) {
  ProtocolScope scope;
  PendingRelease begun = impl_->beginRelease(thread);
  impl_->makeRoom(thread);
  return begun;
}
void Engine::askFor(PendingRelease &begun, std::optional<NodeId> receiver) {
  ProtocolScope scope;
  impl_->askFor(begun, receiver);
}
bool Engine::isConfirmed(const PendingRelease &release, std::optional<NodeId> receiver) const {
  return impl_->isConfirmed(release.needs(), receiver);
}
bool Engine::hasProcessed(NodeId giver, Handover<std::uint64_t> handover) const {
  return impl_->hasProcessed(giver, handover);
}
void Engine::setConfirmationHandler(std::function<void()> handler) {
  impl_->onConfirmation = std::move(handler);
}
void Engine::releaseTo(ThreadRegistration *thread, std::span<const NodeId> followers) {
  ProtocolScope scope;
  OMPDSM_CHECK(!followers.empty());
  impl_->release(thread, followers);
  impl_->makeRoom(thread);
}
void Engine::setFollowing(bool following) { impl_->setFollowing(following); }
void Engine::barrier(ThreadRegistration *thread, Join join, SiteId site) {
  ProtocolScope scope;
  impl_->barrier(thread, join, site);
  impl_->makeRoom(thread);
}
void Engine::comeTo(SiteId site) { impl_->comeTo(site); }
void Engine::fetchExpected() {
  ProtocolScope scope;
  impl_->fetchExpected(/*isBegin=*/true);
}
bool Engine::isInBarrier() const { return impl_->isInBarrier(); }

void Engine::atomic(ThreadRegistration *thread, Address address, const AtomicOperation &operation,
                    std::byte *old) {
  ProtocolScope scope;
  impl_->atomic(thread, address, operation, old);
}

void Engine::update(ThreadRegistration *thread, Address address, const AtomicOperation &operation) {
  ProtocolScope scope;
  impl_->atomic(thread, address, operation, nullptr);
}

void Engine::settle(Address address, const AtomicOperation &added) {
  ProtocolScope scope;
  impl_->settle(address, added);
}

NodeId Engine::homeOf(Address address) const {
  std::lock_guard lock(impl_->lock);
  const Area *area = impl_->sizes.find(address);
  if (!area)
    return impl_->self;
  return impl_->homes.homeOf(*area, address);
}

const EngineStatistics &Engine::statistics() const { return impl_->statistics; }
std::vector<SiteCounts> Engine::siteCounts() const {
  return impl_->sites ? impl_->sites->counts() : std::vector<SiteCounts>{};
}
std::uint64_t Engine::falselyShared() const {
  std::lock_guard lock(impl_->lock);
  return impl_->concurrent.total();
}
std::vector<ChangedTogether> Engine::falselySharedBlocks(std::size_t most) const {
  std::lock_guard lock(impl_->lock);
  return impl_->concurrent.worst(most);
}

} // namespace ompdsm
