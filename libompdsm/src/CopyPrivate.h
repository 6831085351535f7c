// CopyPrivate.h: the values that the thread of a single construct gives to all threads of the team.
//
// They stay where they are, in that thread's private variables on its shared stack; what travels is
// the address of the list of their addresses.
#pragma once
#include "fabric/Transport.h"
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace ompdsm {

struct Runtime;
struct RegionFrame;
struct Ident;

class CopyPrivates {
public:
  explicit CopyPrivates(Runtime &runtime) : runtime_(runtime) {}
  void registerHandlers();
  /// Called by all threads of the team; `data` counts on the thread that executed the single
  /// (`did`). Returns its `data` to all, behind a barrier; the caller adds another one behind the
  /// copies.
  void *broadcast(Ident *location, std::int32_t gtid, RegionFrame &frame, void *data, bool did);

private:
  using Key = std::pair<std::uint64_t, std::uint64_t>; ///< Region, construct.
  struct Body {
    std::uint64_t region = 0;
    std::uint64_t construct = 0;
    void *data = nullptr;
  };
  void *find(const Key &key); ///< Null while it has not come.

  Runtime &runtime_;
  std::mutex mutex_; ///< Guards all below; not held while waiting or posting.
  std::map<Key, void *>
      lists_; ///< Erased when the next one of the region, or the next region, comes.
};

} // namespace ompdsm
