// InstrumentationReport.cpp: counting, printing, and diagnostics.
#include "InstrumentationReport.h"
#include "llvm/ADT/Statistic.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#define DEBUG_TYPE "ompdsm"

using namespace llvm;

// LLVM's own counters, which opt -stats prints where LLVM is built with them; they are atomic.
#define OMPDSM_OMISSION(name, text) STATISTIC(Num##name, "Accesses without a check: " text);
#include "Omissions.def"
#undef OMPDSM_OMISSION
#define OMPDSM_INSERTION(name, text) STATISTIC(Num##name, "Inserted: " text);
#include "Insertions.def"
#undef OMPDSM_INSERTION

namespace ompdsm {

namespace {

void bump(Omission reason) {
  switch (reason) {
#define OMPDSM_OMISSION(name, text)                                                                \
  case Omission::name:                                                                             \
    ++Num##name;                                                                                   \
    return;
#include "Omissions.def"
#undef OMPDSM_OMISSION
  case Omission::Count:
    llvm_unreachable("not a reason");
  }
}

void bump(Insertion kind) {
  switch (kind) {
#define OMPDSM_INSERTION(name, text)                                                               \
  case Insertion::name:                                                                            \
    ++Num##name;                                                                                   \
    return;
#include "Insertions.def"
#undef OMPDSM_INSERTION
  case Insertion::Count:
    llvm_unreachable("not an insertion");
  }
}

constexpr const char *omissionTexts[] = {
#define OMPDSM_OMISSION(name, text) text,
#include "Omissions.def"
#undef OMPDSM_OMISSION
};

constexpr const char *insertionTexts[] = {
#define OMPDSM_INSERTION(name, text) text,
#include "Insertions.def"
#undef OMPDSM_INSERTION
};

template <class Counts>
void printCounts(raw_ostream &out, const Counts &counts, const char *const *texts) {
  const char *separator = " ";
  for (unsigned i = 0; i < counts.size(); ++i)
    if (counts[i]) {
      out << separator << counts[i] << ' ' << texts[i];
      separator = ", ";
    }
  if (*separator == ' ')
    out << " nothing";
}

void diagnose(const Instruction &instruction, const Twine &message, DiagnosticSeverity severity) {
  const Function &function = *instruction.getFunction();
  function.getContext().diagnose(DiagnosticInfoUnsupported(
      function, "ompdsm: " + message, DiagnosticLocation(instruction.getDebugLoc()), severity));
}

} // namespace

InstrumentationReport::FunctionFigures &
InstrumentationReport::figuresOf(const Instruction &instruction) {
  const Function *function = instruction.getFunction();
  auto [entry, added] = functions_.try_emplace(function);
  if (added) {
    entry->second.name = function->getName().str();
    if (const DISubprogram *program = function->getSubprogram())
      entry->second.place =
          (" (" + program->getFilename() + ":" + Twine(program->getLine()) + ")").str();
  }
  return entry->second;
}

void InstrumentationReport::omitted(const Instruction &access, Omission reason) {
  bump(reason);
  if (!detailed_)
    return;
  FunctionFigures &figures = figuresOf(access);
  ++figures.omissions[unsigned(reason)];
  figures.details.push_back(placeOf(access) + ": " + access.getOpcodeName() +
                            " not checked: " + omissionTexts[unsigned(reason)]);
}

void InstrumentationReport::inserted(const Instruction &access, Insertion kind) {
  bump(kind);
  if (detailed_)
    ++figuresOf(access).insertions[unsigned(kind)];
}

void InstrumentationReport::uncovered(const Instruction &instruction, const Twine &message) {
  diagnose(instruction, message, DS_Warning);
  if (detailed_)
    figuresOf(instruction).details.push_back((placeOf(instruction) + ": " + message).str());
}

void InstrumentationReport::unsupported(const Instruction &instruction, const Twine &message) {
  diagnose(instruction, message, DS_Error);
}

void InstrumentationReport::print(StringRef file, StringRef module) const {
  std::string text;
  raw_string_ostream out(text);
  out << "ompdsm: " << module << ": instrumentation report\n";
  for (const auto &[function, figures] : functions_) {
    out << figures.name << figures.place << ": inserted";
    printCounts(out, figures.insertions, insertionTexts);
    out << "; not checked";
    printCounts(out, figures.omissions, omissionTexts);
    out << '\n';
    for (const std::string &detail : figures.details)
      out << "  " << detail << '\n';
  }
  if (file.empty()) {
    errs() << text;
    return;
  }
  std::error_code error;
  raw_fd_ostream stream(file, error, sys::fs::OF_Append);
  if (error)
    errs() << "ompdsm: cannot write the report to '" << file << "': " << error.message()
           << "; name another file with report=FILE\n";
  else
    stream << text;
}

std::string placeOf(const Instruction &instruction) {
  if (const DebugLoc &location = instruction.getDebugLoc())
    return (location->getFilename() + ":" + Twine(location.getLine()) + ":" +
            Twine(location.getCol()))
        .str();
  return ("function " + instruction.getFunction()->getName()).str();
}

} // namespace ompdsm
