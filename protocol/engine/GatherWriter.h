// GatherWriter.h: a message body of which large parts stay where they are until it is sent: the
// transport gathers them, so that contents are copied once on their way out.
#pragma once
#include "protocol/engine/Wire.h"
#include <span>

namespace ompdsm {

/// Whether contents that are appended may change before the message is posted.
enum class Contents : bool { MayChange, Stay };

/// A WireWriter that refers to what stays. From the append until the message is posted nothing may
/// change there: not longer than one hold of the engine's lock, and no step of the same block
/// between.
class GatherWriter {
public:
  template <class Value> void put(Value value) { own_.put(value); }
  void putBytes(const void *data, std::size_t count) { own_.putBytes(data, count); }
  void append(fabric::Bytes contents, Contents taken) {
    if (taken == Contents::MayChange || contents.size() < kReferredBytes)
      return own_.putBytes(contents.data(), contents.size());
    referredBytes_ += contents.size();
    if (!referred_.empty() && referred_.back().at == own_.size() &&
        referred_.back().bytes.data() + referred_.back().bytes.size() == contents.data())
      referred_.back().bytes = {referred_.back().bytes.data(),
                                referred_.back().bytes.size() + contents.size()};
    else
      referred_.push_back({own_.size(), contents});
  }
  std::byte *extend(std::size_t count) { return own_.extend(count); }
  void shrink(std::size_t count) { own_.shrink(count); }
  /// Where the next value that is put will be, for patch().
  std::size_t place() const { return own_.size(); }
  template <class Value> void patch(std::size_t place, Value value) { own_.patch(place, value); }

  std::size_t size() const { return own_.size() + referredBytes_; }
  bool empty() const { return size() == 0; }
  /// In order; the first has what was put first. Valid until the next change.
  std::span<const fabric::Bytes> parts() {
    parts_.clear();
    std::size_t from = 0;
    for (const Reference &reference : referred_) {
      if (from != reference.at)
        parts_.push_back(own_.bytes().subspan(from, reference.at - from));
      parts_.push_back(reference.bytes);
      from = reference.at;
    }
    if (from != own_.size() || parts_.empty())
      parts_.push_back(own_.bytes().subspan(from));
    return parts_;
  }
  /// Whether the other has the same, from place `begin` on, and refers to the same memory.
  bool isSame(const GatherWriter &other, std::size_t begin) const {
    return own_.isSame(other.own_, begin) && referred_ == other.referred_;
  }
  void clear() {
    own_.clear();
    referred_.clear();
    referredBytes_ = 0;
  }

private:
  /// Less is copied as fast as it is listed.
  static constexpr std::size_t kReferredBytes = 512;
  struct Reference {
    std::size_t at; ///< Behind so many own bytes.
    fabric::Bytes bytes;
    bool operator==(const Reference &other) const {
      return at == other.at && bytes.data() == other.bytes.data() &&
             bytes.size() == other.bytes.size();
    }
  };
  WireWriter own_;
  std::vector<Reference> referred_;
  std::size_t referredBytes_ = 0;
  std::vector<fabric::Bytes> parts_; ///< Of the last call.
};

} // namespace ompdsm
