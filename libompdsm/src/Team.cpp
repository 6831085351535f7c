// Team.cpp: orders between node 0 and the other nodes.
#include "libompdsm/src/Team.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/RegionLaunch.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include <cstdio>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace ompdsm {

namespace {
/// Node 0 cannot start a region before all nodes have left the one before (and a hint is like a
/// region), so a node never has more waiting than a barrier, a fork and the exit.
constexpr std::size_t kMaxOrders = 4;

unsigned defaultThreadsOf(const Runtime &job) {
  if (job.wantedThreads)
    return job.wantedThreads;
  return job.spread() ? job.nodes * job.hostCores.ofEachNode
                      : unsigned(libomp().omp_get_num_procs());
}
/// libomp finds second copies of itself in the process by a file in shared memory, which a node
/// that dies or leaves by _exit would leave behind. Called when libomp has begun, and will not look
/// again.
void forgetOpenmpRegistration() {
  char name[64];
  std::snprintf(name, sizeof name, "/__KMP_REGISTERED_LIB_%d_%d", int(getpid()), int(getuid()));
  shm_unlink(name);
}

} // namespace

Team::Team(Runtime &runtime)
    : runtime_(runtime), locks_(runtime), conditions_(runtime), singles_(runtime),
      reductions_(runtime), loops_(runtime), iterationFlags_(runtime), tasks_(runtime),
      copyPrivates_(runtime), threadPrivates_(runtime), statistics_(runtime),
      foldings_(Foldings::Mode(runtime.options.fold), runtime.nodes), remoteStreams_(runtime),
      sites_(StatisticsTargets::of(runtime.options).areAny()) {}

Team::~Team() = default;

void Team::registerHandlers() {
  if (!runtime_.spread()) {
    // ompdsm-run -n 1 -t T. libomp reads it at its first call; -t comes before the environment.
    if (runtime_.options.threads)
      setenv("OMP_NUM_THREADS", std::to_string(runtime_.options.threads).c_str(), /*overwrite=*/1);
    return;
  }
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(messageKind(TeamMessage::Fork), [this](NodeId, fabric::Bytes body) {
    fabric::Bytes rest;
    Order order;
    order.fork = bodyFrom<ForkBody>(body, &rest);
    OMPDSM_CHECK(rest.size() == order.fork.argumentCount * sizeof(void *));
    order.arguments.resize(order.fork.argumentCount);
    std::memcpy(order.arguments.data(), rest.data(), rest.size());
    enqueue(std::move(order));
  });
  messenger.setHandler(messageKind(TeamMessage::Barrier), [this](NodeId, fabric::Bytes body) {
    Order order;
    order.kind = OrderKind::Barrier;
    order.barrier = bodyFrom<BarrierOrder>(body);
    enqueue(std::move(order));
  });
  messenger.setHandler(messageKind(TeamMessage::Exit), [this](NodeId, fabric::Bytes) {
    Order order;
    order.kind = OrderKind::Exit;
    enqueue(std::move(order));
  });
  messenger.setHandler(messageKind(TeamMessage::Hint), [this](NodeId, fabric::Bytes body) {
    Order order;
    order.kind = OrderKind::Hint;
    order.hint = bodyFrom<HintOrder>(body);
    enqueue(std::move(order));
  });
  locks_.registerHandlers();
  conditions_.registerHandlers();
  singles_.registerHandlers();
  reductions_.registerHandlers();
  loops_.registerHandlers();
  iterationFlags_.registerHandlers();
  runtime_.engine->setConfirmationHandler([this] {
    locks_.onConfirmation();
    iterationFlags_.onConfirmation();
  });
  tasks_.registerHandlers();
  copyPrivates_.registerHandlers();
  remoteStreams_.registerHandlers();
  statistics_.registerHandlers();

  setDefaultThreads(defaultThreadsOf(runtime_));
  leagues_.begin();
  foldings_.begin(runtime_.transport->name());
  dynamic_ = libomp().omp_get_dynamic() != 0;
  libomp().omp_set_dynamic(0);
  forgetOpenmpRegistration();
  if (runtime_.node == 0 && libomp().omp_get_cancellation())
    std::fputs("ompdsm: warning: OMP_CANCELLATION is set, so parallel regions run on node 0 alone, "
               "with all their threads\n",
               stderr);
  currentThread.initial = runtime_.node == 0;
  attachCurrentThread(/*online=*/runtime_.node == 0);
}

void Team::enqueue(Order order) {
  {
    std::lock_guard lock(ordersMutex_);
    OMPDSM_CHECK(orders_.size() < kMaxOrders);
    orders_.push_back(std::move(order));
    orderCount_.store(unsigned(orders_.size()), std::memory_order_release);
  }
  runtime_.messenger->notify();
}

Team::Order Team::nextOrder() {
  // Acquire pairs with the release in enqueue().
  runtime_.messenger->waitUntil(
      [this] { return orderCount_.load(std::memory_order_acquire) != 0; });
  std::lock_guard lock(ordersMutex_);
  Order order = std::move(orders_.front());
  orders_.pop_front();
  orderCount_.store(unsigned(orders_.size()), std::memory_order_release);
  return order;
}

void Team::setDefaultThreads(unsigned threads) {
  defaultThreads_ = threads;
  libomp().omp_set_num_threads(int(threads)); // What regions inherit.
}

void Team::workerLoop() {
  runtime_.engine->setFollowing(true);
  for (;;) {
    Order order = nextOrder();
    switch (order.kind) {
    case OrderKind::Fork:
      joinSpreadRegion(order.fork, std::move(order.arguments));
      break;
    case OrderKind::Barrier:
      runtime_.engine->barrier(currentRegistration(), order.barrier.join, order.barrier.site);
      break;
    case OrderKind::Hint:
      carryOut(runtime_, order.hint);
      break;
    case OrderKind::Exit:
      leave();
    }
  }
}

void Team::barrierAcrossNodes(const SpreadRegion &region, const Ident *location, Join join,
                              const void *code) {
  const SiteKind kind = join == Join::Yes ? SiteKind::RegionEnd : SiteKind::Barrier;
  const BarrierOrder order{join, sites_.idOf(location, kind, code)};
  // What threads of the team print before and after it keeps that order, also through pipes. It
  // costs nothing when nothing waits.
  runtime_.output.flush();
  if (region.node == 0)
    for (unsigned node = region.layout.nodesInTeam(); node < runtime_.nodes; ++node)
      postTeamMessage(*runtime_.messenger, NodeId(node), TeamMessage::Barrier, {bytesOf(order)});
  runtime_.engine->barrier(currentRegistration(), order.join, order.site);
  setReleaseOwed(false);
}

void Team::leave() {
  statistics_.send(); // for which node 0 waits, the last one to leave
  runtime_.messenger->drain(0);
  runtime_.output.flushAll();
  leaveJob(runtime_);
  _exit(0);
}

void Team::finish() {
  if (finished_)
    return;
  finished_ = true;
  if (runtime_.spread()) {
    for (unsigned node = 1; node < runtime_.nodes; ++node)
      postTeamMessage(*runtime_.messenger, NodeId(node), TeamMessage::Exit, {});
    statistics_.collect();
  }
  statistics_.report(sites_, foldings_.lines());
}

Team &team() { return *runtime()->team; }

bool jobIsSpread() {
  Runtime *job = runtime();
  return job && job->spread() && job->team && !job->ended.load(std::memory_order_relaxed);
}

} // namespace ompdsm
