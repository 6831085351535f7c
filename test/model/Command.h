// Command.h: runs a command and keeps its answer.
#pragma once
#include <array>
#include <cstdio>
#include <string>
#include <sys/wait.h>

namespace ompdsm::sim {

struct Answer {
  int code = -1;
  std::string output;
  bool has(const char *text) const { return output.find(text) != std::string::npos; }
};

inline Answer answerOf(const std::string &command) {
  Answer run;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe)
    return run;
  std::array<char, 4096> buffer;
  for (std::size_t got; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    run.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return run;
}

} // namespace ompdsm::sim
