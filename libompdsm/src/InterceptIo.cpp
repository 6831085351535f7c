// InterceptIo.cpp: input and output of buffers and strings. Formats are in InterceptFormats.cpp.
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/RemoteStreams.h"
#include "libompdsm/src/Team.h"
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

using namespace ompdsm;

namespace ompdsm {
void ensureVectors(const iovec *vectors, int count, bool areWritten) {
  ensureRead(vectors, sizeof(iovec) * static_cast<std::size_t>(count > 0 ? count : 0));
  for (int i = 0; i < count; ++i)
    if (areWritten)
      ensureWrite(vectors[i].iov_base, vectors[i].iov_len);
    else
      ensureRead(vectors[i].iov_base, vectors[i].iov_len);
}
} // namespace ompdsm

namespace {
/// A program's thread writes to the file; before it does, as only that thread could wait for it.
void noteWrite(int fd) {
  if (fd == STDOUT_FILENO)
    runtime()->output.noteWritten();
}

/// The first of them that is not empty: callers go on with the rest.
ssize_t writeVectors(NodeId owner, int fd, const iovec *vectors, int count) {
  while (count > 1 && vectors->iov_len == 0)
    ++vectors, --count;
  return team().remoteStreams().writeDescriptor(
      owner, fd, {static_cast<const char *>(vectors->iov_base), vectors->iov_len});
}

/// True if libfabric is about to look through the names of all functions of the kernel. Its verbs
/// provider does so twice at its start, with a device or without, to learn if device memory of GPUs
/// can be registered: 150 ms of CPU time, most of what the start of a node takes. We register none,
/// and without the file the provider takes it that nobody can.
bool isSearchOfKernel(const char *path, const void *caller) {
  const Runtime *job = runtime();
  return job && job->networkLibrary.contains(reinterpret_cast<Address>(caller)) &&
         std::strcmp(path, "/proc/kallsyms") == 0;
}
} // namespace

// `access` is ensureRead where the program's buffer is read, ensureWrite where it is filled.
#define OMPDSM_TRANSFER(access, result, name, buffer, parameters, arguments)                       \
  OMPDSM_INTERPOSE(result, name, parameters) {                                                     \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      access(buffer, bytes);                                                                       \
    return real_##name.get() arguments;                                                            \
  }

OMPDSM_INTERPOSE(ssize_t, read, (int fd, void *p, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureWrite(p, bytes);
    if (const auto owner = currentThread.descriptorsOf)
      return team().remoteStreams().readDescriptor(*owner, fd, p, bytes);
  }
  return real_read.get()(fd, p, bytes);
}
#define OMPDSM_SEEK(name, Offset)                                                                  \
  OMPDSM_INTERPOSE(Offset, name, (int fd, Offset offset, int whence)) {                            \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      if (const auto owner = currentThread.descriptorsOf)                                          \
        return team().remoteStreams().seekDescriptor(*owner, fd, offset, whence);                  \
    return real_##name.get()(fd, offset, whence);                                                  \
  }
OMPDSM_SEEK(lseek, off_t)
OMPDSM_SEEK(lseek64, off64_t)
OMPDSM_INTERPOSE(ssize_t, write, (int fd, const void *p, std::size_t bytes)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureRead(p, bytes);
    if (const auto owner = currentThread.descriptorsOf)
      return team().remoteStreams().writeDescriptor(*owner, fd,
                                                    {static_cast<const char *>(p), bytes});
    noteWrite(fd);
  }
  return real_write.get()(fd, p, bytes);
}
OMPDSM_TRANSFER(ensureWrite, ssize_t, pread, p, (int fd, void *p, std::size_t bytes, off_t at),
                (fd, p, bytes, at))
OMPDSM_TRANSFER(ensureWrite, ssize_t, pread64, p, (int fd, void *p, std::size_t bytes, off64_t at),
                (fd, p, bytes, at))
OMPDSM_TRANSFER(ensureRead, ssize_t, pwrite, p,
                (int fd, const void *p, std::size_t bytes, off_t at), (fd, p, bytes, at))
OMPDSM_TRANSFER(ensureRead, ssize_t, pwrite64, p,
                (int fd, const void *p, std::size_t bytes, off64_t at), (fd, p, bytes, at))
OMPDSM_TRANSFER(ensureWrite, ssize_t, recv, p, (int fd, void *p, std::size_t bytes, int flags),
                (fd, p, bytes, flags))
OMPDSM_TRANSFER(ensureRead, ssize_t, send, p, (int fd, const void *p, std::size_t bytes, int flags),
                (fd, p, bytes, flags))

OMPDSM_INTERPOSE(ssize_t, readv, (int fd, const iovec *vectors, int count)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureVectors(vectors, count, true);
  return real_readv.get()(fd, vectors, count);
}
OMPDSM_INTERPOSE(ssize_t, writev, (int fd, const iovec *vectors, int count)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureVectors(vectors, count, false);
    if (const auto owner = currentThread.descriptorsOf)
      return writeVectors(*owner, fd, vectors, count);
    noteWrite(fd);
  }
  return real_writev.get()(fd, vectors, count);
}

// With and without the stream's lock.
#define OMPDSM_STREAM(suffix)                                                                      \
  OMPDSM_WRAP(std::size_t, fread##suffix,                                                          \
              (void *to, std::size_t bytes, std::size_t count, std::FILE *file),                   \
              (to, bytes, count, file), requireOwnStream(file, "fread");                           \
              ensureWrite(to, bytes * count);)                                                     \
  OMPDSM_WRAP(char *, fgets##suffix, (char *to, int bytes, std::FILE *file), (to, bytes, file),    \
              requireOwnStream(file, "fgets");                                                     \
              if (bytes > 0) ensureWrite(to, std::size_t(bytes));)                                 \
  OMPDSM_INTERPOSE(std::size_t, fwrite##suffix,                                                    \
                   (const void *from, std::size_t bytes, std::size_t count, std::FILE *file)) {    \
    if (mustAsk(OMPDSM_CALLER)) {                                                                  \
      ensureRead(from, bytes * count);                                                             \
      if (RemoteStreams *remote = remoteStreamsFor(file); remote && bytes)                         \
        return remote->write(file, {static_cast<const char *>(from), bytes * count}) / bytes;      \
    }                                                                                              \
    return real_fwrite##suffix.get()(from, bytes, count, file);                                    \
  }                                                                                                \
  OMPDSM_INTERPOSE(int, fputs##suffix, (const char *text, std::FILE *file)) {                      \
    if (mustAsk(OMPDSM_CALLER)) {                                                                  \
      const std::size_t length = ensureString(text);                                               \
      if (RemoteStreams *remote = remoteStreamsFor(file))                                          \
        return remote->write(file, {text, length}) == length ? 1 : EOF;                            \
    }                                                                                              \
    return real_fputs##suffix.get()(text, file);                                                   \
  }
OMPDSM_STREAM()
OMPDSM_STREAM(_unlocked)
OMPDSM_INTERPOSE(int, puts, (const char *text)) {
  if (mustAsk(OMPDSM_CALLER))
    ensureString(text);
  return real_puts.get()(text);
}
OMPDSM_INTERPOSE(int, fflush, (std::FILE * file)) {
  if (mustAsk(OMPDSM_CALLER)) {
    if (RemoteStreams *remote = remoteStreamsFor(file))
      return remote->flush(file);
    if (!file || file == stdout)
      runtime()->output.noteWritten();
  }
  return real_fflush.get()(file);
}
OMPDSM_INTERPOSE(void, perror, (const char *text)) {
  if (mustAsk(OMPDSM_CALLER) && text)
    ensureString(text);
  real_perror.get()(text);
}
OMPDSM_INTERPOSE(std::FILE *, fopen, (const char *path, const char *mode)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureString(path);
    ensureString(mode);
  } else if (isSearchOfKernel(path, OMPDSM_CALLER)) {
    errno = ENOENT;
    return nullptr;
  }
  return real_fopen.get()(path, mode);
}
OMPDSM_INTERPOSE(std::FILE *, fopen64, (const char *path, const char *mode)) {
  if (mustAsk(OMPDSM_CALLER)) {
    ensureString(path);
    ensureString(mode);
  } else if (isSearchOfKernel(path, OMPDSM_CALLER)) {
    errno = ENOENT;
    return nullptr;
  }
  return real_fopen64.get()(path, mode);
}
// The line grows by realloc: afterwards it is in the pinned heap of this node.
#define OMPDSM_GETDELIM(name)                                                                      \
  OMPDSM_WRAP(ssize_t, name, (char **line, std::size_t *bytes, int delimiter, std::FILE *file),    \
              (line, bytes, delimiter, file), requireOwnStream(file, #name);                       \
              ensureWrite(line, sizeof *line); ensureWrite(bytes, sizeof *bytes);                  \
              if (*line) ensureWrite(*line, *bytes);)
OMPDSM_GETDELIM(getdelim)
OMPDSM_GETDELIM(__getdelim) // What the header makes of getline with optimisation.
OMPDSM_INTERPOSE(ssize_t, getline, (char **line, std::size_t *bytes, std::FILE *file)) {
  if (mustAsk(OMPDSM_CALLER)) {
    requireOwnStream(file, "getline");
    ensureWrite(line, sizeof *line);
    ensureWrite(bytes, sizeof *bytes);
    if (*line)
      ensureWrite(*line, *bytes);
  }
  return real_getline.get()(line, bytes, file);
}
