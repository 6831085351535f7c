// SectionHeaders.cpp: reads the headers of an ELF file of 64 bits (elf(5)).
#include "libompdsm/src/SectionHeaders.h"
#include <algorithm>
#include <elf.h>
#include <fcntl.h>
#include <unistd.h>
#include <vector>

namespace ompdsm {
namespace {

constexpr std::size_t kMostHeaders = 1 << 16;

/// `count` objects that lie at `offset` of the file; none if they are not all there.
template <class Object>
std::vector<Object> readAt(int fd, std::uint64_t offset, std::size_t count) {
  std::vector<Object> objects(std::min(count, kMostHeaders));
  const std::size_t bytes = objects.size() * sizeof(Object);
  if (pread(fd, objects.data(), bytes, off_t(offset)) != ssize_t(bytes))
    objects.clear();
  return objects;
}

bool mayHold(int fd, Address loadedAt, AddressRange range) {
  const auto header = readAt<Elf64_Ehdr>(fd, 0, 1);
  if (header.empty() || header[0].e_shentsize != sizeof(Elf64_Shdr) || header[0].e_shnum == 0 ||
      header[0].e_phentsize != sizeof(Elf64_Phdr))
    return true;
  const auto segments = readAt<Elf64_Phdr>(fd, header[0].e_phoff, header[0].e_phnum);
  const auto sections = readAt<Elf64_Shdr>(fd, header[0].e_shoff, header[0].e_shnum);
  Address first = ~Address(0); // in the file's own addresses
  for (const Elf64_Phdr &segment : segments)
    if (segment.p_type == PT_LOAD)
      first = std::min<Address>(first, segment.p_vaddr);
  if (sections.empty() || first == ~Address(0))
    return true;
  const Address bias = loadedAt - first;
  return std::any_of(sections.begin(), sections.end(), [&](const Elf64_Shdr &section) {
    // Zeros of thread-local variables have an address, but no place there.
    const bool isLoaded = (section.sh_flags & SHF_ALLOC) &&
                          !((section.sh_flags & SHF_TLS) && section.sh_type == SHT_NOBITS);
    const Address begin = section.sh_addr + bias;
    return isLoaded && begin < range.end && begin + section.sh_size > range.begin;
  });
}

} // namespace

bool mayHoldSections(const LoadedImage &image, AddressRange range) {
  const int fd = open(image.name.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return true;
  const bool mayHoldSome = mayHold(fd, image.range.begin, range);
  close(fd);
  return mayHoldSome;
}

} // namespace ompdsm
