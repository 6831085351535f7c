// ThreadLocalStorage.cpp: asks the dynamic linker.
#include "libompdsm/src/ThreadLocalStorage.h"
#include <algorithm>
#include <link.h>

namespace ompdsm {

std::vector<AddressRange> ownThreadLocals() {
  std::vector<AddressRange> ranges;
  // dlpi_tls_data is the calling thread's block of the image, dl_iterate_phdr(3).
  dl_iterate_phdr(
      [](dl_phdr_info *image, std::size_t, void *list) {
        const auto begin = reinterpret_cast<Address>(image->dlpi_tls_data);
        for (int i = 0; begin && i < image->dlpi_phnum; ++i)
          if (image->dlpi_phdr[i].p_type == PT_TLS)
            static_cast<std::vector<AddressRange> *>(list)->push_back(
                {begin, begin + image->dlpi_phdr[i].p_memsz});
        return 0;
      },
      &ranges);
  return ranges;
}

bool isIn(const std::vector<AddressRange> &ranges, const void *address) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const AddressRange &range) {
    return range.contains(reinterpret_cast<Address>(address));
  });
}

bool isOwnThreadLocal(const void *address) { return isIn(ownThreadLocals(), address); }

} // namespace ompdsm
