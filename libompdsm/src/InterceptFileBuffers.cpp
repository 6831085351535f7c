// InterceptFileBuffers.cpp: file buffers of libstdc++ (std::filebuf, in each std::ofstream), whose
// code is in the library. A buffer is memory of the program, so any node may run that code on it,
// if it is asked for before; its descriptor is one of the node that has opened the file, which is
// the one that has made the buffer's FILE.
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/RemoteStreams.h"
#include "libompdsm/src/Team.h"
#include <fstream>
#include <optional>

using namespace ompdsm;

namespace {

/// Protected members, by pointers that a derived class may form.
struct Members : std::filebuf {
  static constexpr auto file = &Members::_M_file;
  static constexpr auto buffer = &Members::_M_buf;
  static constexpr auto bufferBytes = &Members::_M_buf_size;
  static constexpr char *(std::streambuf::*putPlace)() const = &Members::pptr;
  static constexpr char *(std::streambuf::*putEnd)() const = &Members::epptr;
};

/// While one lives, the calling thread may run the library's code on the buffer.
class BufferUse {
public:
  /// `put`: bytes that the call puts into the buffer, if that is all it does where they fit.
  explicit BufferUse(std::filebuf *self, std::optional<std::streamsize> put)
      : before_(currentThread.descriptorsOf) {
    ensureWrite(self, sizeof *self);
    char *const place = (self->*Members::putPlace)();
    if (put && (self->*Members::putEnd)() - place > *put)
      ensureWrite(place, std::size_t(*put));
    else if (char *buffer = self->*Members::buffer)
      ensureWrite(buffer, self->*Members::bufferBytes);
    std::FILE *file = (self->*Members::file).file();
    if (const RemoteStreams *remote = remoteStreamsFor(file))
      currentThread.descriptorsOf = remote->ownerOf(file);
  }
  ~BufferUse() { currentThread.descriptorsOf = before_; }
  BufferUse(const BufferUse &) = delete;
  BufferUse &operator=(const BufferUse &) = delete;

private:
  const std::optional<NodeId> before_;
};

} // namespace

#define OMPDSM_BUFFER_PUT(result, symbol, parameters, arguments, put, asks)                        \
  OMPDSM_INTERPOSE(result, symbol, parameters) {                                                   \
    if (!mustAsk(OMPDSM_CALLER))                                                                   \
      return real_##symbol.get() arguments;                                                        \
    const BufferUse use(self, put);                                                                \
    asks;                                                                                          \
    return real_##symbol.get() arguments;                                                          \
  }
#define OMPDSM_BUFFER(result, symbol, parameters, arguments, asks)                                 \
  OMPDSM_BUFFER_PUT(result, symbol, parameters, arguments, std::nullopt, asks)
OMPDSM_BUFFER_PUT(std::streamsize, _ZNSt13basic_filebufIcSt11char_traitsIcEE6xsputnEPKcl,
                  (std::filebuf * self, const char *text, std::streamsize count),
                  (self, text, count), count, ensureRead(text, std::size_t(count)))
OMPDSM_BUFFER(std::streamsize, _ZNSt13basic_filebufIcSt11char_traitsIcEE6xsgetnEPcl,
              (std::filebuf * self, char *to, std::streamsize count), (self, to, count),
              ensureWrite(to, std::size_t(count)))
OMPDSM_BUFFER(int, _ZNSt13basic_filebufIcSt11char_traitsIcEE8overflowEi,
              (std::filebuf * self, int c), (self, c), )
OMPDSM_BUFFER(int, _ZNSt13basic_filebufIcSt11char_traitsIcEE9pbackfailEi,
              (std::filebuf * self, int c), (self, c), )
OMPDSM_BUFFER(int, _ZNSt13basic_filebufIcSt11char_traitsIcEE9underflowEv, (std::filebuf * self),
              (self), )
OMPDSM_BUFFER(int, _ZNSt13basic_filebufIcSt11char_traitsIcEE4syncEv, (std::filebuf * self),
              (self), )
OMPDSM_BUFFER(std::filebuf *, _ZNSt13basic_filebufIcSt11char_traitsIcEE5closeEv,
              (std::filebuf * self), (self), )
OMPDSM_BUFFER(bool, _ZNKSt13basic_filebufIcSt11char_traitsIcEE7is_openEv, (std::filebuf * self),
              (self), )
OMPDSM_BUFFER(std::filebuf *, _ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode,
              (std::filebuf * self, const char *path, int mode), (self, path, mode),
              ensureString(path))
// The position comes back in registers, as it is a number and the state of a conversion.
OMPDSM_BUFFER(__int128,
              _ZNSt13basic_filebufIcSt11char_traitsIcEE7seekoffElSt12_Ios_SeekdirSt13_Ios_Openmode,
              (std::filebuf * self, std::streamoff offset, int from, int which),
              (self, offset, from, which), )
OMPDSM_BUFFER(
    __int128,
    _ZNSt13basic_filebufIcSt11char_traitsIcEE7seekposESt4fposI11__mbstate_tESt13_Ios_Openmode,
    (std::filebuf * self, std::fpos<std::mbstate_t> place, int which), (self, place, which), )

// The streams around them, which the library opens and closes, too.
#define OMPDSM_FILE_STREAM(Stream, symbol)                                                         \
  OMPDSM_WRAP(void, symbol##4openEPKcSt13_Ios_Openmode,                                            \
              (Stream * self, const char *path, int mode), (self, path, mode),                     \
              ensureWrite(self, sizeof *self);)                                                    \
  OMPDSM_WRAP(void, symbol##4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode,        \
              (Stream * self, const std::string *path, int mode), (self, path, mode),              \
              ensureWrite(self, sizeof *self);                                                     \
              ensureRead(path, sizeof *path); ensureRead(path->c_str(), path->size() + 1);)        \
  OMPDSM_WRAP(void, symbol##5closeEv, (Stream * self), (self), ensureWrite(self, sizeof *self);)
OMPDSM_FILE_STREAM(std::ofstream, _ZNSt14basic_ofstreamIcSt11char_traitsIcEE)
OMPDSM_FILE_STREAM(std::ifstream, _ZNSt14basic_ifstreamIcSt11char_traitsIcEE)
OMPDSM_FILE_STREAM(std::fstream, _ZNSt13basic_fstreamIcSt11char_traitsIcEE)
