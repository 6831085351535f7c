// EntriesTest.cpp: no entry that compilers call is forgotten: each is the library's or known to be
// right as it is; and all that the library redirects exists in libomp.
#include <cstdio>
#include <gtest/gtest.h>
#include <set>
#include <string>


namespace {

/// The dynamic symbols that a library defines, by nm, without versions.
std::set<std::string> exportsOf(const std::string &library) {
  std::set<std::string> names;
  std::string command = OMPDSM_TEST_NM " -D --defined-only -j '" + library + "'";
  std::FILE *pipe = popen(command.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  char line[512];
  while (pipe && std::fgets(line, sizeof(line), pipe)) {
    std::string name = line;
    names.insert(name.substr(0, name.find_first_of("@\n")));
  }
  EXPECT_EQ(pclose(pipe), 0) << command;
  return names;
}

struct Entry {
  const char *name;
  bool ours;
};
const Entry kEntries[] = {
#define OURS(name) {#name, true},
#define UNCHANGED(name, why) {#name, false},
#include "ClangEntries.def"
};

} // namespace

TEST(Entries, EachOneThatClangEmitsIsOursOrKnownToBeUnchanged) {
  std::set<std::string> exports = exportsOf(OMPDSM_TEST_LIBRARY);
  for (const Entry &entry : kEntries)
    EXPECT_EQ(exports.count(entry.name), entry.ours ? 1u : 0u) << entry.name;
}

TEST(Entries, EachOneThatWeDefineExistsInLibomp) {
  std::set<std::string> exports = exportsOf(OMPDSM_TEST_LIBRARY), libomp = exportsOf(OMPDSM_TEST_LIBOMP);
  unsigned entries = 0;
  for (const std::string &name : exports)
    if (name.starts_with("__kmpc_") || name.starts_with("omp_")) {
      ++entries;
      EXPECT_EQ(libomp.count(name), 1u) << name;
    }
  EXPECT_GT(entries, 100u); // The list was read.
}

TEST(Entries, FortranNamesComeWithTheirCNames) {
  std::set<std::string> exports = exportsOf(OMPDSM_TEST_LIBRARY), libomp = exportsOf(OMPDSM_TEST_LIBOMP);
  for (const std::string &name : exports)
    if (name.starts_with("omp_") && !name.ends_with('_') && libomp.count(name + "_")) {
      EXPECT_EQ(exports.count(name + "_"), 1u) << name;
    }
}

TEST(Entries, NothingOfTheRuntimesInsideIsVisible) {
  for (const std::string &name : exportsOf(OMPDSM_TEST_LIBRARY))
    EXPECT_EQ(name.find("_ZN6ompdsm"), std::string::npos) << name;
}


TEST(Entries, CanaryASymbolThatNobodyDefinesIsMissed) {
  EXPECT_EQ(exportsOf(OMPDSM_TEST_LIBOMP).count("__kmpc_no_such_entry"), 0u);
}
