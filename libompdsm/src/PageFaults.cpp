// PageFaults.cpp: registration with userfaultfd, and the handler of its faults.
#include "libompdsm/src/PageFaults.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/Threads.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif

namespace ompdsm {
namespace {

constexpr std::size_t kPresenceBytes = (std::size_t(1) << 47) / kPageBytes / 8;

Status failed(const char *what) {
  return Status::error(std::string(what) + ": " + std::strerror(errno));
}

} // namespace

Status PageFaults::open(std::vector<AddressRange> ranges, std::unique_ptr<PageFaults> &faults) {
  const long file = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);
  if (file < 0)
    return failed("userfaultfd");
  std::unique_ptr<PageFaults> made(new PageFaults(std::move(ranges), static_cast<int>(file)));
  // Closing the file undoes the registrations.
  auto undo = [&](const char *what) {
    const Status status = failed(what);
    close(made->file_);
    return status;
  };
  uffdio_api api{.api = UFFD_API, .features = UFFD_FEATURE_SIGBUS, .ioctls = 0};
  if (ioctl(made->file_, UFFDIO_API, &api) != 0)
    return undo("UFFDIO_API");
  void *present = mmap(nullptr, kPresenceBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (present == MAP_FAILED)
    return undo("mmap");
  // Huge pages would multiply the few bytes that are used of it.
  (void)madvise(present, kPresenceBytes, MADV_NOHUGEPAGE);
  made->present_ = static_cast<std::uint8_t *>(present);
  for (const AddressRange &range : made->ranges_) {
    uffdio_register wanted{.range = {.start = range.begin, .len = range.bytes()},
                           .mode = UFFDIO_REGISTER_MODE_MISSING,
                           .ioctls = 0};
    if (ioctl(made->file_, UFFDIO_REGISTER, &wanted) != 0)
      return undo("UFFDIO_REGISTER");
  }
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  if (sigaction(SIGBUS, &action, &made->programAction_) != 0)
    return undo("sigaction");
  faults = std::move(made);
  return Status::ok();
}

bool PageFaults::covers(Address address) const {
  return std::any_of(ranges_.begin(), ranges_.end(),
                     [&](const AddressRange &range) { return range.contains(address); });
}

bool PageFaults::isAbsent(Address address) const {
  const Address page = address / kPageBytes;
  // Relaxed: a bit only saves a system call, and says no less than the system itself knows.
  const unsigned bits = std::atomic_ref(present_[page / 8]).load(std::memory_order_relaxed);
  return !(bits >> page % 8 & 1) && covers(address);
}

/// As ioctl; `made` is how many bytes have pages now, or an error.
int PageFaults::tryToMakePages(Address begin, Address end, const std::byte *contents,
                               std::int64_t &made) const {
  int result;
  if (contents) {
    uffdio_copy copy{.dst = begin,
                     .src = reinterpret_cast<Address>(contents),
                     .len = end - begin,
                     .mode = UFFDIO_COPY_MODE_DONTWAKE,
                     .copy = 0};
    result = ioctl(file_, UFFDIO_COPY, &copy);
    made = copy.copy;
  } else {
    // The kernel's page of zeros, until somebody writes.
    uffdio_zeropage zeros{.range = {.start = begin, .len = end - begin},
                          .mode = UFFDIO_ZEROPAGE_MODE_DONTWAKE,
                          .zeropage = 0};
    result = ioctl(file_, UFFDIO_ZEROPAGE, &zeros);
    made = zeros.zeropage;
  }
  return result;
}

void PageFaults::makePages(Address begin, Address end, const std::byte *contents) {
  while (begin < end) {
    std::int64_t bytes = 0;
    Address made = end;
    if (tryToMakePages(begin, end, contents, bytes) != 0) {
      // Another thread has made a page meanwhile (EEXIST), or the system wants to be asked again.
      if (errno != EEXIST && errno != EAGAIN)
        fatal("there is no memory for copies of other nodes' pages at 0x%llx (%s): use more nodes, "
              "or less memory",
              static_cast<unsigned long long>(begin), std::strerror(errno));
      made = begin + (bytes > 0 ? static_cast<Address>(bytes) : 0);
      if (errno == EEXIST && made == begin)
        made += kPageBytes;
    }
    if (contents)
      contents += made - begin;
    for (; begin < made; begin += kPageBytes)
      std::atomic_ref(present_[begin / kPageBytes / 8])
          .fetch_or(static_cast<std::uint8_t>(1u << begin / kPageBytes % 8),
                    std::memory_order_relaxed);
  }
}

void PageFaults::supply(Address begin, std::size_t bytes, const std::byte *contents) {
  static constexpr std::byte kZeros[kPageBytes]{};
  const Address end = begin + bytes;
  for (Address page = pageOf(begin); page < end;) {
    Address stop = page + kPageBytes;
    if (!isAbsent(page)) {
    } else if (page < begin || stop > end) {
      makePages(page, stop, contents ? kZeros : nullptr);
    } else {
      while (stop + kPageBytes <= end && isAbsent(stop))
        stop += kPageBytes;
      makePages(page, stop, contents ? contents + (page - begin) : nullptr);
    }
    page = stop;
  }
}

void PageFaults::withdraw(Address begin, std::size_t bytes) {
  for (Address page = begin / kPageBytes; page < (begin + bytes) / kPageBytes; ++page)
    std::atomic_ref(present_[page / 8])
        .fetch_and(static_cast<std::uint8_t>(~(1u << page % 8)), std::memory_order_relaxed);
}

void PageFaults::onFault(int number, siginfo_t *info, void *context) {
  const int kept = errno;
  Runtime &job = *runtime();
  PageFaults &faults = *job.pageFaults;
  const auto address = reinterpret_cast<Address>(info->si_addr);
  if (info->si_code != BUS_ADRERR || !faults.covers(address)) {
    faults.passToProgram(number, info, context);
    return;
  }
  const Address page = pageOf(address);
  // Exit handlers after the end of the job see what this node has.
  if (!job.ended.load(std::memory_order_relaxed)) {
    if (!isProgramThread() || ProtocolScope::isActive())
      fatal("the runtime touched memory of another node at 0x%llx that nobody has fetched",
            static_cast<unsigned long long>(address));
    // For writing at once, and no page that follows for reading: there would be no second fault to
    // tell of a store.
    job.engine->ensure(page, kPageBytes, Access::Write, FetchAhead::No);
  }
  faults.supply(page, 1, nullptr);
  errno = kept;
}

void PageFaults::passToProgram(int number, siginfo_t *info, void *context) const {
  const struct sigaction &action = programAction_;
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction(number, info, context);
  } else if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
    action.sa_handler(number);
  } else if (const bool wasSent = info->si_code <= 0; action.sa_handler == SIG_DFL || !wasSent) {
    // Sent or executed again, it ends the process as it would have without us. Not by sigaction,
    // which is interposed and would set the program's action.
    constexpr std::size_t kKernelSetBytes = 8;
    const unsigned long standard[4]{};
    syscall(SYS_rt_sigaction, number, standard, nullptr, kKernelSetBytes);
    if (wasSent)
      raise(number);
  }
}

int PageFaults::setProgramAction(const struct sigaction *action, struct sigaction *old) {
  if (old)
    *old = programAction_;
  if (action)
    programAction_ = *action;
  return 0;
}

} // namespace ompdsm
