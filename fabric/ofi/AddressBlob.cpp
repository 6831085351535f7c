// AddressBlob.cpp: length-prefixed fields in host byte order.
#include "AddressBlob.h"
#include "../Check.h"
#include <cstring>
#include <fstream>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace ompdsm::fabric {

/// Changes with the format of the blob and with everything in Wire.h.
static constexpr std::uint32_t kFormat = 0x6f6d7003;
static constexpr std::size_t kMaxFieldBytes = 4096;
static constexpr std::size_t kMaxEndpoints = 8;
static constexpr std::size_t kMaxBlobBytes = 64 * 1024;

namespace {

class Writer {
public:
  void number(std::uint32_t value) { raw(&value, sizeof value); }
  void field(const void *data, std::size_t bytes) {
    OMPDSM_CHECK(bytes <= kMaxFieldBytes);
    number(static_cast<std::uint32_t>(bytes));
    raw(data, bytes);
  }
  void names(const std::vector<std::vector<std::byte>> &list) {
    OMPDSM_CHECK(list.size() <= kMaxEndpoints);
    number(static_cast<std::uint32_t>(list.size()));
    for (const auto &name : list)
      field(name.data(), name.size());
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

private:
  void raw(const void *data, std::size_t bytes) {
    auto *begin = static_cast<const std::byte *>(data);
    bytes_.insert(bytes_.end(), begin, begin + bytes);
  }
  std::vector<std::byte> bytes_;
};

/// Every read is checked: the bytes come from the network.
class Reader {
public:
  explicit Reader(Bytes bytes) : rest_(bytes) {}
  bool number(std::uint32_t &value) {
    if (rest_.size() < sizeof value)
      return false;
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_ = rest_.subspan(sizeof value);
    return true;
  }
  template <class Container> bool field(Container &container) {
    std::uint32_t bytes = 0;
    if (!number(bytes) || bytes > kMaxFieldBytes || bytes > rest_.size())
      return false;
    container.resize(bytes);
    std::memcpy(container.data(), rest_.data(), bytes);
    rest_ = rest_.subspan(bytes);
    return true;
  }
  bool names(std::vector<std::vector<std::byte>> &list) {
    std::uint32_t count = 0;
    if (!number(count) || count > kMaxEndpoints)
      return false;
    list.resize(count);
    for (auto &name : list)
      if (!field(name))
        return false;
    return true;
  }
  bool atEnd() const { return rest_.empty(); }

private:
  Bytes rest_;
};

} // namespace

std::vector<std::byte> AddressBlob::encode() const {
  Writer writer;
  writer.number(kFormat);
  writer.field(hostIdentity.data(), hostIdentity.size());
  writer.number(static_cast<std::uint32_t>(processId));
  writer.number(static_cast<std::uint32_t>(doorbellFd));
  writer.number(static_cast<std::uint32_t>(ringsFd));
  writer.field(tcpProvider.data(), tcpProvider.size());
  writer.names(shmEndpoints);
  writer.names(tcpEndpoints);
  std::vector<std::byte> bytes = writer.take();
  OMPDSM_CHECK(bytes.size() <= kMaxBlobBytes);
  return bytes;
}

Status AddressBlob::decode(Bytes bytes, AddressBlob &blob) {
  Reader reader(bytes);
  std::uint32_t format = 0, processId = 0, doorbellFd = 0, ringsFd = 0;
  AddressBlob result;
  if (!reader.number(format) || format != kFormat)
    return Status::error("a node of the job runs another version of ompdsm; use one installation "
                         "on all hosts");
  if (!reader.field(result.hostIdentity) || !reader.number(processId) ||
      !reader.number(doorbellFd) || !reader.number(ringsFd) || !reader.field(result.tcpProvider) ||
      !reader.names(result.shmEndpoints) || !reader.names(result.tcpEndpoints) || !reader.atEnd())
    return Status::error("the address that a node of the job sent is damaged");
  result.processId = static_cast<std::int32_t>(processId);
  result.doorbellFd = static_cast<std::int32_t>(doorbellFd);
  result.ringsFd = static_cast<std::int32_t>(ringsFd);
  blob = std::move(result);
  return Status::ok();
}

static std::string identityOfFile(const char *path) {
  struct stat status{};
  if (stat(path, &status) != 0)
    return "none";
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

std::string currentHostIdentity() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  utsname host{};
  uname(&host);
  return boot + "|" + host.nodename + "|" + identityOfFile("/proc/self/ns/pid") + "|" +
         identityOfFile("/dev/shm") + "|" + std::to_string(geteuid());
}

} // namespace ompdsm::fabric
