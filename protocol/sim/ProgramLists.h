// ProgramLists.h: the litmus programs by what they are about. Internal to the list of all.
#pragma once
#include "protocol/sim/ProgramParts.h"

namespace ompdsm::sim {

std::vector<Litmus> concat(std::vector<std::vector<Litmus>> lists);

std::vector<Litmus> blockPrograms();
std::vector<Litmus> barePrograms();
std::vector<Litmus> barrierPrograms();
std::vector<Litmus> borderPrograms();
std::vector<Litmus> costPrograms();
std::vector<Litmus> evictionPrograms();
std::vector<Litmus> fetchPrograms();
std::vector<Litmus> handoverPrograms();
std::vector<Litmus> leasePrograms();
std::vector<Litmus> overwritePrograms();
std::vector<Litmus> pushPrograms();
std::vector<Litmus> resizePrograms();
std::vector<Litmus> servedPrograms();
std::vector<Litmus> solePrograms();
std::vector<Litmus> sumPrograms();
std::vector<Litmus> supplyPrograms();
std::vector<Litmus> updatePrograms();

} // namespace ompdsm::sim
