// TablesTest.cpp: the tables in protocol/README.md are those of the code.
#include "protocol/sim/Tables.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace ompdsm::sim {
namespace {

TEST(Tables, TheReadmeShowsThoseOfTheCode) {
  std::ifstream file(OMPDSM_PROTOCOL_README);
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty()) << OMPDSM_PROTOCOL_README;
  EXPECT_NE(text.str().find(tablesAsMarkdown()), std::string::npos)
      << "replace the tables in " << OMPDSM_PROTOCOL_README
      << " by the output of ompdsm-check --tables";
}

} // namespace
} // namespace ompdsm::sim
