// Doorbell.cpp: futexes in shared memory.
#include "Doorbell.h"
#include "../Check.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ompdsm::fabric {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free &&
              std::atomic<std::uint64_t>::is_always_lock_free);

static std::uint32_t *futexWord(std::atomic<std::uint32_t> &word) {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t *>(&word);
}

Status Doorbell::map(const SharedFile &file, Doorbell &doorbell) {
  Status status =
      file.map(0, sizeof(DoorbellPage), SharedFile::Access::ReadAndWrite, doorbell.mapping_);
  // A file of zeros is a page of atomics with value 0.
  doorbell.page_ = reinterpret_cast<DoorbellPage *>(doorbell.mapping_.data());
  return status;
}

Status Doorbell::create(Doorbell &doorbell) {
  if (Status status = SharedFile::create("ompdsm-doorbell", sizeof(DoorbellPage), doorbell.file_);
      !status.isOk())
    return status;
  return map(doorbell.file_, doorbell);
}

Status Doorbell::open(pid_t pid, int fd, Doorbell &doorbell) {
  SharedFile file;
  if (Status status = SharedFile::open(pid, fd, file); !status.isOk())
    return status;
  return map(file, doorbell);
}

bool Doorbell::ringAfterSend(Urgency urgency) {
  // Partner: the fence in announceSleep (leaveToPollers is asked behind it, too), and the
  // sequentially consistent removePoller and addWaiter.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (urgency == Urgency::Now ? leaveToPollers()
                              : page_->pollers.load(std::memory_order_relaxed) != 0)
    return urgency == Urgency::WhenSeen;
  if (page_->sleeping.load(std::memory_order_relaxed) == 0)
    return false;
  if (urgency == Urgency::Now || page_->waiters.load(std::memory_order_relaxed) != 0) {
    ring();
    return false;
  }
  if (urgency != Urgency::WhenSeen)
    return false;
  raiseAttention();
  return true;
}

bool Doorbell::leaveToPollers() {
  if (!hasPollers())
    return false;
  page_->pressing.store(1, std::memory_order_seq_cst);
  // Partner: removePoller, behind which isPressing is asked.
  return hasPollers();
}

void Doorbell::ringIfUnseen() {
  if (!leaveToPollers() && page_->attention.flag.load(std::memory_order_seq_cst) != 0)
    ring();
}

bool Doorbell::ring() {
  // Takes the announcement away before it rings, so that of many rings one makes the system call.
  // Afterwards it only looks: what stands there now may be the owner's next sleep, which this ring
  // does not end, and the ring that does must find it. Partner: announceSleep, after which the
  // owner looks at `rings` again.
  const bool announced = page_->sleeping.exchange(0, std::memory_order_seq_cst) != 0;
  page_->rings.fetch_add(1, std::memory_order_seq_cst);
  if (!announced && page_->sleeping.load(std::memory_order_seq_cst) == 0)
    return false;
  syscall(SYS_futex, futexWord(page_->rings), FUTEX_WAKE, 1, nullptr, nullptr, 0);
  return true;
}

void Doorbell::requestRing(NodeId self) {
  page_->waiting[self / 64].fetch_or(std::uint64_t(1) << (self % 64), std::memory_order_seq_cst);
  page_->anyWaiting.store(1, std::memory_order_seq_cst);
}

void Doorbell::announceSleep() {
  page_->sleeping.store(1, std::memory_order_seq_cst);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void Doorbell::waitWhile(std::uint32_t seen, std::chrono::microseconds timeout) {
  timespec relative{};
  relative.tv_sec = timeout.count() / 1000000;
  relative.tv_nsec = timeout.count() % 1000000 * 1000;
  syscall(SYS_futex, futexWord(page_->rings), FUTEX_WAIT, seen, &relative, nullptr, 0);
}

} // namespace ompdsm::fabric
