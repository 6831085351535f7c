// OutputRelay.h: carries the nodes' stdout and stderr to the launcher's own, by whole lines.
//
// Never blocks, whatever reads the launcher's output: what is not taken stays in the nodes' pipes
// and stops the nodes in their write(). If stdout and stderr are one file they share one merger, so
// that lines stay whole there too.
#pragma once
#include "libompdsm/tools/run/EventLoop.h"
#include "libompdsm/tools/run/LineMerger.h"
#include "libompdsm/tools/run/NodeStart.h"
#include <memory>
#include <string_view>

namespace ompdsm::run {

class OutputRelay {
public:
  /// Called once, with the errno of the write that failed: nobody takes our output any more.
  using Broken = std::function<void(int error)>;

  OutputRelay(EventLoop &loop, Broken onBroken);
  OutputRelay(const OutputRelay &) = delete;

  /// Takes the read ends of the pipes. `tagged`: each line begins with its node, "[0] ".
  void start(std::vector<NodePipes> &pipes, bool tagged);
  /// A line of the launcher itself, to stderr.
  void printMessage(std::string_view line);
  void tick(TimePoint now);
  bool waits() const;
  /// All nodes' streams are over and everything is written.
  bool isFinished() const;

private:
  struct Sink {
    int fd = -1;
    bool pollable = true;
    bool registered = false;
    bool broken = false;
    LineMerger merger;
  };
  struct Source {
    UniqueFd fd;
    Sink *sink = nullptr;
    unsigned stream = 0;
    bool registered = false;
  };
  void addSource(UniqueFd fd, Sink &sink, bool prompting, const std::string &tag);
  void readSource(Source &source);
  void writeSink(Sink &sink);
  void fail(Sink &sink, int error);
  /// Registers what can make progress, and nothing else.
  void update();

  EventLoop &loop_;
  Broken onBroken_;
  std::vector<std::unique_ptr<Sink>>
      sinks_; ///< stdout first, stderr last; one if they are the same.
  std::vector<std::unique_ptr<Source>> sources_;
};

} // namespace ompdsm::run
