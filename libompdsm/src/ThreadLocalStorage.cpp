#include "libompdsm/src/ThreadLocalStorage.h"
#include <cstddef>
#include <link.h>

namespace ompdsm {

bool isOwnThreadLocal(const void *address) {
  const void *sought = address;
  // dlpi_tls_data is the calling thread's block of the image, dl_iterate_phdr(3).
  return dl_iterate_phdr(
             [](dl_phdr_info *image, std::size_t, void *data) {
               auto *begin = static_cast<const char *>(image->dlpi_tls_data);
               auto *wanted = static_cast<const char *>(*static_cast<const void **>(data));
               if (!begin || wanted < begin)
                 return 0;
               for (int i = 0; i < image->dlpi_phnum; ++i)
                 if (image->dlpi_phdr[i].p_type == PT_TLS &&
                     wanted < begin + image->dlpi_phdr[i].p_memsz)
                   return 1;
               return 0;
             },
             &sought) != 0;
}

} // namespace ompdsm
