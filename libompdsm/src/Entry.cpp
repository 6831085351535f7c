// Entry.cpp: the library's constructor, which builds the runtime before any instrumented code runs,
// and its destructor, which ends the job after the program's exit handlers.
//
// Node 0 returns from the constructor into the program; the other nodes stay in it as workers.
#include "libompdsm/src/Agreement.h"
#include "libompdsm/src/Atomics.h"
#include "libompdsm/src/Attention.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/ForeignCode.h"
#include "libompdsm/src/LargeLocals.h"
#include "libompdsm/src/LibompShim.h"
#include "libompdsm/src/MainStack.h"
#include "libompdsm/src/ManagedStart.h"
#include "libompdsm/src/Network.h"
#include "libompdsm/src/ObjectFetches.h"
#include "libompdsm/src/PageFaults.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SharedGlobals.h"
#include "libompdsm/src/SharedHeap.h"
#include "libompdsm/src/SharedStacks.h"
#include "libompdsm/src/StackOverflow.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamSize.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/Threads.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <jemalloc/jemalloc.h>
#include <sched.h>
#include <unistd.h>

namespace ompdsm {

constinit std::atomic<Runtime *> detail::theRuntime{nullptr};

namespace {

void orFatal(const Status &status) {
  if (!status.isOk())
    fatal("%s", status.message().c_str());
}

std::string describeSegment(const AddressSpace &space) {
  char text[64];
  std::snprintf(text, sizeof text, "segment at 0x%llx\n",
                static_cast<unsigned long long>(space.slice(0).begin));
  return text;
}

/// Collective: what each node says, by node.
std::vector<std::vector<std::byte>> gatherFromAll(Runtime &job, const std::string &mine) {
  std::vector<std::vector<std::byte>> all;
  orFatal(job.bootstrap->allGather(std::as_bytes(std::span(mine)), all,
                                   std::chrono::seconds(job.options.startTimeoutSeconds)));
  return all;
}

/// All nodes must be the same program at the same addresses.
void agree(Runtime &job, const std::vector<LoadedImage> &images) {
  const std::string mine = describeNode(job.options, images, describeSegment(*job.addressSpace));
  std::vector<std::string> texts;
  for (const std::vector<std::byte> &text : gatherFromAll(job, mine))
    texts.emplace_back(reinterpret_cast<const char *>(text.data()), text.size());
  orFatal(compareDescriptions(texts));
}

HostCores meetHostCores(Runtime &job) {
  const std::string mine = NodeCores::ofThisProcess().encode();
  std::vector<NodeCores> byNode;
  for (const std::vector<std::byte> &text : gatherFromAll(job, mine))
    byNode.push_back(NodeCores::decode(text));
  return HostCores(byNode, job.node);
}

unsigned threadsOfEachNode(const Runtime &job) {
  return job.wantedThreads ? (job.wantedThreads + job.nodes - 1) / job.nodes
                           : job.hostCores.ofEachNode;
}

/// A forked child has the memory but not the node: the others must not hear of it.
void leaveJobToParent() {
  Runtime *job = runtime();
  job->ended.store(true, std::memory_order_relaxed);
  (void)job->bootstrap.release(); // Closing it is the end of the job for the launcher.
}

void noteForeignCode(const Runtime &job, const std::vector<LoadedImage> &images) {
  const std::vector<ForeignCallee> foreign = noteForeignCallees(images);
  if (job.node == 0 && job.options.warnForeign && !foreign.empty())
    std::fprintf(stderr, "ompdsm: warning: %s\n", describeForeignCallees(foreign).c_str());
}

/// On this node, pages of others are absent until something of them is fetched.
void makeRemotePagesAbsent(Runtime &job, const std::vector<GlobalRange> &globals) {
  if (job.node != 0)
    for (const GlobalRange &global : globals)
      orFatal(job.initialGlobals.moveAway(global.range));
  if (!job.options.pageFaults)
    return;
  const AddressRange own = job.addressSpace->slice(job.node);
  std::vector<AddressRange> ranges{
      {job.addressSpace->slice(0).begin, own.begin},
      {own.end, job.addressSpace->slice(static_cast<NodeId>(job.nodes - 1)).end}};
  std::erase_if(ranges, [](const AddressRange &range) { return range.bytes() == 0; });
  if (job.node != 0)
    for (const GlobalRange &global : globals)
      ranges.push_back(global.range);
  if (Status status = PageFaults::open(std::move(ranges), job.pageFaults);
      !status.isOk() && job.node == 0)
    std::fprintf(
        stderr,
        "ompdsm: warning: this system does not report absent pages (%s): libraries that were not "
        "compiled with the plugin read zeros where a node has fetched nothing yet; "
        "OMPDSM_PAGE_FAULTS=0 accepts that\n",
        status.message().c_str());
  job.engine->setPageSupplier(job.pageFaults.get());
}

void startSpread(Runtime &job, const std::string &rendezvous) {
  const std::vector<LoadedImage> images = loadedImages();
  std::vector<GlobalRange> globals;
  orFatal(findSharedGlobals(images, globals));
  if (globals.empty())
    fatal("the program was not compiled with the plugin of ompdsm, so it cannot run on %u nodes: "
          "compile and link it with ompdsm-clang",
          job.nodes);
  orFatal(readTeamSize(job.options, job.nodes, job.wantedThreads));
  job.addressSpace->addAreas(job.addressMap, job.options);
  shareGlobals(globals, job.node, job.options, job.addressMap);
  job.addressMap.seal();
  job.variables = VariableExtents(images);
  agree(job, images);
  job.hostCores = meetHostCores(job);
  noteForeignCode(job, images);

  orFatal(loadNetworkLibrary(job.networkLibrary)); // What libfabric calls at its start asks for it.
  orFatal(Network::open(job.options, rendezvous, job.node, job.nodes, *job.bootstrap, job.network));
  job.transport = &job.network->transport();
  if (job.options.attention)
    orFatal(showAttention(*job.transport));
  const bool oversubscribed = job.hostCores.areTooFewFor(threadsOfEachNode(job));
  if (oversubscribed)
    setenv("KMP_BLOCKTIME", "0", /*overwrite=*/0); // Before libomp's first use.
  if (!job.options.events.empty()) {
    EventLogOptions events;
    orFatal(inVariable("OMPDSM_EVENTS", EventLogOptions::parse(job.options.events, events)));
    orFatal(inVariable("OMPDSM_EVENTS",
                       EventLog::open(events, job.node, job.nodes, job.addressMap, job.events)));
  }
  MessengerOptions messenger;
  messenger.events = job.events.get();
  messenger.spinMicroseconds = oversubscribed ? 0 : job.options.spinMicroseconds;
  messenger.joinMessages = job.options.joinMessages;
  messenger.asksComputingThreads = job.options.attention;
  job.messenger = std::make_unique<Messenger>(*job.transport, messenger);
  EngineOptions engine;
  engine.stateTable = AddressSpace::stateTable();
  engine.missCounts = AddressSpace::missCounts();
  engine.groupTable = AddressSpace::groupTable();
  engine.atomicExecutor = executeAtomic;
  engine.sumExecutor = addSums;
  engine.homePatience = job.options.homePatience;
  engine.pushUpdates = job.options.pushUpdates;
  engine.pushFirst = job.options.pushFirst;
  engine.predictFetches = job.options.predictFetches;
  engine.dropUnread = job.options.dropUnread;
  engine.closePushed = job.options.closePushed;
  engine.pushBySite = job.options.pushBySite;
  engine.openBare = job.options.openBare;
  engine.keepDigests = job.options.keepDigests;
  engine.keepUpdated = job.options.keepUpdated;
  engine.keepSums = job.options.sums != 0;
  engine.sizePatience = job.options.sizePatience;
  engine.shortBarriers = job.options.shortBarriers;
  engine.soleSharers = job.options.soleSharers;
  engine.multicast = job.options.multicast;
  engine.events = job.events.get();
  engine.prefetchBlocks = job.options.prefetchBlocks;
  engine.countSites = StatisticsTargets::of(job.options).areAny();
  engine.cacheLimitBytes = job.options.cacheLimitBytes;
  job.engine = std::make_unique<Engine>(job.addressMap, *job.messenger, engine);
  constexpr std::size_t kLargestFetch = 16 * 1024 * 1024;
  const std::size_t limit = job.options.cacheLimitBytes; // 0: none.
  const std::size_t largestFetch = limit ? std::min(kLargestFetch, limit / 4) : kLargestFetch;
  job.objectFetches = std::make_unique<ObjectFetches>(job.options.fetchObjects ? largestFetch : 0,
                                                      job.options.blockLargeBytes);

  job.openmpLibrary = imageRangeAround(reinterpret_cast<void *>(libomp().omp_get_num_threads));
  job.allocatorLibrary = imageRangeAround(reinterpret_cast<void *>(mallocx));
  prepareThreads(job);
  job.stacks = std::make_unique<SharedStacks>(job.addressSpace->area(job.node, AreaUse::Stacks));
  // From here on, what libraries allocate is shared.
  job.heap = std::make_unique<SharedHeap>(job);
  job.heap->registerHandlers();
  job.largeLocals = std::make_unique<LargeLocals>(job);
  becomeProgramThread();
  job.team = std::make_unique<Team>(job);
  job.team->registerHandlers();
  pthread_atfork(nullptr, nullptr, leaveJobToParent);
  makeRemotePagesAbsent(job, globals);
  installStackOverflowHandler();
  job.messenger->start();
}

[[noreturn]] void endWithJob(const std::string &) {
  _exit(1); // The launcher has told the user why.
}

void startJob() {
  RuntimeThreadScope ownThreads;
  auto *job = new Runtime;
  job->process = getpid();
  // On an error the options are the defaults, which do for telling the launcher of it: all nodes
  // have the same mistake, and the user hears of it once.
  const Status optionsStatus = readOptions(job->options);
  fabric::BootstrapOptions where;
  orFatal(fabric::readBootstrapEnvironment(where));
  ManagedStart managed;
  orFatal(managed.find(job->options, where));
  job->node = static_cast<NodeId>(where.node);
  job->nodes = where.nodes;
  if (job->options.displayEnvironment && job->node == 0)
    std::fputs(describeAll(job->options).c_str(), stderr);
  if (!where.rendezvous.empty())
    orFatal(managed.shareOutcome(fabric::Bootstrap::connect(
        where, std::chrono::seconds(job->options.startTimeoutSeconds), job->bootstrap)));
  // Release pairs with runtime(). Published this early so that errors reach the launcher.
  detail::theRuntime.store(job, std::memory_order_release);
  orFatal(optionsStatus);
  orFatal(AddressSpace::create(job->options, job->node, job->nodes, job->addressSpace));
  if (job->spread() && anyImageExecutesStack())
    orFatal(job->addressSpace->allowExecution());
  if (job->spread()) {
    startSpread(*job, where.rendezvous);
  } else {
    orFatal(checkTeamOfOneNode());
    job->heapPages.begin();
    job->team = std::make_unique<Team>(*job);
    job->team->registerHandlers();
  }
  if (job->bootstrap)
    job->bootstrap->watch(endWithJob);
}

/// The job of which this process is a node, until it has left it.
Runtime *jobOfThisProcess() {
  Runtime *job = runtime();
  return job && job->process == getpid() && !job->ended.load(std::memory_order_relaxed) ? job
                                                                                        : nullptr;
}

void endJob() {
  Runtime *job = jobOfThisProcess();
  if (!job || job->node != 0)
    return;
  if (job->team->regionRuns()) {
    // exit() in a region: threads here and on other nodes go on computing or waiting, and nothing
    // of theirs can be taken down in order. The launcher ends the others when this node is gone.
    std::fflush(nullptr);
    _exit(job->exitStatus.load(std::memory_order_relaxed));
  }
  job->team->finish();
  leaveJob(*job);
}

/// A worker leaves by _exit, so this is the program's own exit. The handlers that it registered,
/// and its destructors, are node 0's, and cannot run any more.
void endJobFromWorker(int status, void *) {
  Runtime *job = jobOfThisProcess();
  if (!job)
    return;
  std::fflush(nullptr);
  fatalWithCode(status & 0xff,
                "the program called exit(%d) on this node, in a parallel region; output and files "
                "of this node are complete, but exit handlers and destructors did not run",
                status);
}

// 101 is the first number that is not the implementation's: before any constructor of ours, and
// after those of the libraries that this one needs.
__attribute__((constructor(101))) void onLoad(int, char **argv, char **) {
  leaveRandomisation(argv);
  startJob();
  Runtime *job = runtime();
  if (job->node == 0)
    return;
  // Not by the destructor: the dynamic linker runs those only for processes that reached main.
  // The standard streams are made by a static object of every program that includes <iostream>, and
  // a worker constructs none of the program's.
  new std::ios_base::Init;
  if (on_exit(endJobFromWorker, nullptr) != 0)
    fatal("there is no memory for an exit handler");
  runWorker(*job);
}
// Run after the handlers and destructors of the program, before those of libfabric and libomp.
__attribute__((destructor(101))) void onUnload() { endJob(); }

} // namespace

void leaveJob(Runtime &job) {
  if (job.ended.exchange(true, std::memory_order_relaxed))
    return;
  if (job.messenger)
    job.messenger->stop();
  if (job.events)
    job.events->close();
  if (job.bootstrap)
    job.bootstrap->reportDone();
  job.network.reset();
}

} // namespace ompdsm
