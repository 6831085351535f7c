// EarlyTable.h: the state table before the library's constructor has run.
//
// A library that was compiled without the plugin does not depend on this one, so the dynamic linker
// runs its initialisers first. They may call code of the program all the same, with checks: an
// instance of a template, say, which is one for the whole process, and the program's comes first.
// So the table is reserved while the dynamic linker still resolves addresses, and permits all.
#pragma once

namespace ompdsm {

/// Whether that has happened, for the first caller, to whom it belongs from now on: from
/// OMPDSM_STATE_TABLE to the end of the counts of misses. False if its place was taken.
bool takeEarlyTable();

} // namespace ompdsm
