// Fatal.h: the one way in which the runtime gives up. A user's error and an operating error end the
// job with one message (what happened, where, what to do next) and exit code 1 on every node.
#pragma once

namespace ompdsm {

/// Prints "ompdsm: <message>" once for the whole job (through the launcher if there is one), and
/// ends this process without running exit handlers. printf format.
[[noreturn]] __attribute__((format(printf, 1, 2))) void fatal(const char *format, ...);

/// As fatal(), with this exit code for the job; 0 becomes 1.
[[noreturn]] __attribute__((format(printf, 2, 3))) void fatalWithCode(int code, const char *format,
                                                                      ...);

} // namespace ompdsm
