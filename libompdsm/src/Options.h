// Options.h: what a user may choose by the environment (OMPDSM_*), read once at start.
//
// The launcher sets some of them; all nodes must have equal values of those that decide where
// things lie (describeForAgreement). The list below is the only place that names them.
#pragma once
#include "fabric/Status.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/WaitPolicy.h"
#include <cstddef>
#include <cstdint>
#include <string>

namespace ompdsm {

inline constexpr unsigned kMostRangesTogether = 128;
inline constexpr unsigned kSumAll = 2; ///< Of sums: floating-point numbers, too.

/// OMPDSM_OPTION(type, member, environment variable, default, least, most, must agree on all nodes)
/// Numbers are decimal, or hexadecimal after 0x; K, M or G behind them stands for 2^10, 2^20, 2^30.
#define OMPDSM_NUMBER_OPTIONS(OMPDSM_OPTION)                                                       \
  /* Where the segment begins, and how much of it each node has. */                                \
  OMPDSM_OPTION(std::uint64_t, segmentBase, "OMPDSM_SEGMENT_BASE", 0x200000000000,                 \
                OMPDSM_LEAST_SHARED, 0x7f0000000000, true)                                         \
  OMPDSM_OPTION(std::uint64_t, sliceGib, "OMPDSM_SLICE_GIB", 64, 1, 16384, true)                   \
  /* Size in bytes of the unit of coherence, below and above 16 KiB of allocation. */              \
  OMPDSM_OPTION(std::uint64_t, blockSmallBytes, "OMPDSM_BLOCK_SMALL", 256, 64, 65536, true)        \
  OMPDSM_OPTION(std::uint64_t, blockLargeBytes, "OMPDSM_BLOCK_LARGE", 2048, 64, 65536, true)       \
  /* Size of the stack that main runs on; 0: as `ulimit -s`, within 64 MiB and 512 MiB. */         \
  OMPDSM_OPTION(std::uint64_t, mainStackMib, "OMPDSM_MAIN_STACK_MIB", 0, 0, 65536, false)          \
  /* Most blocks that a sequential miss fetches ahead. */                                          \
  OMPDSM_OPTION(unsigned, prefetchBlocks, "OMPDSM_PREFETCH", 64, 0, 4096, false)                   \
  /* Most memory in bytes for copies of other nodes' memory, on each node; 0: no limit. */         \
  OMPDSM_OPTION(std::uint64_t, cacheLimitBytes, "OMPDSM_CACHE_LIMIT", 0, 0,                        \
                std::uint64_t(1) << 46, false)                                                     \
  /* 1: node 0 prints all of these at start. */                                                    \
  OMPDSM_OPTION(bool, displayEnvironment, "OMPDSM_DISPLAY_ENV", false, 0, 1, false)                \
  /* 0: code that was not compiled with the plugin reads zeros where nothing was fetched. */       \
  OMPDSM_OPTION(bool, pageFaults, "OMPDSM_PAGE_FAULTS", true, 0, 1, false)                         \
  /* 0: no warning of functions that get pointers and were not compiled with the plugin. */        \
  OMPDSM_OPTION(bool, warnForeign, "OMPDSM_WARN_FOREIGN", true, 0, 1, false)                       \
  /* Who alone has changed a page in so many epochs in a row becomes its home; 0: homes stay. */   \
  OMPDSM_OPTION(unsigned, homePatience, "OMPDSM_MIGRATE", 2, 0, 64, true)                          \
  /* 0: what nodes are expected to read again is not sent to them when it changes. */              \
  OMPDSM_OPTION(bool, pushUpdates, "OMPDSM_PUSH", true, 0, 1, false)                               \
  /* 0: nor is it at a barrier before they have fetched it twice. */                               \
  OMPDSM_OPTION(bool, pushFirst, "OMPDSM_PUSH_FIRST", true, 0, 1, false)                           \
  /* 0: what was fetched behind a barrier is not asked for when the node comes there again. */     \
  OMPDSM_OPTION(bool, predictFetches, "OMPDSM_PREDICT", true, 0, 1, false)                         \
  /* How long who waits polls before it sleeps, in microseconds, if there are enough cores; if */  \
  /* it is not set, as OMP_WAIT_POLICY and KMP_BLOCKTIME say (WaitPolicy.h). */                    \
  OMPDSM_OPTION(unsigned, spinMicroseconds, "OMPDSM_SPIN", kUsualPolling, 0, 0xffffffff, false)    \
  /* 0: an object that a loop has missed on often is not fetched whole. */                         \
  OMPDSM_OPTION(bool, fetchObjects, "OMPDSM_OBJECTS", true, 0, 1, false)                           \
  /* 0: what will be overwritten whole is fetched like what is changed. */                         \
  OMPDSM_OPTION(bool, overwrite, "OMPDSM_OVERWRITE", true, 0, 1, false)                            \
  /* 0: nodes keep also what they overwrite whole and do not read. */                              \
  OMPDSM_OPTION(bool, dropUnread, "OMPDSM_AWAY", true, 0, 1, false)                                \
  /* 0: homes leave all blocks open whose changes they push. */                                    \
  OMPDSM_OPTION(bool, closePushed, "OMPDSM_CLOSE", true, 0, 1, false)                              \
  /* 0: what a node is expected to read is sent to it at each barrier at which it changes. */      \
  OMPDSM_OPTION(bool, pushBySite, "OMPDSM_PUSH_SITES", true, 0, 1, false)                          \
  /* 0: homes compare also blocks that they change in most of their lines. */                      \
  OMPDSM_OPTION(bool, openBare, "OMPDSM_BARE", true, 0, 1, false)                                  \
  /* 0: homes keep copies of what they send while their threads may store to it. */                \
  OMPDSM_OPTION(bool, keepDigests, "OMPDSM_DIGESTS", true, 0, 1, false)                            \
  /* 0: copies end when threads update other nodes' memory by atomic operations. */                \
  OMPDSM_OPTION(bool, keepUpdated, "OMPDSM_KEEP_UPDATED", true, 0, 1, false)                       \
  /* What threads add to numbers of other nodes is added up where they are: 2; 1: of integers */   \
  /* only; 0: of none. */                                                                          \
  OMPDSM_OPTION(unsigned, sums, "OMPDSM_SUMS", kSumAll, 0, kSumAll, false)                         \
  /* Blocks that several nodes have changed in so many epochs get smaller; 0: sizes stay. */       \
  OMPDSM_OPTION(unsigned, sizePatience, "OMPDSM_ADAPT", 3, 0, 64, false)                           \
  /* 0: who comes first executes a single, also where all wait for it. */                          \
  OMPDSM_OPTION(bool, keepSingles, "OMPDSM_SINGLE", true, 0, 1, false)                             \
  /* 0: no lock is asked for before a thread wants it. */                                          \
  OMPDSM_OPTION(bool, locksAhead, "OMPDSM_LOCKS_AHEAD", true, 0, 1, false)                         \
  /* Most ranges that a thread asks for together. */                                               \
  OMPDSM_OPTION(unsigned, rangesTogether, "OMPDSM_RANGES", kMostRangesTogether, 1,                 \
                kMostRangesTogether, false)                                                        \
  /* 0: tasks are executed on the node that creates them. */                                       \
  OMPDSM_OPTION(bool, shareTasks, "OMPDSM_TASKS", true, 0, 1, true)                                \
  /* 0: each message is a packet of its own. */                                                    \
  OMPDSM_OPTION(bool, joinMessages, "OMPDSM_JOIN", true, 0, 1, false)                              \
  /* 0: a barrier has its second half, too, where no Put was sent. */                              \
  OMPDSM_OPTION(bool, shortBarriers, "OMPDSM_SHORT_BARRIER", true, 0, 1, false)                    \
  /* 0: so has one where all that was put was to blocks without third sharers. */                  \
  OMPDSM_OPTION(bool, soleSharers, "OMPDSM_SOLE", true, 0, 1, false)                               \
  /* 0: who sends the same to many nodes sends it to each itself. */                               \
  OMPDSM_OPTION(bool, multicast, "OMPDSM_MULTICAST", true, 0, 1, false)                            \
  /* Regions are executed by node 0 alone where spreading them takes longer: 1; 2: all that can */ \
  /* be; 0: none. */                                                                               \
  OMPDSM_OPTION(unsigned, fold, "OMPDSM_FOLD", 1, 0, 2, false)                                     \
  /* 0: threads that compute are not asked to serve other nodes. */                                \
  OMPDSM_OPTION(bool, attention, "OMPDSM_ATTENTION", true, 0, 1, false)                            \
  /* Threads on each node (0: not said). By the launcher. */                                       \
  OMPDSM_OPTION(unsigned, threads, "OMPDSM_THREADS", 0, 0, 1024, false)                            \
  /* Seconds that a node waits for the others at start. */                                         \
  OMPDSM_OPTION(unsigned, startTimeoutSeconds, "OMPDSM_START_TIMEOUT", 60, 1, 86400, false)

/// The same without limits: (member, environment variable, default).
#define OMPDSM_TEXT_OPTIONS(OMPDSM_OPTION)                                                         \
  OMPDSM_OPTION(provider, "OMPDSM_PROVIDER", "auto")                                               \
  /* "1" on standard error, or the name of a file; empty or "0" for none. */                       \
  OMPDSM_OPTION(stats, "OMPDSM_STATS", "")                                                         \
  OMPDSM_OPTION(fault, "OMPDSM_FAULT", "")                                                         \
  OMPDSM_OPTION(trace, "OMPDSM_TRACE", "")                                                         \
  /* Trace of the protocol's events, for ompdsm-check --replay; empty for none. */                 \
  OMPDSM_OPTION(events, "OMPDSM_EVENTS", "")                                                       \
  OMPDSM_OPTION(hostSuffix, "OMPDSM_HOST_SUFFIX", "")                                              \
  /* Network interface, or address, at which other hosts reach node 0; under mpirun and srun. */   \
  OMPDSM_OPTION(interface, "OMPDSM_INTERFACE", "")

struct Options {
#define OMPDSM_OPTION(type, member, variable, initial, least, most, agree) type member = initial;
  OMPDSM_NUMBER_OPTIONS(OMPDSM_OPTION)
#undef OMPDSM_OPTION
#define OMPDSM_OPTION(member, variable, initial) std::string member = initial;
  OMPDSM_TEXT_OPTIONS(OMPDSM_OPTION)
#undef OMPDSM_OPTION

  std::uint64_t sliceBytes() const { return sliceGib << 30; }
};

/// Reads the environment; an unset or empty variable keeps the default.
Status readOptions(Options &options);

/// An error says which variable it comes of.
Status inVariable(const char *variable, const Status &status);

/// "name value" lines of the options that must be equal on all nodes.
std::string describeForAgreement(const Options &options);

/// All options in the form of OMP_DISPLAY_ENV.
std::string describeAll(const Options &options);

} // namespace ompdsm
