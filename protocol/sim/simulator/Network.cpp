#include "protocol/sim/simulator/Network.h"

namespace ompdsm::simulator {

const std::vector<Network> &namedNetworks() {
  static const std::vector<Network> all = {
      {"tcp", 2500 * kNanosecond, 1500 * kNanosecond, 1500 * kNanosecond, 363,
       "libfabric's net provider over a virtual link, both sides polling: half a round trip of 5.5 "
       "us, 2753 MB/s"},
      {"tcp-asleep", 25500 * kNanosecond, 4500 * kNanosecond, 1500 * kNanosecond, 363,
       "the same, with receivers that sleep in the kernel: half a round trip of 34.5 us"},
      {"ethernet", 10000 * kNanosecond, 1500 * kNanosecond, 1500 * kNanosecond, 800,
       "10 Gbit/s: the line's rate, the overhead of tcp, a switch; not measured"},
      {"cluster", 2500 * kNanosecond, 1500 * kNanosecond, 1000 * kNanosecond, 6000,
       "the defaults of LogGOPSim (Hoefler, Schneider, Lumsdaine, HPDC 2010)"},
      {"infiniband", 700 * kNanosecond, 250 * kNanosecond, 100 * kNanosecond, 40,
       "HDR: 200 Gbit/s, half a round trip of 1.2 us; a data sheet's, not measured"},
  };
  return all;
}

} // namespace ompdsm::simulator
