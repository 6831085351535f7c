// SharedHeap.cpp: which arena serves an allocation, and the messages about other nodes' memory.
#include "libompdsm/src/SharedHeap.h"
#include "fabric/Check.h"
#include "libompdsm/include/ompdsm/abi.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/ObjectExtents.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/TeamMessages.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace ompdsm {
namespace {

/// Messages of the heap. TeamMessages.h has the numbers from 40.
enum class HeapMessage : std::uint8_t { Free = 32, SizeRequest = 33, SizeReply = 34 };
constexpr MessageKind kindOf(HeapMessage message) { return static_cast<MessageKind>(message); }

struct FreeBody {
  std::uint64_t address;
};
/// `question` means something to the asking node only, which waits until it is answered.
struct SizeBody {
  std::uint64_t address, question, bytes;
};

// Explicit caches of jemalloc for the two small arenas; a thread's own state.
struct ThreadCaches {
  int smallApplication = HeapArena::kNoCache, smallPinned = HeapArena::kNoCache;
};
thread_local constinit ThreadCaches threadCaches __attribute__((tls_model("initial-exec")));

int makeCache() {
  unsigned index = 0;
  std::size_t bytes = sizeof index;
  // There are 4,000; a thread without one is slower, not wrong.
  return mallctl("tcache.create", &index, &bytes, nullptr, 0) == 0 ? int(MALLOCX_TCACHE(index))
                                                                   : HeapArena::kNoCache;
}

void destroyCache(int &cache) {
  if (cache == HeapArena::kNoCache)
    return;
  unsigned index = (static_cast<unsigned>(cache) >> 8) - 2; // Inverse of MALLOCX_TCACHE.
  cache = HeapArena::kNoCache;
  (void)mallctl("tcache.destroy", nullptr, nullptr, &index, sizeof index);
}

} // namespace

struct SharedHeap::SizeQuestion {
  std::atomic<std::size_t> bytes{0}; ///< Never 0 in an answer.
};

SharedHeap::SharedHeap(Runtime &runtime)
    : runtime_(runtime),
      smallApplication_(runtime.addressSpace->area(runtime.node, AreaUse::SmallApplication)),
      largeApplication_(runtime.addressSpace->area(runtime.node, AreaUse::LargeApplication)),
      smallPinned_(runtime.addressSpace->area(runtime.node, AreaUse::SmallPinned)),
      largePinned_(runtime.addressSpace->area(runtime.node, AreaUse::LargePinned)) {}

void SharedHeap::registerHandlers() {
  releaser_ = runtime_.engine->registerThread();
  runtime_.engine->goOffline(releaser_);
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(kindOf(HeapMessage::Free), [this](NodeId, fabric::Bytes bytes) {
    void *p = reinterpret_cast<void *>(bodyFrom<FreeBody>(bytes).address);
    OMPDSM_CHECK(isOwn(p));
    arenaOf(p).deallocate(p, HeapArena::kNoCache);
  });
  messenger.setHandler(kindOf(HeapMessage::SizeRequest), [this](NodeId from, fabric::Bytes bytes) {
    SizeBody body = bodyFrom<SizeBody>(bytes);
    void *p = reinterpret_cast<void *>(body.address);
    OMPDSM_CHECK(isOwn(p));
    body.bytes = arenaOf(p).usableBytes(p);
    runtime_.messenger->post(from, kindOf(HeapMessage::SizeReply), {bytesOf(body)});
    runtime_.messenger->flush();
  });
  messenger.setHandler(kindOf(HeapMessage::SizeReply), [this](NodeId, fabric::Bytes bytes) {
    const SizeBody body = bodyFrom<SizeBody>(bytes);
    // Release pairs with the acquire of the waiting thread, which then takes the question away.
    reinterpret_cast<SizeQuestion *>(body.question)
        ->bytes.store(body.bytes, std::memory_order_release);
    runtime_.messenger->notify();
  });
}

HeapArena &SharedHeap::arenaFor(HeapKind kind, std::size_t bytes) {
  if (bytes > OMPDSM_SMALL_OBJECT_BYTES)
    return kind == HeapKind::Application ? largeApplication_ : largePinned_;
  return kind == HeapKind::Application ? smallApplication_ : smallPinned_;
}

HeapArena &SharedHeap::arenaOf(const void *p) {
  switch (runtime_.addressSpace->useOf(p)) {
  case AreaUse::SmallApplication:
    return smallApplication_;
  case AreaUse::LargeApplication:
    return largeApplication_;
  case AreaUse::SmallPinned:
    return smallPinned_;
  case AreaUse::LargePinned:
    return largePinned_;
  case AreaUse::Stacks:
  case AreaUse::Extents:
    break;
  }
  fatal("free or realloc of %p, which is not from malloc", p);
}

int SharedHeap::cacheFor(const HeapArena &arena) const {
  if (&arena == &smallApplication_)
    return threadCaches.smallApplication;
  return &arena == &smallPinned_ ? threadCaches.smallPinned : HeapArena::kNoCache;
}

bool SharedHeap::isOwn(const void *p) const {
  return runtime_.addressSpace->contains(p) && runtime_.addressSpace->ownerOf(p) == runtime_.node;
}

bool SharedHeap::noteGiven(HeapArena &arena, const void *p) {
  const std::size_t bytes = arena.usableBytes(p);
  if (&arena == &largeApplication_)
    ObjectExtents(*runtime_.addressSpace).note(p, bytes);
  return arena.noteGiven(p, bytes);
}

void *SharedHeap::allocate(HeapKind kind, std::size_t bytes, std::size_t alignment, bool zeroed) {
  HeapArena &arena = arenaFor(kind, bytes);
  void *p = arena.allocate(bytes, alignment, cacheFor(arena));
  if (!p) {
    sayExhausted(bytes);
    return nullptr;
  }
  const bool fresh = noteGiven(arena, p);
  if (!zeroed || fresh)
    return p;
  // The pinned heap's home is here for ever, so its memory is valid and written without asking.
  if (kind == HeapKind::Application)
    ensureWrite(p, bytes);
  std::memset(p, 0, bytes);
  return p;
}

void SharedHeap::sayExhausted(std::size_t bytes) {
  // A program may ask for what no memory has to see what happens.
  constexpr std::size_t kMostBytes = std::size_t(1) << 43;
  if (bytes > kMostBytes || saidExhausted_.exchange(true, std::memory_order_relaxed))
    return;
  // Without stdio, which may want memory itself.
  char line[320];
  const int length = std::snprintf(
      line, sizeof line,
      "ompdsm: node %u has no memory left for an allocation of %zu bytes (later ones are not "
      "reported): its slice of %llu GiB is cut by use, so a larger OMPDSM_SLICE_GIB gives it "
      "more\n",
      unsigned(runtime_.node), bytes, static_cast<unsigned long long>(runtime_.options.sliceGib));
  if (length > 0 && write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0)
    return; // Nowhere to say it.
}

void *SharedHeap::reallocate(HeapKind kind, void *p, std::size_t bytes) {
  const std::size_t oldBytes = usableBytes(p);
  if (isOwn(p) && &arenaOf(p) == &arenaFor(kind, bytes)) {
    HeapArena &arena = arenaOf(p);
    if (arena.resizeInPlace(p, bytes)) {
      noteGiven(arena, p);
      return p;
    }
  }
  return moveTo(kind, p, oldBytes, bytes);
}

void *SharedHeap::moveTo(HeapKind kind, void *p, std::size_t oldBytes, std::size_t bytes) {
  void *moved = allocate(kind, bytes, alignof(std::max_align_t), /*zeroed=*/false);
  if (!moved)
    return nullptr;
  const std::size_t copied = std::min(oldBytes, bytes);
  ensureRead(p, copied);
  if (kind == HeapKind::Application)
    ensureWrite(moved, copied);
  std::memcpy(moved, p, copied);
  deallocate(p);
  return moved;
}

void SharedHeap::deallocate(void *p) {
  if (!isOwn(p))
    return freeAtOwner(p);
  HeapArena &arena = arenaOf(p);
  arena.deallocate(p, cacheFor(arena));
}

std::size_t SharedHeap::usableBytes(void *p) {
  return isOwn(p) ? arenaOf(p).usableBytes(p) : askOwnerForSize(p);
}

void SharedHeap::freeAtOwner(void *p) {
  if (runtime_.ended)
    return; // Destructors that run after the job's end: nobody is there to take it.
  const NodeId owner = runtime_.addressSpace->ownerOf(p);
  // What this node wrote to the memory, or still has in flight, must not come after the writes of
  // the thread that gets it next. The caller keeps its permissions, because the pass does not take
  // free for a synchronisation point: the release is in the name of a thread that has none.
  runtime_.engine->release(releaser_);
  runtime_.messenger->waitForRoom(owner, kindOf(HeapMessage::Free));
  const FreeBody body{reinterpret_cast<std::uint64_t>(p)};
  runtime_.messenger->post(owner, kindOf(HeapMessage::Free), {bytesOf(body)});
  runtime_.messenger->flush();
}

std::size_t SharedHeap::askOwnerForSize(void *p) {
  const NodeId owner = runtime_.addressSpace->ownerOf(p);
  SizeQuestion question;
  const SizeBody body{reinterpret_cast<std::uint64_t>(p),
                      reinterpret_cast<std::uint64_t>(&question), 0};
  runtime_.messenger->waitForRoom(owner, kindOf(HeapMessage::SizeRequest));
  runtime_.messenger->post(owner, kindOf(HeapMessage::SizeRequest), {bytesOf(body)});
  runtime_.messenger->flush();
  runtime_.messenger->waitUntil(
      [&] { return question.bytes.load(std::memory_order_acquire) != 0; });
  return question.bytes.load(std::memory_order_relaxed);
}

void SharedHeap::beginThreadCaches() { threadCaches = {makeCache(), makeCache()}; }

void SharedHeap::endThreadCaches() {
  destroyCache(threadCaches.smallApplication);
  destroyCache(threadCaches.smallPinned);
}

} // namespace ompdsm
