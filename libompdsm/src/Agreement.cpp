// Agreement.cpp: a text per node, compared line by line, so that a difference explains itself.
#include "libompdsm/src/Agreement.h"
#include "libompdsm/include/ompdsm/abi.h"
#include <cstdio>
#include <string_view>

namespace ompdsm {
namespace {

std::string_view nextLine(std::string_view &text) {
  const std::size_t length = text.find('\n');
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
  return line;
}

/// The directory may differ between hosts; the build tells whether it is the same file.
std::string baseName(const std::string &path) { return path.substr(path.rfind('/') + 1); }

const char *remedyFor(std::string_view line) {
  if (line.starts_with("address "))
    return "start the program with ompdsm-run, or each node with `setarch -R`, so that all nodes "
           "load it at the same addresses";
  if (line.starts_with("image "))
    return "install the same files on all hosts";
  if (line.starts_with("abi "))
    return "install the same version of libompdsm on all hosts";
  return "set it equally on all nodes";
}

} // namespace

std::string describeNode(const Options &options, const std::vector<LoadedImage> &images,
                         const std::string &segment) {
  std::string text = "abi version " + std::to_string(OMPDSM_ABI_VERSION) + "\n";
  text += describeForAgreement(options);
  // Contents before addresses: an image of another build lies elsewhere, too.
  for (const LoadedImage &image : images)
    text += "image " + baseName(image.name) + " build " +
            (image.buildId.empty() ? "-" : image.buildId) + " of " +
            std::to_string(image.range.bytes()) + " bytes\n";
  for (const LoadedImage &image : images) {
    char place[32];
    std::snprintf(place, sizeof place, "0x%llx",
                  static_cast<unsigned long long>(image.range.begin));
    text += "address of " + baseName(image.name) + ": " + place + "\n";
  }
  return text + segment;
}

Status compareDescriptions(const std::vector<std::string> &byNode) {
  for (std::size_t node = 1; node < byNode.size(); ++node) {
    std::string_view first = byNode[0], other = byNode[node];
    while (!first.empty() || !other.empty()) {
      const std::string_view a = nextLine(first), b = nextLine(other);
      if (a != b)
        return Status::error("the nodes of the job are not alike: node 0 has '" + std::string(a) +
                             "', node " + std::to_string(node) + " has '" + std::string(b) + "'; " +
                             remedyFor(a.empty() ? b : a));
    }
  }
  return Status::ok();
}

} // namespace ompdsm
