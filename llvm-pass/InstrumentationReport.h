// InstrumentationReport.h: what was instrumented and why not: the option "report", LLVM's
// statistics, and the diagnostics of what the pass cannot handle.
//
// Everybody who decides about an access says so here, exactly once for each access.
#pragma once
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instruction.h"
#include <array>
#include <string>
#include <vector>

namespace ompdsm {

enum class Omission : unsigned {
#define OMPDSM_OMISSION(name, text) name,
#include "Omissions.def"
#undef OMPDSM_OMISSION
  Count
};

enum class Insertion : unsigned {
#define OMPDSM_INSERTION(name, text) name,
#include "Insertions.def"
#undef OMPDSM_INSERTION
  Count
};

/// Collects the figures of one module; printed once at the end.
class InstrumentationReport {
public:
  /// Lines for single accesses are kept only if `detailed`: they cost time and memory.
  explicit InstrumentationReport(bool detailed) : detailed_(detailed) {}

  void omitted(const llvm::Instruction &access, Omission reason);
  void inserted(const llvm::Instruction &access, Insertion kind);
  /// The program may go wrong on several nodes, or not: a compile-time warning at the place.
  void uncovered(const llvm::Instruction &instruction, const llvm::Twine &message);
  /// The program cannot be compiled for several nodes: a compile-time error at the place.
  void unsupported(const llvm::Instruction &instruction, const llvm::Twine &message);

  /// Appends the report to the file, or writes it to standard error if `file` is empty.
  void print(llvm::StringRef file, llvm::StringRef module) const;

private:
  struct FunctionFigures {
    std::string name, place;
    std::array<unsigned, unsigned(Omission::Count)> omissions{};
    std::array<unsigned, unsigned(Insertion::Count)> insertions{};
    std::vector<std::string> details;
  };
  FunctionFigures &figuresOf(const llvm::Instruction &instruction);

  const bool detailed_;
  llvm::MapVector<const llvm::Function *, FunctionFigures> functions_;
};

/// "file:line:column" if there is debug information, else "function <name>".
std::string placeOf(const llvm::Instruction &instruction);

} // namespace ompdsm
