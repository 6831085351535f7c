// UninitializedAllocator.h: for vectors whose elements are filled in right after they are made.
#pragma once
#include <memory>

namespace ompdsm {

/// Leaves bytes that a vector makes room for as they are.
template <class Value> struct UninitializedAllocator : std::allocator<Value> {
  template <class Other> struct rebind {
    using other = UninitializedAllocator<Other>;
  };
  template <class Other> void construct(Other *place) noexcept { ::new (place) Other; }
  template <class Other, class... Arguments>
  void construct(Other *place, Arguments &&...arguments) {
    ::new (place) Other(std::forward<Arguments>(arguments)...);
  }
};

} // namespace ompdsm
