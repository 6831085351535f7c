// Appearances.h: the pages of a node that were absent at first.
#pragma once
#include "protocol/engine/PageSupplier.h"
#include <cstring>
#include <map>
#include <vector>

namespace ompdsm::test {

/// What each page held when it appeared. Pages appear under the engine's lock.
class Appearances final : public PageSupplier {
public:
  bool isAbsent(Address address) const override { return !pages.contains(pageOf(address)); }
  void supply(Address begin, std::size_t bytes, const std::byte *contents) override {
    for (Address page = pageOf(begin); page < begin + bytes; page += kPageBytes) {
      const auto [entry, added] = pages.try_emplace(page, kPageBytes);
      if (added && contents && page >= begin && page + kPageBytes <= begin + bytes)
        std::memcpy(entry->second.data(), contents + (page - begin), kPageBytes);
    }
  }
  void withdraw(Address begin, std::size_t bytes) override {
    for (Address page = begin; page < begin + bytes; page += kPageBytes)
      pages.erase(page);
  }
  std::map<Address, std::vector<std::byte>> pages;
};

} // namespace ompdsm::test
