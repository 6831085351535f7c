// Doorbell.cpp: memfd, mmap and futex.
#include "Doorbell.h"
#include "../Check.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/futex.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace ompdsm::fabric {

static_assert(std::atomic<std::uint32_t>::is_always_lock_free &&
              std::atomic<std::uint64_t>::is_always_lock_free);

static std::uint32_t *futexWord(std::atomic<std::uint32_t> &word) {
  static_assert(sizeof(word) == sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t *>(&word);
}

Doorbell::~Doorbell() {
  if (page_)
    munmap(page_, sizeof(DoorbellPage));
  if (fd_ >= 0)
    close(fd_);
}

Doorbell &Doorbell::operator=(Doorbell &&other) noexcept {
  std::swap(page_, other.page_);
  std::swap(fd_, other.fd_);
  return *this;
}

Status Doorbell::map(int fd, Doorbell &doorbell) {
  void *memory = mmap(nullptr, sizeof(DoorbellPage), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED)
    return Status::error(std::string("cannot map a doorbell page: ") + std::strerror(errno));
  doorbell.page_ = static_cast<DoorbellPage *>(memory);
  return Status::ok();
}

Status Doorbell::create(Doorbell &doorbell) {
  Doorbell result;
  result.fd_ = memfd_create("ompdsm-doorbell", MFD_CLOEXEC);
  if (result.fd_ < 0)
    return Status::error(std::string("cannot create a doorbell page: ") + std::strerror(errno));
  // A file of zeros is a page of atomics with value 0.
  if (ftruncate(result.fd_, sizeof(DoorbellPage)) != 0)
    return Status::error(std::string("cannot size a doorbell page: ") + std::strerror(errno));
  Status status = map(result.fd_, result);
  if (status.isOk())
    doorbell = std::move(result);
  return status;
}

Status Doorbell::open(pid_t pid, int fd, Doorbell &doorbell) {
  std::string path = "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(fd);
  int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0)
    return Status::error("cannot open the doorbell of another node of this host (" + path +
                         "): " + std::strerror(errno) +
                         ". run with the transport 'tcp' if nodes may not see each other's /proc");
  Doorbell result;
  Status status = map(file, result);
  close(file);
  if (status.isOk())
    doorbell = std::move(result);
  return status;
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
