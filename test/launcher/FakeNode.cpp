// FakeNode.cpp: a node without a runtime: it speaks the bootstrap and does what its arguments say.
//
// Each argument is one step, "step", "step=value", or "K:step=value" for node K alone, "-K:..." for
// all but K. The steps are in the table at the end. Used by the launcher's tests only.
#include "fabric/Bootstrap.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ompdsm;
using namespace ompdsm::fabric;

namespace {

struct Fake {
  BootstrapOptions options;
  std::unique_ptr<Bootstrap> bootstrap;
  bool deaf = false; ///< does not end when it is told to.
};

[[noreturn]] void die(const std::string &why) {
  std::fprintf(stderr, "fake: %s\n", why.c_str());
  std::fflush(stdout);
  _exit(90);
}

void require(const Status &status) {
  if (!status.isOk())
    die(status.message());
}

constexpr std::chrono::seconds kTimeout{60};

void connectStep(Fake &fake, const std::string &) {
  require(Bootstrap::connect(fake.options, kTimeout, fake.bootstrap));
}

void gatherStep(Fake &fake, const std::string &value) {
  // The size differs by node, so that a mixed-up result shows.
  const std::size_t size = value.empty() ? 3 : std::stoul(value);
  const auto blobOf = [&](unsigned node) {
    return std::vector<std::byte>(size == 65536 ? size : size + node,
                                  static_cast<std::byte>('a' + node));
  };
  std::vector<std::vector<std::byte>> all;
  require(fake.bootstrap->allGather(blobOf(fake.options.node), all, kTimeout));
  if (all.size() != fake.options.nodes)
    die("gathered " + std::to_string(all.size()) + " parts");
  for (unsigned node = 0; node < all.size(); ++node)
    if (all[node] != blobOf(node))
      die("wrong part of node " + std::to_string(node));
}

void watchStep(Fake &fake, const std::string &) {
  fake.bootstrap->watch([&fake](const std::string &reason) {
    if (const char *directory = getenv("FAKE_DIRECTORY")) {
      const std::string path = std::string(directory) + "/end." + std::to_string(fake.options.node);
      if (std::FILE *file = std::fopen(path.c_str(), "w")) {
        std::fputs(reason.c_str(), file);
        std::fclose(file);
      }
    }
    while (fake.deaf)
      pause();
    _exit(1);
  });
}

void joinStep(Fake &fake, const std::string &) {
  connectStep(fake, "");
  gatherStep(fake, "");
  watchStep(fake, "");
}

std::string place(const std::string &name) {
  const char *directory = getenv("FAKE_DIRECTORY");
  return std::string(directory ? directory : ".") + "/" + name;
}

void touchStep(Fake &, const std::string &value) {
  close(open(place(value).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

void waitStep(Fake &, const std::string &value) {
  while (access(place(value).c_str(), F_OK) != 0)
    usleep(2000);
}

void pidStep(Fake &fake, const std::string &) {
  const std::string path = place("pid." + std::to_string(fake.options.node));
  const std::string draft = path + ".draft";
  std::FILE *file = std::fopen(draft.c_str(), "w");
  if (!file)
    die("cannot write the pid file");
  std::fprintf(file, "%d", int(getpid()));
  std::fclose(file);
  rename(draft.c_str(), path.c_str());
}

void shmStep(Fake &, const std::string &) {
  // The names that libfabric's shm provider and libomp use.
  for (const std::string &name : {std::to_string(getpid()) + ":0:0",
                                  "__KMP_REGISTERED_LIB_" + std::to_string(getpid()) + "_0"})
    close(open(("/dev/shm/" + name).c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

void daemonStep(Fake &, const std::string &) {
  // A grandchild in a session of its own, its parent dead: nothing but the subreaper can find it.
  if (const pid_t child = fork(); child == 0) {
    setsid();
    if (fork() == 0)
      for (;;)
        pause();
    _exit(0);
  } else {
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
}

std::string unescape(const std::string &value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i)
    if (value[i] == '\\' && i + 1 < value.size() && value[i + 1] == 'n') {
      text += '\n';
      ++i;
    } else {
      text += value[i];
    }
  return text;
}

void writeAll(const char *bytes, std::size_t count) {
  while (count > 0) {
    const ssize_t written = write(STDOUT_FILENO, bytes, count);
    if (written < 0 && errno != EINTR)
      die(std::strerror(errno));
    if (written > 0) {
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
  }
}

void linesStep(Fake &fake, const std::string &value) {
  // Written in odd pieces, so that every line is cut somewhere by a write.
  std::string text;
  const unsigned count = unsigned(std::stoul(value));
  for (unsigned i = 0; i < count; ++i)
    text += "node " + std::to_string(fake.options.node) + " line " + std::to_string(i) + " " +
            std::string(i % 97, 'x') + " end\n";
  for (std::size_t start = 0; start < text.size(); start += 1009)
    writeAll(text.data() + start, std::min<std::size_t>(1009, text.size() - start));
}

void longStep(Fake &fake, const std::string &value) {
  const std::string text(std::stoul(value), static_cast<char>('A' + fake.options.node));
  writeAll(text.data(), text.size());
}

void catStep(Fake &, const std::string &) {
  char bytes[4096];
  ssize_t got;
  while ((got = read(STDIN_FILENO, bytes, sizeof bytes)) > 0)
    writeAll(bytes, static_cast<std::size_t>(got));
}

void envStep(Fake &fake, const std::string &value) {
  const char *content = getenv(value.c_str());
  std::printf("%u %s=%s\n", fake.options.node, value.c_str(), content ? content : "(unset)");
  std::fflush(stdout);
}

std::atomic<unsigned> caught{0};

void catchStep(Fake &, const std::string &value) {
  struct sigaction action{};
  action.sa_handler = [](int) { caught.fetch_add(1); };
  sigaction(std::stoi(value), &action, nullptr);
}

void caughtStep(Fake &fake, const std::string &value) {
  // Waits for the count, then a while longer for one too many.
  while (caught.load() < unsigned(std::stoul(value)))
    usleep(2000);
  for (int i = 0; i < 100; ++i)
    usleep(2000);
  std::printf("node %u caught %u\n", fake.options.node, caught.load());
  std::fflush(stdout);
}

void floodStep(Fake &, const std::string &) {
  const std::string line(4095, 'y');
  for (;;)
    writeAll((line + "\n").data(), 4096);
}

void closeStep(Fake &, const std::string &value) {
  for (int fd = 3; fd < std::stoi(value); ++fd)
    close(fd);
}

void randomisedStep(Fake &fake, const std::string &) {
  std::printf("node %u main at %p stack at %p\n", fake.options.node,
              reinterpret_cast<void *>(&randomisedStep), static_cast<void *>(&fake));
  std::fflush(stdout);
}

using Step = void (*)(Fake &, const std::string &);
struct NamedStep {
  const char *name;
  Step run;
};

const NamedStep kSteps[] = {
    {"connect", connectStep},
    {"gather", gatherStep}, // =SIZE of node 0's part
    {"watch", watchStep},
    {"join", joinStep}, // the three above
    {"done", [](Fake &fake, const std::string &) { fake.bootstrap->reportDone(); }},
    {"report", [](Fake &fake, const std::string &v) { fake.bootstrap->reportFailure(v.c_str()); }},
    {"exit", [](Fake &, const std::string &v) { exit(v.empty() ? 0 : std::stoi(v)); }},
    {"kill", [](Fake &, const std::string &v) { raise(std::stoi(v)); }},
    {"abort", [](Fake &, const std::string &) { abort(); }},
    {"hang",
     [](Fake &, const std::string &) {
       for (;;)
         pause();
     }},
    {"deaf", [](Fake &fake, const std::string &) { fake.deaf = true; }},
    {"ignore", [](Fake &, const std::string &v) { signal(std::stoi(v), SIG_IGN); }},
    {"catch", catchStep},   // =SIGNAL
    {"caught", caughtStep}, // =COUNT
    {"print",
     [](Fake &, const std::string &v) {
       const std::string t = unescape(v);
       writeAll(t.data(), t.size());
     }},
    {"error", [](Fake &, const std::string &v) { std::fputs(unescape(v).c_str(), stderr); }},
    {"lines", linesStep}, // =COUNT
    {"long", longStep},   // =BYTES without a newline
    {"flood", floodStep},
    {"cat", catStep},
    {"env", envStep},
    {"touch", touchStep},
    {"wait", waitStep},
    {"pid", pidStep},
    {"shm", shmStep},
    {"daemon", daemonStep},
    {"close", closeStep}, // =LIMIT: closes descriptors from 3 on
    {"addresses", randomisedStep},
    {"system",
     [](Fake &, const std::string &v) {
       if (system(v.c_str()) != 0)
         die("system failed");
     }},
    {"msleep", [](Fake &, const std::string &v) { usleep(unsigned(std::stoul(v)) * 1000); }},
};

/// Whether "K:" or "-K:" at the front lets this node run the step; cuts it off.
bool isMine(std::string &step, unsigned node) {
  const std::size_t colon = step.find(':');
  const std::size_t equals = step.find('=');
  if (colon == std::string::npos || equals < colon)
    return true;
  const int which = std::stoi(step.substr(0, colon));
  const bool allBut = step[0] == '-';
  step.erase(0, colon + 1);
  return allBut ? int(node) != -which : int(node) == which;
}

} // namespace

int main(int argc, char **argv) {
  Fake fake;
  require(readBootstrapEnvironment(fake.options));
  for (int i = 1; i < argc; ++i) {
    std::string step = argv[i];
    if (!isMine(step, fake.options.node))
      continue;
    const std::size_t equals = std::min(step.find('='), step.size());
    const std::string name = step.substr(0, equals);
    const std::string value = equals < step.size() ? step.substr(equals + 1) : "";
    const NamedStep *found = nullptr;
    for (const NamedStep &candidate : kSteps)
      if (name == candidate.name)
        found = &candidate;
    if (!found)
      die("unknown step '" + name + "'");
    found->run(fake, value);
  }
  // Without another word: the orderly end of a node.
  if (fake.bootstrap)
    fake.bootstrap->reportDone();
  return 0;
}
