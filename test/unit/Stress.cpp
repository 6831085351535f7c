// Stress.cpp: the random program, its plan of who may access what, and its reference model.
#include "test/unit/Stress.h"
#include "protocol/engine/SumHistory.h"
#include <map>
#include <mutex>
#include <sstream>

namespace ompdsm::test {

namespace {

/// splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014).
std::uint64_t mix(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return mix(state_++); }
  std::size_t below(std::size_t bound) { return std::size_t(next() % bound); }
  bool chance(double probability) { return double(next() >> 11) * 0x1p-53 < probability; }

private:
  std::uint64_t state_;
};

constexpr unsigned kLocks = 5;
constexpr unsigned kNobody = ~0u;
constexpr std::size_t kWord = sizeof(std::uint64_t);
/// In one operation: so many that sums are kept.
constexpr std::uint64_t kMostAdded = 3 * SumHistory::kLeast;

enum class Class : std::uint8_t { Phase, Lock, Atomic };

/// Who may access which byte, from the seed alone. Bytes are counted through the areas.
class Plan {
public:
  Plan(const StressOptions &options, unsigned threads)
      : options_(options), threads_(threads), perNode_(options.cluster.threadsPerNode) {
    for (const AreaSpec &area : options.cluster.areas)
      bytes_ += area.bytes;
  }
  std::size_t bytes() const { return bytes_; }
  Class classOf(std::size_t byte) const {
    if (options_.atomics > 0 && hash(1, byte / kWord) % 24 == 0)
      return Class::Atomic;
    // A third of the lines belongs to phases alone, a third to locks alone.
    std::uint64_t line = hash(2, byte / kLineBytes) % 3, coin = hash(3, byte) % 2;
    bool lock = options_.locks > 0 && (line == 1 || (line == 2 && coin));
    return lock ? Class::Lock : Class::Phase;
  }
  unsigned lockOf(std::size_t byte) const { return unsigned(hash(4, byte) % kLocks); }
  /// The thread that may write a phase's byte, or nobody: then all may read it.
  unsigned ownerOf(unsigned phase, std::size_t byte) const {
    std::size_t style = hash(5, phase) % 5;
    std::uint64_t unit = mix(phase + 100);
    switch (style) {
    case 0: // single bytes
      unit ^= byte;
      break;
    case 1: // a few bytes
      unit ^= byte / 5;
      break;
    case 2: // lines
      unit ^= byte / kLineBytes;
      break;
    case 3: // pages, so that homes move
      unit ^= byte / 4096;
      break;
    case 4: { // one node alone
      std::uint64_t thread = hash(6, byte ^ unit) % perNode_;
      return unsigned((phase % options_.cluster.nodes) * perNode_ + thread);
    }
    }
    unit = hash(7, unit);
    return unit % 4 == 0 ? kNobody : unsigned((unit >> 8) % threads_);
  }

private:
  std::uint64_t hash(std::uint64_t purpose, std::uint64_t value) const {
    return mix(mix(options_.seed * 16 + purpose) ^ value);
  }
  const StressOptions &options_;
  const unsigned threads_, perNode_;
  std::size_t bytes_ = 0;
};

/// What all threads of a run share, outside of the shared memory under test.
struct World {
  explicit World(const StressOptions &options)
      : options(options), cluster(options.cluster),
        threads(options.cluster.nodes * options.cluster.threadsPerNode), plan(options, threads),
        model(plan.bytes()), added(plan.bytes() / kWord + 1) {}

  Address addressOf(std::size_t byte) const {
    for (std::size_t area = 0;; byte -= options.cluster.areas[area++].bytes)
      if (byte < options.cluster.areas[area].bytes)
        return cluster.at(area, byte);
  }
  void fail(const std::string &what) {
    std::lock_guard guard(failureMutex);
    if (!failed.exchange(true))
      failure = what;
  }

  struct Lock {
    std::mutex mutex;
    int unreleasedNode = -1; ///< Whose threads have written under the lock and not released.
  };
  const StressOptions &options;
  Cluster cluster;
  const unsigned threads;
  const Plan plan;
  std::vector<std::atomic<std::uint8_t>> model;
  std::vector<std::atomic<std::uint64_t>> added; ///< By atomics, by word.
  Lock locks[kLocks];
  std::atomic<bool> failed{false};
  std::mutex failureMutex;
  std::string failure;
};

/// One thread of the program.
class Actor {
public:
  Actor(World &world, NodeThread &thread, unsigned index)
      : world_(world), options_(world.options), thread_(thread), index_(index),
        random_(mix(options_.seed) ^ mix(index + 1)) {}

  void run() {
    for (phase_ = 0; phase_ < options_.phases; ++phase_) {
      for (unsigned i = 0; i < options_.operationsPerPhase && !world_.failed; ++i)
        operate();
      thread_.barrier();
      held_.clear();
    }
    checkAtomics();
  }

private:
  struct Hold {
    std::size_t begin = 0, end = 0; ///< Bytes of the plan.
    Access access = Access::Read;
  };
  static constexpr std::size_t kMaxHolds = 6;

  void operate() {
    double roll = double(random_.next() >> 11) * 0x1p-53;
    if ((roll -= options_.locks) < 0)
      return criticalSection();
    if ((roll -= options_.atomics) < 0)
      return atomic();
    if ((roll -= options_.releases) < 0) {
      random_.chance(0.6) ? thread_.release() : thread_.syncPoint();
      return synchronised();
    }
    if ((roll -= options_.offline) < 0) {
      thread_.goOffline();
      synchronised();
      std::this_thread::yield();
      return thread_.goOnline();
    }
    if (options_.overwrites > 0 && random_.chance(options_.overwrites))
      return overwrite();
    access();
  }
  /// A range of bytes that are all this thread's, as far as it goes.
  void overwrite() {
    const std::size_t begin = pick(), most = 1 + random_.below(random_.chance(0.5) ? 6000 : 600);
    const Address address = world_.addressOf(begin);
    std::size_t bytes = 0;
    while (bytes < most && begin + bytes < world_.plan.bytes() && mayWrite(begin + bytes) &&
           world_.addressOf(begin + bytes) == address + bytes)
      ++bytes;
    if (bytes == 0)
      return;
    thread_.check(address, bytes, Access::Overwrite);
    for (std::size_t i = 0; i < bytes; ++i)
      touch(begin + i, true);
  }
  void synchronised() {
    if (!options_.forgetsSyncPoints)
      held_.clear();
  }

  /// One access, or a check of a range that later accesses rely on.
  void access() {
    if (options_.holds > 0 && random_.chance(options_.holds)) {
      if (held_.size() < kMaxHolds && random_.chance(0.3))
        return hold();
      if (!held_.empty())
        return accessUnder(held_[random_.below(held_.size())]);
    }
    std::size_t byte = pick();
    bool write = random_.chance(0.5) && mayWrite(byte);
    if (!write && !mayRead(byte))
      return;
    thread_.check(world_.addressOf(byte), 1, write ? Access::Write : Access::Read);
    touch(byte, write);
  }
  void hold() {
    Hold hold;
    hold.begin = pick();
    hold.end = hold.begin + 1 + random_.below(random_.chance(0.1) ? 5000 : 200);
    hold.end = std::min(hold.end, world_.plan.bytes());
    hold.access = random_.chance(0.6) ? Access::Write : Access::Read;
    for (std::size_t at = hold.begin; at < hold.end;) {
      // Area by area, as they may have gaps between them.
      Address begin = world_.addressOf(at);
      std::size_t bytes = 1;
      while (at + bytes < hold.end && world_.addressOf(at + bytes) == begin + bytes)
        ++bytes;
      thread_.check(begin, bytes, hold.access);
      at += bytes;
    }
    held_.push_back(hold);
  }
  void accessUnder(const Hold &hold) {
    for (unsigned i = 0; i < 10; ++i) {
      std::size_t byte = hold.begin + random_.below(hold.end - hold.begin);
      bool write = hold.access == Access::Write && random_.chance(0.5) && mayWrite(byte);
      if (write || mayRead(byte))
        touch(byte, write);
    }
  }
  /// Most accesses go to a part of the memory that the threads have in common for a while.
  std::size_t pick() {
    std::size_t bytes = world_.plan.bytes(), window = std::min<std::size_t>(bytes, 1500);
    std::size_t begin = mix(phase_ / 2 + options_.seed) % bytes;
    return random_.chance(0.7) ? (begin + random_.below(window)) % bytes : random_.below(bytes);
  }
  bool mayWrite(std::size_t byte) const {
    switch (world_.plan.classOf(byte)) {
    case Class::Phase:
      return world_.plan.ownerOf(phase_, byte) == index_;
    case Class::Lock:
      return lock_ >= 0 && world_.plan.lockOf(byte) == unsigned(lock_);
    case Class::Atomic:
      break;
    }
    return false;
  }
  bool mayRead(std::size_t byte) const {
    return mayWrite(byte) || (world_.plan.classOf(byte) == Class::Phase &&
                              world_.plan.ownerOf(phase_, byte) == kNobody);
  }
  void touch(std::size_t byte, bool write) {
    Address address = world_.addressOf(byte);
    if (write) {
      auto value = static_cast<std::uint8_t>(random_.next());
      thread_.poke(address, value);
      world_.model[byte].store(value, std::memory_order_relaxed);
      return;
    }
    std::uint8_t got = thread_.peek<std::uint8_t>(address);
    std::uint8_t expected = world_.model[byte].load(std::memory_order_relaxed);
    if (got != expected)
      report(byte, expected, got);
  }
  void report(std::size_t byte, std::uint64_t expected, std::uint64_t got) {
    std::ostringstream text;
    text << describe(options_) << ": node " << thread_.node() << " thread " << index_ << " phase "
         << phase_ << " lock " << lock_ << " byte " << byte << " expected " << expected << " got "
         << got << "; " << world_.cluster.describe(world_.addressOf(byte));
    world_.fail(text.str());
  }

  void criticalSection() {
    unsigned index = unsigned(random_.below(kLocks));
    World::Lock &lock = world_.locks[index];
    std::lock_guard guard(lock.mutex);
    if (lock.unreleasedNode >= 0 && lock.unreleasedNode != thread_.node() &&
        !options_.forgetsReleases) {
      // The token leaves the node whose threads have passed it on among themselves.
      NodeThread &helper = helperOn(static_cast<NodeId>(lock.unreleasedNode));
      helper.goOnline();
      helper.release();
      helper.goOffline();
      lock.unreleasedNode = -1;
    }
    thread_.syncPoint();
    synchronised();
    lock_ = int(index);
    for (std::size_t i = 0, count = 1 + random_.below(12); i < count; ++i)
      access();
    lock_ = -1;
    if (random_.chance(0.5) && !options_.forgetsReleases) {
      thread_.release();
      lock.unreleasedNode = -1;
    } else {
      lock.unreleasedNode = thread_.node();
    }
    synchronised();
  }
  NodeThread &helperOn(NodeId node) {
    std::unique_ptr<NodeThread> &helper = helpers_[node];
    if (!helper) {
      helper = std::make_unique<NodeThread>(world_.cluster, node);
      helper->goOffline();
    }
    return *helper;
  }

  void atomic() {
    for (unsigned tries = 0; tries < 100; ++tries) {
      std::size_t word = pick() / kWord;
      if (world_.plan.classOf(word * kWord) != Class::Atomic)
        continue;
      Address address = world_.addressOf(word * kWord);
      if (random_.chance(0.7)) {
        world_.added[word].fetch_add(add(address), std::memory_order_relaxed);
        return;
      }
      std::uint64_t found = thread_.atomicLoad(address);
      // An increment by this thread may be seen before it is counted.
      if (found > std::uint64_t(options_.phases) * options_.operationsPerPhase * world_.threads *
                      kMostAdded)
        report(word * kWord, world_.added[word], found);
      return;
    }
  }
  /// In one of three ways; how much.
  std::uint64_t add(Address address) {
    if (random_.chance(0.4)) {
      const std::uint64_t times = 1 + random_.below(kMostAdded);
      for (std::uint64_t i = 0; i < times; ++i)
        thread_.add<std::uint64_t>(address, 1);
      return times;
    }
    if (random_.chance(0.5))
      thread_.update(address, 1);
    else
      thread_.atomicAdd(address, 1);
    return 1;
  }
  void checkAtomics() {
    for (std::size_t word = index_; word < world_.plan.bytes() / kWord && !world_.failed;
         word += world_.threads)
      if (world_.plan.classOf(word * kWord) == Class::Atomic) {
        std::uint64_t found = thread_.atomicLoad(world_.addressOf(word * kWord));
        if (found != world_.added[word].load(std::memory_order_relaxed))
          report(word * kWord, world_.added[word], found);
      }
  }

  World &world_;
  const StressOptions &options_;
  NodeThread &thread_;
  const unsigned index_;
  Random random_;
  unsigned phase_ = 0;
  int lock_ = -1;
  std::vector<Hold> held_;
  std::map<NodeId, std::unique_ptr<NodeThread>> helpers_;
};

} // namespace

std::string runStress(const StressOptions &options) {
  World world(options);
  runThreads(world.cluster, describe(options),
             [&](NodeThread &thread, unsigned index) { Actor(world, thread, index).run(); });
  return world.failure;
}

std::string describe(const StressOptions &options) {
  std::ostringstream text;
  text << "seed " << options.seed << ", " << options.cluster.nodes << " nodes of "
       << options.cluster.threadsPerNode << " threads, locks " << options.locks << ", atomics "
       << options.atomics << ", releases " << options.releases << ", offline " << options.offline
       << ", holds " << options.holds << ", overwrites " << options.overwrites
       << (options.cluster.faults ? ", faults" : "");
  return text.str();
}

} // namespace ompdsm::test
