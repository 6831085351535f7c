// Images.cpp: reads program headers and notes of what the dynamic linker has loaded.
#include "libompdsm/src/Images.h"
#include "libompdsm/include/ompdsm/abi.h"
#include <algorithm>
#include <cstring>
#include <link.h>
#include <unistd.h>

namespace ompdsm {
namespace {

std::string executablePath() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "the executable";
}

AddressRange loadRange(const dl_phdr_info &info) {
  AddressRange range;
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info.dlpi_phdr[i];
    if (header.p_type != PT_LOAD)
      continue;
    const Address begin = info.dlpi_addr + header.p_vaddr, end = begin + header.p_memsz;
    range.begin = range.end == 0 ? begin : std::min(range.begin, begin);
    range.end = std::max(range.end, end);
  }
  return range;
}

std::string hexadecimal(const unsigned char *bytes, std::size_t count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

ImageNote decodeNote(const unsigned char *description, std::size_t bytes) {
  ImageNote note;
  std::uint32_t version = 0;
  if (bytes >= sizeof version)
    std::memcpy(&version, description, sizeof version);
  note.abiVersion = version;
  constexpr unsigned kSections = kSharedSections + 2;
  // Of another version nothing but the version itself can be understood.
  if (version != OMPDSM_ABI_VERSION || bytes < 8 + kSections * 16)
    return note;
  AddressRange *const lists[] = {&note.callees, &note.variables};
  for (unsigned i = 0; i < kSections; ++i) {
    Address bounds[2];
    for (unsigned k = 0; k < 2; ++k) {
      const unsigned char *field = description + 8 + i * 16 + k * 8;
      std::int64_t offset = 0;
      std::memcpy(&offset, field, sizeof offset);
      bounds[k] = offset == 0 ? 0 : reinterpret_cast<Address>(field) + offset;
    }
    (i < kSharedSections ? note.sections[i] : *lists[i - kSharedSections]) = {bounds[0], bounds[1]};
  }
  return note;
}

void readNotes(const unsigned char *at, std::size_t bytes, std::size_t alignment,
               LoadedImage &image) {
  const unsigned char *end = at + bytes;
  const auto padded = [&](std::size_t size) { return (size + alignment - 1) & ~(alignment - 1); };
  while (at + sizeof(ElfW(Nhdr)) <= end) {
    ElfW(Nhdr) header;
    std::memcpy(&header, at, sizeof header);
    const unsigned char *name = at + sizeof header;
    const unsigned char *description = name + padded(header.n_namesz);
    const unsigned char *next = description + padded(header.n_descsz);
    if (description + header.n_descsz > end)
      return; // Malformed; somebody else's business.
    const auto isNamed = [&](const char *wanted) {
      return header.n_namesz == std::strlen(wanted) + 1 &&
             std::memcmp(name, wanted, header.n_namesz) == 0;
    };
    if (isNamed("GNU") && header.n_type == NT_GNU_BUILD_ID)
      image.buildId = hexadecimal(description, header.n_descsz);
    if (isNamed(OMPDSM_NOTE_NAME) && header.n_type == OMPDSM_NOTE_TYPE)
      image.note = decodeNote(description, header.n_descsz);
    at = next;
  }
}

/// Of the dynamic section of an image.
struct Relocations {
  const ElfW(Sym) *symbols = nullptr;
  const char *strings = nullptr;
  /// Of data, and of the procedure linkage table.
  const ElfW(Rela) * tables[2] = {};
  std::size_t bytes[2] = {};
};

Relocations relocationsOf(const dl_phdr_info &info) {
  Relocations found;
  for (unsigned i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC)
      continue;
    // The dynamic linker has made addresses of the pointers, but for the vdso's.
    const auto *entry =
        reinterpret_cast<const ElfW(Dyn) *>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; ++entry) {
      const auto value = entry->d_un.d_ptr;
      switch (entry->d_tag) {
      case DT_SYMTAB:
        found.symbols = reinterpret_cast<const ElfW(Sym) *>(value);
        break;
      case DT_STRTAB:
        found.strings = reinterpret_cast<const char *>(value);
        break;
      case DT_RELA:
        found.tables[0] = reinterpret_cast<const ElfW(Rela) *>(value);
        break;
      case DT_RELASZ:
        found.bytes[0] = value;
        break;
      case DT_JMPREL:
        found.tables[1] = reinterpret_cast<const ElfW(Rela) *>(value);
        break;
      case DT_PLTRELSZ:
        found.bytes[1] = value;
        break;
      default:
        break;
      }
    }
  }
  return found;
}

bool refersTo(const dl_phdr_info &info, const char *function) {
  const Relocations relocations = relocationsOf(info);
  for (unsigned table = 0; table < 2; ++table)
    for (std::size_t i = 0; i < relocations.bytes[table] / sizeof(ElfW(Rela)); ++i) {
      const auto symbol = ELF64_R_SYM(relocations.tables[table][i].r_info);
      const ElfW(Sym) *const referred = relocations.symbols + symbol;
      if (symbol != 0 && referred->st_shndx == SHN_UNDEF &&
          std::strcmp(relocations.strings + referred->st_name, function) == 0)
        return true;
    }
  return false;
}

int collect(dl_phdr_info *info, std::size_t, void *list) {
  auto &images = *static_cast<std::vector<LoadedImage> *>(list);
  LoadedImage image;
  image.range = loadRange(*info);
  image.name = info->dlpi_name;
  if (images.empty())
    image.name = executablePath();
  else if (image.name.empty() || image.name.find('/') == std::string::npos)
    return 0; // The vdso has no file, and may differ between the hosts of a cluster.
  for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type == PT_NOTE)
      readNotes(reinterpret_cast<const unsigned char *>(info->dlpi_addr + header.p_vaddr),
                header.p_memsz, header.p_align == 8 ? 8 : 4, image);
  }
  images.push_back(std::move(image));
  return 0;
}

} // namespace

std::vector<LoadedImage> loadedImages() {
  std::vector<LoadedImage> images;
  dl_iterate_phdr(collect, &images);
  return images;
}

bool anyImageCalls(const char *function) {
  return dl_iterate_phdr(
             [](dl_phdr_info *info, std::size_t, void *name) {
               return int(refersTo(*info, static_cast<const char *>(name)));
             },
             const_cast<char *>(function)) != 0;
}

bool anyImageExecutesStack() {
  return dl_iterate_phdr(
             [](dl_phdr_info *info, std::size_t, void *) {
               const auto *begin = info->dlpi_phdr, *end = begin + info->dlpi_phnum;
               return int(std::any_of(begin, end, [](const ElfW(Phdr) & header) {
                 return header.p_type == PT_GNU_STACK && (header.p_flags & PF_X);
               }));
             },
             nullptr) != 0;
}

bool isLoaded(AddressRange bytes) {
  return dl_iterate_phdr(
             [](dl_phdr_info *info, std::size_t, void *data) {
               const auto &wanted = *static_cast<const AddressRange *>(data);
               for (unsigned i = 0; i < info->dlpi_phnum; ++i) {
                 const ElfW(Phdr) &header = info->dlpi_phdr[i];
                 const Address begin = info->dlpi_addr + header.p_vaddr;
                 if (header.p_type == PT_LOAD && (header.p_flags & PF_R) && wanted.begin >= begin &&
                     wanted.end <= begin + header.p_memsz)
                   return 1;
               }
               return 0;
             },
             &bytes) != 0;
}

AddressRange imageRangeAround(const void *address) {
  struct Search {
    Address address;
    AddressRange found;
  } search{reinterpret_cast<Address>(address), {}};
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *data) {
        auto &wanted = *static_cast<Search *>(data);
        const AddressRange range = loadRange(*info);
        if (range.contains(wanted.address))
          wanted.found = range;
        return wanted.found.bytes() != 0 ? 1 : 0;
      },
      &search);
  return search.found;
}

} // namespace ompdsm
