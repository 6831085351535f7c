// Status.h: the outcome of an operation that can fail for reasons outside the program (an operating
// error). Outputs of a function that returns an error Status are untouched.
#pragma once
#include <string>
#include <utility>

namespace ompdsm {

class [[nodiscard]] Status {
public:
  static Status ok() { return Status(); }
  /// `message` is a lower-case phrase that says what happened, where, and what to do next.
  static Status error(std::string message) {
    Status status;
    status.failed_ = true;
    status.message_ = std::move(message);
    return status;
  }
  bool isOk() const { return !failed_; }
  const std::string &message() const { return message_; }

private:
  bool failed_ = false;
  std::string message_;
};

} // namespace ompdsm
