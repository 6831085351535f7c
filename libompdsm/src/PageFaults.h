// PageFaults.h: pages of other nodes are absent until something of them is fetched, so that code
// that was not compiled with the plugin faults on its first access instead of reading zeros. The
// fault fetches the page.
//
// By userfaultfd: a fault on an absent page of a registered range is SIGBUS for the thread that
// caused it, and the mappings stay whole, however many pages become present one by one. Needs
// no privilege (faults of user mode only; a system call that meets an absent page fails with
// EFAULT) and Linux 5.11. What such code writes is found by the releases that follow as long as the
// block stays open for writing, which the first release ends (libompdsm/README.md).
#pragma once
#include "fabric/Status.h"
#include "libompdsm/src/AddressSpace.h"
#include "protocol/engine/PageSupplier.h"
#include <csignal>
#include <memory>
#include <vector>

namespace ompdsm {

class PageFaults final : public PageSupplier {
public:
  /// Makes all pages of `ranges` absent and catches SIGBUS. The ranges are anonymous and private,
  /// nothing has touched them, and they last as long as the process. Once, at start. An error means
  /// that the system does not allow it; nothing has changed then.
  static Status open(std::vector<AddressRange> ranges, std::unique_ptr<PageFaults> &faults);

  // Any thread, at any time.
  bool isAbsent(Address address) const override;
  void supply(Address begin, std::size_t bytes, const std::byte *contents) override;
  void withdraw(Address begin, std::size_t bytes) override;

  bool covers(Address address) const;
  /// What the program does with SIGBUS for faults that are not ours: as sigaction.
  int setProgramAction(const struct sigaction *action, struct sigaction *old);

private:
  PageFaults(std::vector<AddressRange> ranges, int file)
      : ranges_(std::move(ranges)), file_(file) {}
  static void onFault(int number, siginfo_t *info, void *context);
  void passToProgram(int number, siginfo_t *info, void *context) const;
  int tryToMakePages(Address begin, Address end, const std::byte *contents,
                     std::int64_t &made) const;
  void makePages(Address begin, Address end, const std::byte *contents);

  const std::vector<AddressRange> ranges_;
  const int file_; ///< Of userfaultfd.
  std::uint8_t *present_ =
      nullptr; ///< One bit for each page of the address space, touched sparsely.
  struct sigaction programAction_{}; ///< The default action until the program sets another.
};

} // namespace ompdsm
