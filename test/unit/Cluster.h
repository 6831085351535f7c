// Cluster.h: several nodes of the protocol in one process, for tests.
//
// Each node has its own copy of the shared memory, its own state table, engine and messenger (with
// its service thread) over the loopback network. Addresses are those of node 0's copy. A NodeThread
// does what compiled code does: inline checks on state bytes, then plain accesses to its node's
// copy. Accesses are relaxed atomics, so that the thread sanitizer reports only what the engine
// does wrong.
#pragma once
#include "fabric/Fault.h"
#include "fabric/Loopback.h"
#include "protocol/engine/Engine.h"
#include "protocol/engine/StateTable.h"
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ompdsm::test {

struct AreaSpec {
  std::size_t offset = 0; ///< From the cluster's base; page aligned.
  std::size_t bytes = 0;  ///< Multiple of the line.
  NodeId home = 0;
  std::uint8_t blockShift = 8;
  bool migratable = false;
  bool untracked = false;
  bool foreign = false;
};

struct ClusterOptions {
  unsigned nodes = 2;
  unsigned threadsPerNode = 1; ///< That take part in barrier().
  std::vector<AreaSpec> areas = {{0, 4096, 0, 8, false, false}};
  unsigned homePatience = 1;
  bool pushUpdates = true;
  bool predictFetches = true;
  bool dropUnread = true;
  bool closePushed = true;
  bool pushFirst = true;
  bool pushBySite = true;
  bool openBare = true;
  bool keepDigests = true;
  bool keepSums = true;
  bool keepUpdated = true;
  unsigned sizePatience = 0; ///< Else what a test counts ends in the middle.
  bool shortBarriers = true;
  bool soleSharers = true;
  bool multicast = true;
  bool joinMessages = true;
  bool countSites = false;
  unsigned sites = 0; ///< At which NodeThread::barrier() is called, in turns; 0: at none.
  unsigned prefetchBlocks = 64;
  std::size_t cacheLimitBytes = 0;
  fabric::LoopbackLimits limits;
  std::optional<fabric::FaultOptions> faults;
  unsigned spinMicroseconds = 20;
  std::string events; ///< Options of each node's trace; empty: none.
};

/// The operations of the test's AtomicExecutor beside the kinds: for ReadModifyWrite.
enum class TestRmw : std::uint8_t { Exchange = 0, Add = 1, Max = 2 };

class Cluster {
public:
  explicit Cluster(const ClusterOptions &options);
  ~Cluster();
  Cluster(const Cluster &) = delete;
  Cluster &operator=(const Cluster &) = delete;

  unsigned nodes() const { return options_.nodes; }
  const ClusterOptions &options() const { return options_; }
  Address base() const { return reinterpret_cast<Address>(copies_); }
  /// Address of byte `offset` of area `area`.
  Address at(std::size_t area, std::size_t offset) const {
    return base() + options_.areas[area].offset + offset;
  }
  Engine &engine(NodeId node);
  Messenger &messenger(NodeId node);
  const EngineStatistics &statistics(NodeId node) { return engine(node).statistics(); }
  /// Messages of this kind that `node` has sent.
  std::uint64_t sent(NodeId node, MessageKind kind) {
    return messenger(node).counters(kind).messages.load();
  }
  BlockState stateAt(NodeId node, Address address) const;
  std::byte *statesOf(NodeId node) const; ///< EngineOptions::stateTable.
  /// Where `address` lies in the copy of `node`.
  std::byte *memory(NodeId node, Address address) const {
    return reinterpret_cast<std::byte *>(address + bias(node));
  }
  /// The block's state and the byte's value on every node.
  std::string describe(Address address) const;
  /// Meeting point of the threads of one node.
  std::barrier<> &meeting(NodeId node);

private:
  struct Node;
  std::ptrdiff_t bias(NodeId node) const {
    return std::ptrdiff_t(node) * std::ptrdiff_t(copyBytes_);
  }

  const ClusterOptions options_;
  AddressMap map_;
  std::size_t copyBytes_ = 0;
  std::byte *copies_ = nullptr;
  std::size_t mappedBytes_ = 0;
  std::byte *mapping_ = nullptr;
  std::unique_ptr<fabric::LoopbackNetwork> network_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

/// One registered thread of a node; used by one thread at a time. Starts online.
class NodeThread {
public:
  NodeThread(Cluster &cluster, NodeId node, unsigned indexInNode = 0)
      : cluster_(cluster), engine_(cluster.engine(node)), node_(node), indexInNode_(indexInNode),
        registration_(engine_.registerThread()) {}
  ~NodeThread() { engine_.unregisterThread(registration_); }
  NodeThread(const NodeThread &) = delete;
  NodeThread &operator=(const NodeThread &) = delete;

  NodeId node() const { return node_; }

  /// The inline check and its slow path: permission for [address, address+bytes).
  void check(Address address, std::size_t bytes, Access access);
  // Accesses under a permission that the thread already has.
  template <class T> T peek(Address address) {
    return std::atomic_ref(*at<T>(address)).load(std::memory_order_relaxed);
  }
  template <class T> void poke(Address address, T value) {
    std::atomic_ref(*at<T>(address)).store(value, std::memory_order_relaxed);
  }
  template <class T> T read(Address address) {
    check(address, sizeof(T), Access::Read);
    return peek<T>(address);
  }
  template <class T> void write(Address address, T value) {
    check(address, sizeof(T), Access::Write);
    poke(address, value);
  }

  void syncPoint() { engine_.syncPoint(registration_); }
  void release() { engine_.release(registration_); }
  PendingRelease beginRelease() { return engine_.beginRelease(registration_); }
  /// The messages that follow are the caller's.
  void releaseTo(NodeId follower) { engine_.releaseTo(registration_, {&follower, 1}); }
  void goOffline() { engine_.goOffline(registration_); }
  void goOnline() { engine_.goOnline(registration_); }
  /// Of all threads of all nodes, in the manner of the runtime: one thread of each node calls the
  /// engine's barrier while the others of its node are offline.
  void barrier();
  /// The engine's barrier alone: for nodes with one thread.
  void engineBarrier(SiteId site = kNoSite) { engine_.barrier(registration_, Join::No, site); }
  /// The same, after which all but node 0 wait for what that posts to them next.
  void engineJoin(SiteId site = kNoSite) { engine_.barrier(registration_, Join::Yes, site); }

  std::uint64_t atomicAdd(Address address, std::uint64_t value);
  /// The same, but nobody wants to know what was there.
  void update(Address address, std::uint64_t value, TestRmw how = TestRmw::Add);
  /// The same as compiled code does it: to sums, where they are kept. Of numbers of any size.
  /// `meanwhile`: what happens when the thread has seen that they are, and has not added yet.
  template <class T>
  void add(Address address, T value, const std::function<void()> &meanwhile = [] {}) {
    AtomicOperation operation;
    operation.bytes = sizeof(value);
    std::memcpy(operation.operand, &value, sizeof(value));
    add(address, operation, meanwhile);
  }
  std::uint64_t atomicLoad(Address address);
  std::uint64_t atomicExchange(Address address, std::uint64_t value);
  /// Returns what was found; the exchange happened if it equals `expected`.
  std::uint64_t atomicCompareExchange(Address address, std::uint64_t expected,
                                      std::uint64_t desired);
  void atomicStore(Address address, std::uint64_t value);

private:
  template <class T> T *at(Address address) {
    return reinterpret_cast<T *>(cluster_.memory(node_, address));
  }
  void add(Address address, AtomicOperation &operation, const std::function<void()> &meanwhile);
  std::uint64_t atomic(Address address, AtomicOperation &operation, std::uint64_t operand);

  Cluster &cluster_;
  Engine &engine_;
  const NodeId node_;
  const unsigned indexInNode_;
  ThreadRegistration *const registration_;
  unsigned barriers_ = 0;
};

/// Runs body(thread) in threadsPerNode threads on each node and waits for all; `index` counts over
/// nodes and threads. Ends the process with what `whatRuns` says if it takes longer than the limit.
void runThreads(Cluster &cluster, const std::string &whatRuns,
                const std::function<void(NodeThread &thread, unsigned index)> &body,
                std::chrono::seconds limit = std::chrono::seconds(100));

} // namespace ompdsm::test
