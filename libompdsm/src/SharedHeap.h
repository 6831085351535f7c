// SharedHeap.h: the heaps of this node's slice, and the memory of the other nodes' heaps as far as
// free, realloc and malloc_usable_size reach it. Exists with several nodes only.
//
// An allocation is always from the own slice. Memory of another node goes back to it by a message,
// after the node's writes to it have reached their home: the next owner of the memory must not be
// overtaken by them. Any thread of the program may call the public functions; handlers may only
// free memory of their own node.
#pragma once
#include "libompdsm/src/HeapArena.h"
#include "protocol/engine/Messenger.h"
#include <atomic>
#include <memory>

namespace ompdsm {

struct Runtime;
class ThreadRegistration;

/// Who asked: instrumented code (its writes are tracked), or code that writes without checks.
enum class HeapKind : unsigned { Application, Pinned };

class SharedHeap {
public:
  explicit SharedHeap(Runtime &runtime);

  /// Before the messenger starts, and when there is an engine.
  void registerHandlers();

  /// `bytes` > 0, `alignment` a power of two. Null when the heap's areas are used up. A zeroed
  /// allocation is coherent: where memory is used again, the write goes through the protocol.
  void *allocate(HeapKind kind, std::size_t bytes, std::size_t alignment, bool zeroed);
  /// As realloc of any memory of the segment, `bytes` > 0; the result is in `kind`'s heap.
  void *reallocate(HeapKind kind, void *p, std::size_t bytes);
  void deallocate(void *p);
  std::size_t usableBytes(void *p);

  /// Thread caches of the calling thread; only for threads that certainly call the second function.
  void beginThreadCaches();
  void endThreadCaches();

private:
  struct SizeQuestion;
  HeapArena &arenaFor(HeapKind kind, std::size_t bytes);
  HeapArena &arenaOf(const void *p);
  /// `p` has its size now; as HeapArena::noteGiven.
  bool noteGiven(HeapArena &arena, const void *p);
  int cacheFor(const HeapArena &arena) const;
  bool isOwn(const void *p) const;
  void *moveTo(HeapKind kind, void *p, std::size_t oldBytes, std::size_t bytes);
  void freeAtOwner(void *p);
  std::size_t askOwnerForSize(void *p);
  /// The first time that this node's slice cannot serve an allocation, the user learns what would
  /// help; the program gets null, and may go on.
  void sayExhausted(std::size_t bytes);

  Runtime &runtime_;
  ThreadRegistration *releaser_ = nullptr; ///< Always offline; see freeAtOwner.
  std::atomic<bool> saidExhausted_{false};
  // One for each AreaUse but the last two.
  HeapArena smallApplication_, largeApplication_, smallPinned_, largePinned_;
};

} // namespace ompdsm
