// Sanitized.h: whether this build has a sanitizer, under which everything takes 3 to 10 times as long.
// Tests that only repeat what others did repeat less there.
#pragma once

namespace ompdsm::test {

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

} // namespace ompdsm::test
