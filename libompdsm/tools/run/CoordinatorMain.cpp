// CoordinatorMain.cpp: ompdsm-coordinator NODES ADDRESS SECONDS PID, which node 0's runtime starts
// (process PID) under mpirun or srun. The job's secret comes on standard input; the first line of
// standard output is the rendezvous, ip:port.
#include "libompdsm/tools/run/Coordinator.h"
#include <arpa/inet.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/prctl.h>
#include <unistd.h>

using namespace ompdsm::run;
using namespace ompdsm::fabric;

int main(int argc, char **argv) {
  in_addr host{};
  char text[2 * sizeof(bootstrap::Secret) + 1] = "";
  const std::size_t got = std::fread(text, 1, sizeof text - 1, stdin);
  const auto secret = bootstrap::parseSecret({text, got});
  const unsigned long nodes = argc == 5 ? std::strtoul(argv[1], nullptr, 10) : 0;
  if (argc != 5 || nodes == 0 || nodes > bootstrap::kMaxNodes ||
      inet_pton(AF_INET, argv[2], &host) != 1 || !secret) {
    std::fprintf(stderr,
                 "ompdsm-coordinator: started by the runtime under mpirun and srun, not by hand\n");
    return 2;
  }
  close_range(3, ~0u, 0); // What node 0 had open is not ours to keep open.
  // Signals for the job's process group are the nodes' business, whose ends are seen here.
  setsid();
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    std::signal(signal, SIG_IGN);
  prctl(PR_SET_NAME, "ompdsm-coord");
  EventLoop loop;
  Admission admission(loop, unsigned(nodes), *secret);
  if (!admission.open(host)) {
    std::fprintf(stderr,
                 "ompdsm: cannot listen on %s for the other nodes: %s; OMPDSM_INTERFACE chooses "
                 "another address\n",
                 argv[2], std::strerror(errno));
    return 1;
  }
  std::printf("%s\n", admission.address().c_str());
  std::fflush(stdout);
  std::fclose(stdout); // Whoever started the job waits for the end of its processes' output.
  return Coordinator(loop, admission, unsigned(nodes), std::atoi(argv[4]),
                     std::chrono::seconds(std::strtoul(argv[3], nullptr, 10)))
      .run();
}
