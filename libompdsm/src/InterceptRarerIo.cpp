// InterceptRarerIo.cpp: input and output that programs use now and then: places in streams, several
// buffers at a place of a file, datagrams and addresses of the network.
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/RemoteStreams.h"
#include <arpa/inet.h>
#include <cstdio>
#include <sys/epoll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

using namespace ompdsm;

namespace {

/// An address of `*length` bytes that the kernel fills in; neither need be wanted.
void forAddress(sockaddr *address, socklen_t *length) {
  if (!address || !length)
    return;
  ensureWrite(length, sizeof *length);
  ensureWrite(address, *length);
}
void address(const sockaddr *address, socklen_t length) {
  if (address)
    ensureRead(address, length);
}
std::size_t bytesOfFamily(int family) {
  return family == AF_INET6 ? sizeof(in6_addr) : sizeof(in_addr);
}

} // namespace

#define OMPDSM_POSITION(suffix, Position)                                                          \
  OMPDSM_WRAP(int, fgetpos##suffix, (std::FILE * file, Position * at), (file, at),                 \
              requireOwnStream(file, "fgetpos");                                                   \
              ensureWrite(at, sizeof *at);)                                                        \
  OMPDSM_WRAP(int, fsetpos##suffix, (std::FILE * file, const Position *at), (file, at),            \
              requireOwnStream(file, "fsetpos");                                                   \
              ensureRead(at, sizeof *at);)
OMPDSM_POSITION(, fpos_t)
OMPDSM_POSITION(64, fpos64_t)

// `areWritten`: the program's buffers are.
#define OMPDSM_VECTORS(name, Offset, areWritten)                                                   \
  OMPDSM_WRAP(ssize_t, name, (int fd, const iovec *vectors, int count, Offset at),                 \
              (fd, vectors, count, at), ensureVectors(vectors, count, areWritten);)
OMPDSM_VECTORS(preadv, off_t, true)
OMPDSM_VECTORS(preadv64, off64_t, true)
OMPDSM_VECTORS(pwritev, off_t, false)
OMPDSM_VECTORS(pwritev64, off64_t, false)

OMPDSM_WRAP(ssize_t, sendfile, (int to, int from, off_t *at, std::size_t bytes),
            (to, from, at, bytes), if (at) ensureWrite(at, sizeof *at);)
OMPDSM_WRAP(ssize_t, sendfile64, (int to, int from, off64_t *at, std::size_t bytes),
            (to, from, at, bytes), if (at) ensureWrite(at, sizeof *at);)

OMPDSM_WRAP(ssize_t, sendto,
            (int fd, const void *from, std::size_t bytes, int flags, const sockaddr *to,
             socklen_t length),
            (fd, from, bytes, flags, to, length), ensureRead(from, bytes);
            address(to, length);)
OMPDSM_WRAP(ssize_t, recvfrom,
            (int fd, void *to, std::size_t bytes, int flags, sockaddr *from, socklen_t *length),
            (fd, to, bytes, flags, from, length), ensureWrite(to, bytes);
            forAddress(from, length);)
OMPDSM_WRAP(int, bind, (int fd, const sockaddr *to, socklen_t length), (fd, to, length),
            address(to, length);)
OMPDSM_WRAP(int, connect, (int fd, const sockaddr *to, socklen_t length), (fd, to, length),
            address(to, length);)
OMPDSM_WRAP(int, accept, (int fd, sockaddr *from, socklen_t *length), (fd, from, length),
            forAddress(from, length);)
OMPDSM_WRAP(int, getsockname, (int fd, sockaddr *to, socklen_t *length), (fd, to, length),
            forAddress(to, length);)
OMPDSM_WRAP(int, getpeername, (int fd, sockaddr *to, socklen_t *length), (fd, to, length),
            forAddress(to, length);)
OMPDSM_WRAP(int, getsockopt, (int fd, int level, int name, void *to, socklen_t *length),
            (fd, level, name, to, length), ensureWrite(length, sizeof *length);
            ensureWrite(to, *length);)
OMPDSM_WRAP(int, setsockopt, (int fd, int level, int name, const void *from, socklen_t length),
            (fd, level, name, from, length), ensureRead(from, length);)
OMPDSM_WRAP(int, epoll_wait, (int fd, epoll_event *events, int most, int timeout),
            (fd, events, most, timeout),
            if (most > 0) ensureWrite(events, std::size_t(most) * sizeof *events);)
OMPDSM_WRAP(int, epoll_ctl, (int epoll, int operation, int fd, epoll_event *event),
            (epoll, operation, fd, event), if (event) ensureRead(event, sizeof *event);)

OMPDSM_WRAP(int, inet_aton, (const char *text, in_addr *to), (text, to), ensureString(text);
            ensureWrite(to, sizeof *to);)
OMPDSM_WRAP(in_addr_t, inet_addr, (const char *text), (text), ensureString(text);)
OMPDSM_WRAP(int, inet_pton, (int family, const char *text, void *to), (family, text, to),
            ensureString(text);
            ensureWrite(to, bytesOfFamily(family));)
OMPDSM_WRAP(const char *, inet_ntop, (int family, const void *from, char *to, socklen_t bytes),
            (family, from, to, bytes), ensureRead(from, bytesOfFamily(family));
            ensureWriteUpTo(to, bytes);)
