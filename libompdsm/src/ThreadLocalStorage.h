// ThreadLocalStorage.h: recognises addresses in the calling thread's own TLS, which mean nothing on
// another node: a region that captures one (copyin, or a reference to a threadprivate or thread_local
// variable) cannot be spread.
#pragma once

namespace ompdsm {

/// True if `address` lies in the TLS of the calling thread, of any loaded image.
bool isOwnThreadLocal(const void *address);

} // namespace ompdsm
