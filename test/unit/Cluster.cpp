// Cluster.cpp: setting nodes up in one process, and what their threads do.
#include "test/unit/Cluster.h"
#include "protocol/core/Print.h"
#include "protocol/engine/EventLog.h"
#include "protocol/engine/Sums.h"
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <thread>

namespace ompdsm::test {

namespace {

template <class T> void execute(void *address, const AtomicOperation &operation, std::byte *out) {
  std::atomic_ref<T> target(*static_cast<T *>(address));
  T operand, desired, old{};
  std::memcpy(&operand, operation.operand, sizeof(T));
  std::memcpy(&desired, operation.desired, sizeof(T));
  switch (operation.kind) {
  case AtomicOperation::Kind::Load:
    old = target.load();
    break;
  case AtomicOperation::Kind::Store:
  case AtomicOperation::Kind::Exchange:
    old = target.exchange(operand);
    break;
  case AtomicOperation::Kind::CompareExchange:
    old = operand;
    target.compare_exchange_strong(old, desired);
    break;
  case AtomicOperation::Kind::ReadModifyWrite:
    if (operation.operation == std::uint8_t(TestRmw::Add))
      old = target.fetch_add(operand);
    else if (operation.operation == std::uint8_t(TestRmw::Exchange))
      old = target.exchange(operand);
    else
      for (old = target.load(); !target.compare_exchange_weak(old, std::max(old, operand));) {
      }
    break;
  }
  std::memcpy(out, &old, sizeof(T));
}

void executeAtomic(void *target, const AtomicOperation &operation, std::byte *old) {
  switch (operation.bytes) {
  case 1:
    return execute<std::uint8_t>(target, operation, old);
  case 4:
    return execute<std::uint32_t>(target, operation, old);
  case 8:
    return execute<std::uint64_t>(target, operation, old);
  }
  OMPDSM_CHECK(!"the tests' atomics have 1, 4 or 8 bytes");
}

void addSums(std::byte *line, const AtomicOperation &operation, const std::byte *sums) {
  AtomicOperation each = operation;
  std::byte old[16];
  for (std::size_t at = 0; at < kLineBytes; at += operation.bytes) {
    std::memcpy(each.operand, sums + at, operation.bytes);
    if (std::any_of(sums + at, sums + at + operation.bytes,
                    [](std::byte b) { return b != std::byte{}; }))
      executeAtomic(line + at, each, old);
  }
}

constexpr std::size_t kLargestBlock = 64 * 1024;

} // namespace

struct Cluster::Node {
  std::vector<std::uint8_t> states;
  std::unique_ptr<fabric::FaultTransport> faults;
  std::unique_ptr<EventLog> events;
  std::unique_ptr<Messenger> messenger;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<std::barrier<>> meeting;
};

Cluster::Cluster(const ClusterOptions &options) : options_(options) {
  std::uint32_t areas = 0;
  for (const AreaSpec &area : options_.areas)
    copyBytes_ = std::max(copyBytes_, area.offset + area.bytes);
  copyBytes_ = (copyBytes_ + kLargestBlock - 1) & ~(kLargestBlock - 1);
  mappedBytes_ = copyBytes_ * nodes() + kLargestBlock;
  void *mapping = mmap(nullptr, mappedBytes_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  OMPDSM_CHECK(mapping != MAP_FAILED);
  mapping_ = static_cast<std::byte *>(mapping);
  Address begin = (reinterpret_cast<Address>(mapping) + kLargestBlock - 1) & ~(kLargestBlock - 1);
  copies_ = reinterpret_cast<std::byte *>(begin);
  for (const AreaSpec &spec : options_.areas) {
    Area area;
    area.begin = begin + spec.offset;
    area.end = area.begin + spec.bytes;
    area.defaultHome = spec.home;
    area.blockShift = spec.blockShift;
    area.migratable = spec.migratable;
    area.untracked = spec.untracked;
    area.foreign = spec.foreign;
    area.index = areas++;
    map_.add(area);
  }
  map_.seal();

  network_ = std::make_unique<fabric::LoopbackNetwork>(nodes(), options_.limits);
  for (unsigned n = 0; n < nodes(); ++n) {
    Node &node = *nodes_.emplace_back(std::make_unique<Node>());
    NodeId self = static_cast<NodeId>(n);
    node.states.assign(copyBytes_ >> kLineShift, 0);
    for (const Area &area : map_.areas())
      if (area.defaultHome != self)
        for (Address line = area.begin; line < area.end; line += kLineBytes)
          node.states[(line - begin) >> kLineShift] = kUntouchedRemoteState;
    fabric::Transport *transport = &network_->node(self);
    if (options_.faults) {
      node.faults = std::make_unique<fabric::FaultTransport>(*transport, *options_.faults);
      transport = node.faults.get();
    }
    if (!options_.events.empty()) {
      EventLogOptions log;
      OMPDSM_CHECK(EventLogOptions::parse(options_.events, log).isOk() &&
                   EventLog::open(log, self, nodes(), map_, node.events).isOk());
    }
    MessengerOptions messenger;
    messenger.events = node.events.get();
    messenger.spinMicroseconds = options_.spinMicroseconds;
    messenger.joinMessages = options_.joinMessages;
    node.messenger = std::make_unique<Messenger>(*transport, messenger);
    EngineOptions engine;
    engine.stateTable = statesOf(self);
    engine.atomicExecutor = executeAtomic;
    engine.sumExecutor = addSums;
    engine.memoryBias = bias(self);
    engine.events = node.events.get();
    engine.homePatience = options_.homePatience;
    engine.prefetchBlocks = options_.prefetchBlocks;
    engine.pushUpdates = options_.pushUpdates;
    engine.predictFetches = options_.predictFetches;
    engine.dropUnread = options_.dropUnread;
    engine.pushFirst = options_.pushFirst;
    engine.pushBySite = options_.pushBySite;
    engine.closePushed = options_.closePushed;
    engine.openBare = options_.openBare;
    engine.keepDigests = options_.keepDigests;
    engine.keepSums = options_.keepSums;
    engine.keepUpdated = options_.keepUpdated;
    engine.sizePatience = options_.sizePatience;
    engine.shortBarriers = options_.shortBarriers;
    engine.soleSharers = options_.soleSharers;
    engine.multicast = options_.multicast;
    engine.countSites = options_.countSites;
    engine.cacheLimitBytes = options_.cacheLimitBytes;
    node.engine = std::make_unique<Engine>(map_, *node.messenger, engine);
    node.meeting = std::make_unique<std::barrier<>>(options_.threadsPerNode);
  }
  for (auto &node : nodes_)
    node->messenger->start();
}

Cluster::~Cluster() {
  for (auto &node : nodes_)
    node->messenger->stop();
  nodes_.clear();
  network_.reset();
  munmap(mapping_, mappedBytes_);
}

Engine &Cluster::engine(NodeId node) { return *nodes_[node]->engine; }
Messenger &Cluster::messenger(NodeId node) { return *nodes_[node]->messenger; }
std::barrier<> &Cluster::meeting(NodeId node) { return *nodes_[node]->meeting; }

std::byte *Cluster::statesOf(NodeId node) const {
  return reinterpret_cast<std::byte *>(reinterpret_cast<Address>(nodes_[node]->states.data()) -
                                       (base() >> kLineShift));
}

BlockState Cluster::stateAt(NodeId node, Address address) const {
  const std::uint8_t &byte = nodes_[node]->states[(address - base()) >> kLineShift];
  return blockStateOf(std::atomic_ref(const_cast<std::uint8_t &>(byte)).load());
}

std::string Cluster::describe(Address address) const {
  std::string text = "offset " + std::to_string(address - base());
  for (unsigned n = 0; n < nodes(); ++n) {
    auto *byte = reinterpret_cast<std::uint8_t *>(memory(NodeId(n), address));
    text += "; node " + std::to_string(n) + " " + nameOf(stateAt(NodeId(n), address)) + " has " +
            std::to_string(std::atomic_ref(*byte).load());
  }
  return text;
}

void NodeThread::check(Address address, std::size_t bytes, Access access) {
  std::uint8_t bit = access == Access::Read ? kReadMisses : kWriteMisses;
  for (Address line = address & ~(kLineBytes - 1); line < address + bytes; line += kLineBytes)
    // The state byte alone decides, as in compiled code.
    if (missBits(cluster_.stateAt(node_, line)) & bit)
      return engine_.ensure(address, bytes, access);
}

void NodeThread::barrier() {
  // The threads of a node take turns as the one that calls the engine.
  bool leads = barriers_++ % cluster_.options().threadsPerNode == indexInNode_;
  if (!leads)
    goOffline();
  auto &meeting = cluster_.meeting(node_);
  meeting.arrive_and_wait();
  const unsigned sites = cluster_.options().sites;
  if (leads)
    engineBarrier(sites ? kNoSite + 1 + barriers_ % sites : kNoSite);
  meeting.arrive_and_wait();
  if (!leads)
    goOnline();
}

std::uint64_t NodeThread::atomic(Address address, AtomicOperation &operation,
                                 std::uint64_t operand) {
  operation.bytes = sizeof(std::uint64_t);
  std::memcpy(operation.operand, &operand, sizeof(operand));
  std::uint64_t old = 0;
  engine_.atomic(registration_, address, operation, reinterpret_cast<std::byte *>(&old));
  return old;
}

std::uint64_t NodeThread::atomicAdd(Address address, std::uint64_t value) {
  AtomicOperation operation;
  operation.kind = AtomicOperation::Kind::ReadModifyWrite;
  operation.operation = std::uint8_t(TestRmw::Add);
  return atomic(address, operation, value);
}

void NodeThread::update(Address address, std::uint64_t value, TestRmw how) {
  AtomicOperation operation;
  operation.kind = AtomicOperation::Kind::ReadModifyWrite;
  operation.operation = std::uint8_t(how);
  operation.isExtreme = how == TestRmw::Max;
  operation.bytes = sizeof(value);
  std::memcpy(operation.operand, &value, sizeof(value));
  engine_.update(registration_, address, operation);
}

void NodeThread::add(Address address, AtomicOperation &operation,
                     const std::function<void()> &meanwhile) {
  operation.kind = AtomicOperation::Kind::ReadModifyWrite;
  operation.operation = std::uint8_t(TestRmw::Add);
  operation.combines = true;
  std::byte old[16];
  const Sums::Added added = engine_.sums().add(
      address, operation, StateTable(cluster_.statesOf(node_)), [&](std::byte *sum) {
        meanwhile();
        executeAtomic(sum, operation, old);
      });
  if (added == Sums::Added::No)
    engine_.update(registration_, address, operation);
  else if (added == Sums::Added::Late)
    engine_.settle(address, operation);
}

std::uint64_t NodeThread::atomicLoad(Address address) {
  AtomicOperation operation;
  return atomic(address, operation, 0);
}

std::uint64_t NodeThread::atomicExchange(Address address, std::uint64_t value) {
  AtomicOperation operation;
  operation.kind = AtomicOperation::Kind::Exchange;
  return atomic(address, operation, value);
}

std::uint64_t NodeThread::atomicCompareExchange(Address address, std::uint64_t expected,
                                                std::uint64_t desired) {
  AtomicOperation operation;
  operation.kind = AtomicOperation::Kind::CompareExchange;
  std::memcpy(operation.desired, &desired, sizeof(desired));
  return atomic(address, operation, expected);
}

void NodeThread::atomicStore(Address address, std::uint64_t value) {
  AtomicOperation operation;
  operation.kind = AtomicOperation::Kind::Store;
  atomic(address, operation, value);
}

void runThreads(Cluster &cluster, const std::string &whatRuns,
                const std::function<void(NodeThread &thread, unsigned index)> &body,
                std::chrono::seconds limit) {
  std::mutex mutex;
  std::condition_variable ended;
  unsigned running = cluster.nodes() * cluster.options().threadsPerNode;
  std::vector<std::thread> threads;
  for (unsigned index = 0, all = running; index < all; ++index)
    threads.emplace_back([&, index] {
      unsigned perNode = cluster.options().threadsPerNode;
      {
        NodeThread thread(cluster, static_cast<NodeId>(index / perNode), index % perNode);
        body(thread, index);
      }
      std::lock_guard lock(mutex);
      --running;
      ended.notify_one();
    });
  {
    std::unique_lock lock(mutex);
    if (!ended.wait_for(lock, limit, [&] { return running == 0; })) {
      std::fprintf(stderr, "no end after %lld s: %s\n", static_cast<long long>(limit.count()),
                   whatRuns.c_str());
      std::abort();
    }
  }
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace ompdsm::test
