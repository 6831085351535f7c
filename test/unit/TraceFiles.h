// TraceFiles.h: a directory for the traces of a test's nodes, and their lines.
#pragma once
#include "protocol/sim/replay/Replay.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace ompdsm::test {

class TraceFiles {
public:
  using Lines = std::vector<std::string>;

  explicit TraceFiles(unsigned nodes) : nodes_(nodes) {
    const auto *info = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string("ompdsm-") + info->test_suite_name() + "-" + info->name() + "-" +
                       std::to_string(getpid());
    std::replace(name.begin(), name.end(), '/', '-');
    directory_ = std::filesystem::path(testing::TempDir()) / name;
    std::filesystem::create_directories(directory_);
  }
  ~TraceFiles() { std::filesystem::remove_all(directory_); }
  TraceFiles(const TraceFiles &) = delete;
  TraceFiles &operator=(const TraceFiles &) = delete;

  /// For OMPDSM_EVENTS.
  std::string options() const { return "file=" + path("events.%n"); }
  std::string path(const std::string &name) const { return (directory_ / name).string(); }
  std::string of(unsigned node) const { return path("events." + std::to_string(node)); }
  std::vector<std::string> all() const {
    std::vector<std::string> files;
    for (unsigned n = 0; n < nodes_; ++n)
      files.push_back(of(n));
    return files;
  }
  sim::ReplayOutcome replay() const { return sim::replay({all(), {}, {}}); }

  static Lines read(const std::string &file) {
    std::ifstream in(file);
    Lines lines;
    for (std::string line; std::getline(in, line);)
      lines.push_back(line);
    return lines;
  }
  static void write(const std::string &file, const Lines &lines) {
    std::ofstream out(file);
    for (const std::string &line : lines)
      out << line << '\n';
  }

private:
  const unsigned nodes_;
  std::filesystem::path directory_;
};

} // namespace ompdsm::test
