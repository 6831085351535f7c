// SharedFile.h: memory without a name that nodes of one host share: a memfd of one of them, which
// the others open through /proc/<pid>/fd. Nothing of it is left when they have ended.
#pragma once
#include "../Status.h"
#include <cstddef>
#include <sys/types.h>

namespace ompdsm::fabric {

/// A part of a shared file in the memory of this process. Movable handle.
class Mapping {
public:
  Mapping() = default;
  ~Mapping();
  Mapping(Mapping &&other) noexcept { *this = std::move(other); }
  Mapping &operator=(Mapping &&other) noexcept;
  /// Null if there is none.
  std::byte *data() const { return data_; }

private:
  friend class SharedFile;
  std::byte *data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// A descriptor of a shared file. Movable handle.
class SharedFile {
public:
  enum class Access { Read, ReadAndWrite };

  SharedFile() = default;
  ~SharedFile();
  SharedFile(SharedFile &&other) noexcept { *this = std::move(other); }
  SharedFile &operator=(SharedFile &&other) noexcept;

  /// A file of `bytes` zeros; untouched pages cost nothing. `name` is what /proc shows.
  static Status create(const char *name, std::size_t bytes, SharedFile &file);
  /// The file that the process `owner` has open as `descriptor`.
  static Status open(pid_t owner, int descriptor, SharedFile &file);

  /// `offset` is a multiple of the page size. The mapping outlives the file's handle.
  Status map(std::size_t offset, std::size_t bytes, Access access, Mapping &mapping) const;
  /// For `open` by others, as long as this handle lives; -1 if there is no file.
  int descriptor() const { return descriptor_; }

private:
  int descriptor_ = -1;
};

} // namespace ompdsm::fabric
