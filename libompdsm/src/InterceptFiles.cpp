// InterceptFiles.cpp: functions of streams that get no memory but the stream itself, which another
// node may have opened.
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/RemoteStreams.h"
#include <cstdio>

using namespace ompdsm;

// An unused wrapper object for each function that another one is made of; the real one is never
// looked up.
#pragma clang diagnostic ignored "-Wunused-variable"

namespace {
int putTo(RemoteStreams &streams, int c, std::FILE *file) {
  const auto byte = static_cast<unsigned char>(c);
  return streams.write(file, {reinterpret_cast<const char *>(&byte), 1}) == 1 ? byte : EOF;
}
} // namespace

#define OMPDSM_PUT(name)                                                                           \
  OMPDSM_INTERPOSE(int, name, (int c, std::FILE *file)) {                                          \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      if (RemoteStreams *remote = remoteStreamsFor(file))                                          \
        return putTo(*remote, c, file);                                                            \
    return real_##name.get()(c, file);                                                             \
  }
OMPDSM_PUT(fputc)
OMPDSM_PUT(putc)
OMPDSM_PUT(_IO_putc)
OMPDSM_PUT(fputc_unlocked)
OMPDSM_PUT(putc_unlocked)
OMPDSM_INTERPOSE(int, fclose, (std::FILE * file)) {
  if (mustAsk(OMPDSM_CALLER))
    if (RemoteStreams *remote = remoteStreamsFor(file))
      return remote->close(file);
  return real_fclose.get()(file);
}

// Those that only the node itself can do.
#define OMPDSM_OWN(result, name, parameters, arguments)                                            \
  OMPDSM_WRAP(result, name, parameters, arguments, requireOwnStream(file, #name);)
OMPDSM_OWN(int, fgetc, (std::FILE * file), (file))
OMPDSM_OWN(int, getc, (std::FILE * file), (file))
OMPDSM_OWN(int, _IO_getc, (std::FILE * file), (file))
OMPDSM_OWN(int, fgetc_unlocked, (std::FILE * file), (file))
OMPDSM_OWN(int, getc_unlocked, (std::FILE * file), (file))
OMPDSM_OWN(int, ungetc, (int c, std::FILE *file), (c, file))
OMPDSM_OWN(int, fseek, (std::FILE * file, long at, int from), (file, at, from))
OMPDSM_OWN(int, fseeko, (std::FILE * file, off_t at, int from), (file, at, from))
OMPDSM_OWN(int, fseeko64, (std::FILE * file, off64_t at, int from), (file, at, from))
OMPDSM_OWN(long, ftell, (std::FILE * file), (file))
OMPDSM_OWN(off_t, ftello, (std::FILE * file), (file))
OMPDSM_OWN(off64_t, ftello64, (std::FILE * file), (file))
OMPDSM_OWN(void, rewind, (std::FILE * file), (file))
OMPDSM_OWN(int, feof, (std::FILE * file), (file))
OMPDSM_OWN(int, ferror, (std::FILE * file), (file))
OMPDSM_OWN(int, pclose, (std::FILE * file), (file))
OMPDSM_INTERPOSE(int, fileno, (std::FILE * file)) {
  if (mustAsk(OMPDSM_CALLER)) {
    if (currentThread.descriptorsOf)
      ensureRead(file, sizeof *file);
    else
      requireOwnStream(file, "fileno");
  }
  return real_fileno.get()(file);
}

// A stream's buffer is the C library's where there are several nodes: what is in one that the
// program gives is nobody's business (C17, 7.21.5.6), and other nodes may use that memory.
OMPDSM_INTERPOSE(int, setvbuf, (std::FILE * file, char *buffer, int mode, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    requireOwnStream(file, "setvbuf");
    if (file == stdout)
      runtime()->output.setWrittenAtOnce(mode != _IOFBF);
    buffer = nullptr;
  }
  return real_setvbuf.get()(file, buffer, mode, bytes);
}
OMPDSM_INTERPOSE(void, setbuffer, (std::FILE * file, char *buffer, std::size_t bytes)) {
  interposed_setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, bytes);
}
OMPDSM_INTERPOSE(void, setbuf, (std::FILE * file, char *buffer)) {
  interposed_setvbuf(file, buffer, buffer ? _IOFBF : _IONBF, BUFSIZ);
}
OMPDSM_INTERPOSE(void, setlinebuf, (std::FILE * file)) {
  interposed_setvbuf(file, nullptr, _IOLBF, 0);
}
