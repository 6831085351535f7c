// ThreadLocalCopies.cpp: copies in the pinned heap.
#include "libompdsm/src/ThreadLocalCopies.h"
#include "libompdsm/src/Allocation.h"
#include "libompdsm/src/Checks.h"
#include "libompdsm/src/Fatal.h"
#include "libompdsm/src/SourceLocation.h"
#include "libompdsm/src/ThreadLocalStorage.h"
#include <cstring>

namespace ompdsm {

void *ThreadLocalCopies::copy(const Ident *location, void *variable, std::size_t bytes) {
  void *made = allocateMemory(HeapKind::Pinned, bytes, 64, /*zeroed=*/false);
  if (!made)
    fatal("there is no memory for a copy of %zu bytes of a thread-local variable for the construct "
          "at "
          "%s",
          bytes, sourceLine(location).c_str());
  copies_.push_back(made);
  ensureWrite(made, bytes);
  std::memcpy(made, variable, bytes);
  return made;
}

template <class Visit>
void ThreadLocalCopies::adjust(void *variable, void *copy, std::size_t bytes, Visit visit) {
  auto *object = static_cast<char *>(variable), *begin = static_cast<char *>(copy);
  for (std::size_t at = 0; at + sizeof(char *) <= bytes; at += sizeof(char *)) {
    char *pointer = nullptr;
    std::memcpy(&pointer, begin + at, sizeof pointer);
    if (pointer >= object && pointer < object + bytes) {
      pointer = begin + (pointer - object);
      std::memcpy(begin + at, &pointer, sizeof pointer);
    } else {
      visit(pointer);
    }
  }
}

void *ThreadLocalCopies::add(const Ident *location, void *variable, std::size_t bytes) {
  const std::vector<AddressRange> threadLocals = ownThreadLocals();
  void *made = copy(location, variable, bytes);
  adjust(variable, made, bytes, [&](const void *pointer) {
    if (isIn(threadLocals, pointer))
      fatal(
          "the parallel region at %s copies in a pointer to a thread-local variable, which is not "
          "supported on more than one node; run with -n 1",
          sourceLine(location).c_str());
  });
  return made;
}

void *ThreadLocalCopies::addWithRest(const Ident *location, void *variable) {
  const auto address = reinterpret_cast<Address>(variable);
  std::size_t bytes = 0;
  for (const AddressRange &block : ownThreadLocals())
    if (block.contains(address))
      bytes = block.end - address;
  void *made = copy(location, variable, bytes);
  adjust(variable, made, bytes, [](const void *) {}); // Of what follows the variable, perhaps.
  return made;
}

void ThreadLocalCopies::clear() {
  for (void *copy : copies_)
    freeMemory(copy);
  copies_.clear();
}

} // namespace ompdsm
