// ObjectAnswers.h: what a thread has found when it asked whether it may access all of an object.
//
// To find that out takes as long as the object is large, and short loops that are reached often ask
// each time. As long as the node revokes nothing, all of it may still be accessed; else a line that
// has missed is looked at first.
#pragma once
#include "libompdsm/src/AddressSpace.h"
#include "libompdsm/src/Checks.h"
#include <array>

namespace ompdsm {

/// Of one thread.
class ObjectAnswers {
public:
  /// Whether no line of `object`, in the user address space, has `missBit`.
  bool mayAccess(const AddressSpace &space, AddressRange object, unsigned missBit) {
    if (object.bytes() <= kShortBytes)
      return !space.anyMisses(reinterpret_cast<const void *>(object.begin), object.bytes(),
                              missBit);
    Answer &known = answerTo(object, missBit);
    const std::uint64_t revocations = AddressSpace::revocations();
    if (known.missing) {
      if (rangeMisses(reinterpret_cast<const void *>(*known.missing), 1, missBit))
        return false;
    } else if (known.revocations == revocations) {
      return true;
    }
    known.missing = space.firstMiss(object, missBit);
    known.revocations = revocations;
    return !known.missing;
  }

private:
  /// Of these, as what is around a small object, it is found out at once.
  static constexpr std::size_t kShortBytes = 2 * OMPDSM_SMALL_OBJECT_BYTES;
  struct Answer {
    AddressRange object;
    unsigned missBit = 0;
    std::optional<Address> missing;
    std::uint64_t revocations = kNever; ///< When nothing was missing.
  };
  static constexpr std::uint64_t kNever = ~std::uint64_t(0);
  /// In place of the oldest one, if it is a new question.
  Answer &answerTo(AddressRange object, unsigned missBit) {
    for (Answer &known : answers_)
      if (known.object.begin == object.begin && known.object.end == object.end &&
          known.missBit == missBit)
        return known;
    Answer &oldest = answers_[next_++ % answers_.size()];
    oldest = {object, missBit, {}, kNever};
    return oldest;
  }

  std::array<Answer, 6> answers_{};
  unsigned next_ = 0;
};

} // namespace ompdsm
