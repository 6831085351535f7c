// InterceptStreams.cpp: the input functions of libstdc++ that are explicit specialisations for
// char, so that the library has the only copy of them. They write strings and buffers of the
// program.
//
// All else of strings and streams is templates, which the plugin has instantiated in the program
// (llvm-pass/ExternTemplates.cpp).
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/StreamChecks.h"
#include <istream>
#include <string>

using namespace ompdsm;

// References to streams are written as pointers, which C has.

namespace {

/// The string and the memory that it has at present; what it grows into is allocated on this node.
void stringForWriting(std::string &text) {
  ensureWrite(&text, sizeof text);
  ensureWrite(text.data(), text.capacity() + 1);
}

} // namespace

// std::operator>>(std::istream &, std::string &)
OMPDSM_INTERPOSE(
    std::istream *,
    _ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE,
    (std::istream * in, std::string &text)) {
  if (mustAsk(OMPDSM_CALLER)) {
    streamForReading(*in);
    stringForWriting(text);
  }
  return real__ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE
      .get()(in, text);
}

// std::getline(std::istream &, std::string &, char)
OMPDSM_INTERPOSE(
    std::istream *,
    _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_,
    (std::istream * in, std::string &text, char end)) {
  if (mustAsk(OMPDSM_CALLER)) {
    streamForReading(*in);
    stringForWriting(text);
  }
  return real__ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_
      .get()(in, text, end);
}

// std::__istream_extract(std::istream &, char *, std::streamsize), behind operator>> for arrays
OMPDSM_INTERPOSE(void, _ZSt17__istream_extractRSiPcl,
                 (std::istream & in, char *text, std::streamsize most)) {
  if (mustAsk(OMPDSM_CALLER)) {
    streamForReading(in);
    const std::streamsize width = in.width();
    ensureWriteUpTo(text, std::size_t(width > 0 && width < most ? width : most));
  }
  real__ZSt17__istream_extractRSiPcl.get()(in, text, most);
}

// std::istream::getline(char *, std::streamsize, char)
OMPDSM_INTERPOSE(std::istream *, _ZNSi7getlineEPclc,
                 (std::istream * in, char *text, std::streamsize most, char end)) {
  if (mustAsk(OMPDSM_CALLER)) {
    streamForReading(*in);
    if (most > 0)
      ensureWriteUpTo(text, std::size_t(most));
  }
  return real__ZNSi7getlineEPclc.get()(in, text, most, end);
}
