// ompdsm-check: explores the protocol's code in a small world: programs, canaries, mutants.
#include "protocol/sim/check/Options.h"
#include "protocol/sim/check/Report.h"

int main(int argc, char **argv) {
  using namespace ompdsm::sim;
  CheckOptions options;
  if (const int code = parseOptions(argc, argv, options); code >= 0)
    return code;
  return runCheck(options);
}
