// InterceptSystem.cpp: system calls and their wrappers that fill in a structure or a text of the
// caller. The kernel fails (EFAULT) or writes into a copy that nobody knows of, if it is not asked
// for.
#include "libompdsm/src/Interception.h"
#include "libompdsm/src/PageFaults.h"
#include <csignal>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace ompdsm;

namespace {

template <class Object> void out(Object *object, std::size_t count = 1) {
  if (object)
    ensureWrite(object, count * sizeof *object);
}
template <class Object> void in(const Object *object, std::size_t count = 1) {
  if (object)
    ensureRead(object, count * sizeof *object);
}
void text(const char *text) {
  if (text)
    ensureString(text);
}

} // namespace

OMPDSM_WRAP(int, pipe, (int *ends), (ends), out(ends, 2);)
OMPDSM_WRAP(int, pipe2, (int *ends, int flags), (ends, flags), out(ends, 2);)
OMPDSM_WRAP(int, socketpair, (int domain, int type, int protocol, int *ends),
            (domain, type, protocol, ends), out(ends, 2);)
OMPDSM_WRAP(char *, getcwd, (char *path, std::size_t bytes), (path, bytes),
            if (path) ensureWriteUpTo(path, bytes);)
OMPDSM_WRAP(int, gethostname, (char *name, std::size_t bytes), (name, bytes),
            ensureWriteUpTo(name, bytes);)
OMPDSM_WRAP(ssize_t, readlink, (const char *path, char *to, std::size_t bytes), (path, to, bytes),
            text(path);
            ensureWriteUpTo(to, bytes);)
#define OMPDSM_TEMPORARY(result, name, parameters, arguments)                                      \
  OMPDSM_WRAP(result, name, parameters, arguments,                                                 \
              if (const std::size_t length = ensureString(path)) ensureWrite(path, length);)
OMPDSM_TEMPORARY(char *, mkdtemp, (char *path), (path))
#define OMPDSM_TEMPORARIES(suffix)                                                                 \
  OMPDSM_TEMPORARY(int, mkstemp##suffix, (char *path), (path))                                     \
  OMPDSM_TEMPORARY(int, mkostemp##suffix, (char *path, int flags), (path, flags))                  \
  OMPDSM_TEMPORARY(int, mkstemps##suffix, (char *path, int tail), (path, tail))
OMPDSM_TEMPORARIES()
OMPDSM_TEMPORARIES(64)
OMPDSM_WRAP(int, uname, (utsname * names), (names), out(names);)
OMPDSM_WRAP(int, getrusage, (int who, struct rusage *usage), (who, usage), out(usage);)
#define OMPDSM_LIMITS(suffix)                                                                      \
  OMPDSM_WRAP(int, getrlimit##suffix, (int resource, struct rlimit##suffix *limit),                \
              (resource, limit), out(limit);)                                                      \
  OMPDSM_WRAP(int, setrlimit##suffix, (int resource, const struct rlimit##suffix *limit),          \
              (resource, limit), in(limit);)
OMPDSM_LIMITS()
OMPDSM_LIMITS(64)
OMPDSM_WRAP(int, sysinfo, (struct sysinfo * info), (info), out(info);)
#define OMPDSM_FILE_SYSTEM(suffix)                                                                 \
  OMPDSM_WRAP(int, statvfs##suffix, (const char *path, struct statvfs##suffix *result),            \
              (path, result), text(path);                                                          \
              out(result);)                                                                        \
  OMPDSM_WRAP(int, fstatvfs##suffix, (int fd, struct statvfs##suffix *result), (fd, result),       \
              out(result);)
OMPDSM_FILE_SYSTEM()
OMPDSM_FILE_SYSTEM(64)
OMPDSM_WRAP(clock_t, times, (struct tms * times), (times), out(times);)
OMPDSM_WRAP(int, clock_getres, (clockid_t clock, timespec *result), (clock, result), out(result);)
OMPDSM_WRAP(int, getitimer, (int which, itimerval *result), (which, result), out(result);)
OMPDSM_WRAP(int, setitimer, (int which, const itimerval *value, itimerval *old),
            (which, value, old), in(value);
            out(old);)
OMPDSM_WRAP(int, poll, (pollfd * entries, nfds_t count, int timeout), (entries, count, timeout),
            out(entries, count);)
OMPDSM_WRAP(int, select, (int count, fd_set *r, fd_set *w, fd_set *e, timeval *timeout),
            (count, r, w, e, timeout), out(r);
            out(w); out(e); out(timeout);)
OMPDSM_WRAP(pid_t, wait, (int *status), (status), out(status);)
OMPDSM_WRAP(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options),
            out(status);)
OMPDSM_INTERPOSE(int, sigaction,
                 (int number, const struct sigaction *action, struct sigaction *old)) {
  if (mustAsk(OMPDSM_CALLER)) {
    in(action);
    out(old);
  }
  if (Runtime *job = runtime(); number == SIGBUS && job && job->pageFaults)
    return job->pageFaults->setProgramAction(action, old);
  return real_sigaction.get()(number, action, old);
}
OMPDSM_INTERPOSE(sighandler_t, signal, (int number, sighandler_t handler)) {
  Runtime *job = runtime();
  if (number != SIGBUS || !job || !job->pageFaults || handler == SIG_ERR)
    return real_signal.get()(number, handler);
  struct sigaction action{}, old{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  job->pageFaults->setProgramAction(&action, &old);
  return old.sa_handler;
}
OMPDSM_WRAP(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old),
            in(set);
            out(old);)
OMPDSM_WRAP(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old), (how, set, old),
            in(set);
            out(old);)
OMPDSM_WRAP(int, sigemptyset, (sigset_t * set), (set), out(set);)
OMPDSM_WRAP(int, sigfillset, (sigset_t * set), (set), out(set);)
OMPDSM_WRAP(int, sigaddset, (sigset_t * set, int number), (set, number), out(set);)
OMPDSM_WRAP(int, sigdelset, (sigset_t * set, int number), (set, number), out(set);)
OMPDSM_WRAP(int, sigismember, (const sigset_t *set, int number), (set, number), in(set);)
OMPDSM_WRAP(int, getaddrinfo,
            (const char *host, const char *service, const addrinfo *hints, addrinfo **result),
            (host, service, hints, result), text(host);
            text(service); in(hints); out(result);)
OMPDSM_WRAP(int, timespec_get, (timespec * result, int base), (result, base), out(result);)
OMPDSM_WRAP(int, getentropy, (void *to, std::size_t bytes), (to, bytes), ensureWrite(to, bytes);)
OMPDSM_WRAP(ssize_t, getrandom, (void *to, std::size_t bytes, unsigned flags), (to, bytes, flags),
            ensureWrite(to, bytes);)
OMPDSM_WRAP(int, getloadavg, (double *to, int count), (to, count),
            if (count > 0) out(to, std::size_t(count));)
OMPDSM_WRAP(std::size_t, confstr, (int name, char *to, std::size_t bytes), (name, to, bytes),
            if (to) ensureWriteUpTo(to, bytes);)
OMPDSM_WRAP(int, sched_getaffinity, (pid_t pid, std::size_t bytes, cpu_set_t *set),
            (pid, bytes, set), ensureWrite(set, bytes);)
OMPDSM_WRAP(int, sched_setaffinity, (pid_t pid, std::size_t bytes, const cpu_set_t *set),
            (pid, bytes, set), ensureRead(set, bytes);)
OMPDSM_WRAP(int, pthread_getaffinity_np, (pthread_t thread, std::size_t bytes, cpu_set_t *set),
            (thread, bytes, set), ensureWrite(set, bytes);)
OMPDSM_WRAP(int, pthread_setaffinity_np,
            (pthread_t thread, std::size_t bytes, const cpu_set_t *set), (thread, bytes, set),
            ensureRead(set, bytes);)
OMPDSM_WRAP(int, pthread_getname_np, (pthread_t thread, char *to, std::size_t bytes),
            (thread, to, bytes), ensureWriteUpTo(to, bytes);)
OMPDSM_WRAP(int, pthread_setname_np, (pthread_t thread, const char *name), (thread, name),
            text(name);)
OMPDSM_WRAP(int, ppoll,
            (pollfd * entries, nfds_t count, const timespec *timeout, const sigset_t *mask),
            (entries, count, timeout, mask), out(entries, count);
            in(timeout); in(mask);)
OMPDSM_WRAP(int, getgroups, (int count, gid_t *to), (count, to),
            if (count > 0) out(to, std::size_t(count));)
OMPDSM_WRAP(int, backtrace, (void **to, int count), (to, count),
            if (count > 0) out(to, std::size_t(count));)
OMPDSM_WRAP(char **, backtrace_symbols, (void *const *from, int count), (from, count),
            if (count > 0) in(from, std::size_t(count));)
OMPDSM_WRAP(void, arc4random_buf, (void *to, std::size_t bytes), (to, bytes),
            ensureWrite(to, bytes);)
OMPDSM_WRAP(int, sigwait, (const sigset_t *set, int *number), (set, number), in(set); out(number);)
OMPDSM_WRAP(int, sigpending, (sigset_t * set), (set), out(set);)
OMPDSM_WRAP(ssize_t, readlinkat, (int directory, const char *path, char *to, std::size_t bytes),
            (directory, path, to, bytes), text(path);
            ensureWriteUpTo(to, bytes);)
