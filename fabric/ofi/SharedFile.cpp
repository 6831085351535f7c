// SharedFile.cpp: memfd and mmap.
#include "SharedFile.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace ompdsm::fabric {

static Status failed(const std::string &what) {
  return Status::error("cannot " + what + ": " + std::strerror(errno));
}

Mapping::~Mapping() {
  if (data_)
    munmap(data_, bytes_);
}

Mapping &Mapping::operator=(Mapping &&other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

SharedFile &SharedFile::operator=(SharedFile &&other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Status SharedFile::create(const char *name, std::size_t bytes, SharedFile &file) {
  SharedFile made;
  made.descriptor_ = memfd_create(name, MFD_CLOEXEC);
  if (made.descriptor_ < 0 || ftruncate(made.descriptor_, static_cast<off_t>(bytes)) != 0)
    return failed("make memory that nodes of a host share (" + std::string(name) + ", " +
                  std::to_string(bytes >> 10) + " KiB)");
  file = std::move(made);
  return Status::ok();
}

Status SharedFile::open(pid_t owner, int descriptor, SharedFile &file) {
  const std::string path = "/proc/" + std::to_string(owner) + "/fd/" + std::to_string(descriptor);
  SharedFile opened;
  opened.descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (opened.descriptor_ < 0)
    return Status::error("cannot open memory of another node of this host (" + path +
                         "): " + std::strerror(errno) +
                         ". run with the transport 'tcp' if nodes may not see each other's /proc");
  file = std::move(opened);
  return Status::ok();
}

Status SharedFile::map(std::size_t offset, std::size_t bytes, Access access,
                       Mapping &mapping) const {
  const int protection = access == Access::Read ? PROT_READ : PROT_READ | PROT_WRITE;
  void *memory =
      mmap(nullptr, bytes, protection, MAP_SHARED, descriptor_, static_cast<off_t>(offset));
  if (memory == MAP_FAILED)
    return failed("map memory that nodes of a host share");
  Mapping mapped;
  mapped.data_ = static_cast<std::byte *>(memory);
  mapped.bytes_ = bytes;
  mapping = std::move(mapped);
  return Status::ok();
}

} // namespace ompdsm::fabric
