// InterceptStreamObjects.cpp: what libstdc++ makes and ends in the program's memory: file streams,
// the base of all streams, and locales. Its code stores to them without asking, so that another
// node would keep a copy of what was there before.
#include "libompdsm/src/Interception.h"
#include <fstream>
#include <locale>

using namespace ompdsm;

namespace {
template <class Object> void ensureObject(Object *object) { ensureWrite(object, sizeof *object); }
void ensureText(const std::string *text) {
  ensureRead(text, sizeof *text);
  ensureRead(text->c_str(), text->size() + 1);
}
} // namespace

// A whole object's constructors and destructor are called 1, those of a part of a derived one 2.
// The latter get the table of virtual bases, and such a base may lie behind what is asked for: its
// members are written by the program's code (llvm-pass/ExternTemplates.cpp), or ios_base's.
#define OMPDSM_ALONE
#define OMPDSM_TABLE_PARAMETER , const void *table
#define OMPDSM_TABLE_ARGUMENT , table
#define OMPDSM_STREAM_PARTS(Stream, symbol, part, parameter, argument)                             \
  OMPDSM_WRAP(void, symbol##C##part##Ev, (Stream * self parameter), (self argument),               \
              ensureObject(self);)                                                                 \
  OMPDSM_WRAP(void, symbol##C##part##EPKcSt13_Ios_Openmode,                                        \
              (Stream * self parameter, const char *path, int mode), (self argument, path, mode),  \
              ensureObject(self);                                                                  \
              ensureString(path);)                                                                 \
  OMPDSM_WRAP(void, symbol##C##part##ERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode,    \
              (Stream * self parameter, const std::string *path, int mode),                        \
              (self argument, path, mode), ensureObject(self);                                     \
              ensureText(path);)                                                                   \
  OMPDSM_WRAP(void, symbol##C##part##EOS2_, (Stream * self parameter, Stream * other),             \
              (self argument, other), ensureObject(self);                                          \
              ensureObject(other);)                                                                \
  OMPDSM_WRAP(void, symbol##D##part##Ev, (Stream * self parameter), (self argument),               \
              ensureObject(self);)
#define OMPDSM_TWO_OBJECTS(Object, result, symbol)                                                 \
  OMPDSM_WRAP(result, symbol, (Object * self, Object * other), (self, other), ensureObject(self);  \
              ensureObject(other);)
#define OMPDSM_ONE_OBJECT(Object, symbol)                                                          \
  OMPDSM_WRAP(void, symbol, (Object * self), (self), ensureObject(self);)
#define OMPDSM_STREAM_OBJECTS(Stream, symbol)                                                      \
  OMPDSM_STREAM_PARTS(Stream, symbol, 1, OMPDSM_ALONE, OMPDSM_ALONE)                               \
  OMPDSM_STREAM_PARTS(Stream, symbol, 2, OMPDSM_TABLE_PARAMETER, OMPDSM_TABLE_ARGUMENT)            \
  OMPDSM_ONE_OBJECT(Stream, symbol##D0Ev)                                                          \
  OMPDSM_TWO_OBJECTS(Stream, Stream *, symbol##aSEOS2_)                                            \
  OMPDSM_TWO_OBJECTS(Stream, void, symbol##4swapERS2_)
OMPDSM_STREAM_OBJECTS(std::ofstream, _ZNSt14basic_ofstreamIcSt11char_traitsIcEE)
OMPDSM_STREAM_OBJECTS(std::ifstream, _ZNSt14basic_ifstreamIcSt11char_traitsIcEE)
OMPDSM_STREAM_OBJECTS(std::fstream, _ZNSt13basic_fstreamIcSt11char_traitsIcEE)

#define OMPDSM_BUFFER_PART(part)                                                                   \
  OMPDSM_ONE_OBJECT(std::filebuf, _ZNSt13basic_filebufIcSt11char_traitsIcEEC##part##Ev)            \
  OMPDSM_ONE_OBJECT(std::filebuf, _ZNSt13basic_filebufIcSt11char_traitsIcEED##part##Ev)            \
  OMPDSM_TWO_OBJECTS(std::filebuf, void, _ZNSt13basic_filebufIcSt11char_traitsIcEEC##part##EOS2_)
OMPDSM_BUFFER_PART(1)
OMPDSM_BUFFER_PART(2)
OMPDSM_ONE_OBJECT(std::filebuf, _ZNSt13basic_filebufIcSt11char_traitsIcEED0Ev)
OMPDSM_TWO_OBJECTS(std::filebuf, std::filebuf *, _ZNSt13basic_filebufIcSt11char_traitsIcEEaSEOS2_)
OMPDSM_TWO_OBJECTS(std::filebuf, void, _ZNSt13basic_filebufIcSt11char_traitsIcEE4swapERS2_)
OMPDSM_WRAP(void, _ZNSt13basic_filebufIcSt11char_traitsIcEE5imbueERKSt6locale,
            (std::filebuf * self, const std::locale *locale), (self, locale), ensureObject(self);
            ensureRead(locale, sizeof *locale);)
OMPDSM_WRAP(std::streambuf *, _ZNSt13basic_filebufIcSt11char_traitsIcEE6setbufEPcl,
            (std::filebuf * self, char *buffer, std::streamsize bytes), (self, buffer, bytes),
            ensureObject(self);)

// --- What all streams have. Only streams begin with it, so that it is a base always.

OMPDSM_ONE_OBJECT(std::ios_base, _ZNSt8ios_baseC2Ev)
OMPDSM_ONE_OBJECT(std::ios_base, _ZNSt8ios_baseD2Ev)
OMPDSM_ONE_OBJECT(std::ios_base, _ZNSt8ios_base7_M_initEv)
OMPDSM_TWO_OBJECTS(std::ios_base, void, _ZNSt8ios_base7_M_moveERS_)
OMPDSM_TWO_OBJECTS(std::ios_base, void, _ZNSt8ios_base7_M_swapERS_)
// The locale that was there before is returned, at a place of the caller.
OMPDSM_WRAP(std::locale *, _ZNSt8ios_base5imbueERKSt6locale,
            (std::locale * before, std::ios_base *self, const std::locale *locale),
            (before, self, locale), ensureObject(before);
            ensureObject(self); ensureRead(locale, sizeof *locale);)

// --- Locales: a pointer each. What it points to is the library's, of one node.

OMPDSM_ONE_OBJECT(std::locale, _ZNSt6localeC1Ev)
OMPDSM_ONE_OBJECT(std::locale, _ZNSt6localeD1Ev)
OMPDSM_WRAP(void, _ZNSt6localeC1ERKS_, (std::locale * self, const std::locale *other),
            (self, other), ensureObject(self);
            ensureRead(other, sizeof *other);)
OMPDSM_WRAP(void, _ZNSt6localeC1EPKc, (std::locale * self, const char *name), (self, name),
            ensureObject(self);
            ensureString(name);)
OMPDSM_WRAP(std::locale *, _ZNSt6localeaSERKS_, (std::locale * self, const std::locale *other),
            (self, other), ensureObject(self);
            ensureRead(other, sizeof *other);)
