// TaskSites.h: at which barriers nodes wait for tasks of others.
#pragma once
#include <cstdint>
#include <unordered_map>

namespace ompdsm {

/// That takes two messages of each node more, so they do it where the program has tasks: at a
/// barrier's first visits, and as long as some node has created a task since the last barrier at
/// one of two visits; elsewhere now and then. All nodes of a team know the same, as they visit the
/// same barriers. Pure.
class TaskSites {
public:
  struct Site {
    unsigned quiet = 0; ///< Visits in a row without tasks, of those that looked.
    std::uint32_t visits = 0;
  };
  /// A visit begins. `code`: of the barrier, or of the region that ends; `nodes`: in the team.
  bool beginVisit(const void *code, unsigned nodes) {
    Site &site = siteOf(code, nodes);
    return site.visits++ % kEvery == 0 || site.quiet < kPatience;
  }
  /// Of one for which beginVisit was true.
  void endVisit(const void *code, unsigned nodes, bool hadTasks) {
    Site &site = siteOf(code, nodes);
    site.quiet = hadTasks ? 0 : site.quiet + 1;
  }

private:
  static constexpr unsigned kPatience = 2, kEvery = 64;
  Site &siteOf(const void *code, unsigned nodes) {
    return sites_[reinterpret_cast<std::uint64_t>(code) ^ (std::uint64_t(nodes) << 48)];
  }
  std::unordered_map<std::uint64_t, Site> sites_;
};

} // namespace ompdsm
