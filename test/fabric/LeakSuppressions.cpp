// LeakSuppressions.cpp: what AddressSanitizer builds of the tests do not count as leaks of ours.

extern "C" __attribute__((visibility("default"))) const char *__lsan_default_suppressions();

extern "C" const char *__lsan_default_suppressions() {
  // The `net` provider of libfabric 1.17 loses an fi_info per endpoint and some bytes per
  // connection.
  return "leak:libfabric.so\n";
}
