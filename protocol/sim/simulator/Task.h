// Task.h: a coroutine that others can await. The threads of the simulated nodes are written with it
// as the engine's are: one statement after the other, waiting where the engine waits.
#pragma once
#include <coroutine>
#include <utility>

namespace ompdsm::simulator {

/// Starts when it is awaited, or by start(); ends with its last statement. Exceptions leave through
/// whoever resumes; then nobody resumes it any more.
class [[nodiscard]] Task {
public:
  struct promise_type {
    std::coroutine_handle<> continuation = std::noop_coroutine();
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Continue {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
        return ended.promise().continuation;
      }
      void await_resume() noexcept {}
    };
    Continue final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { throw; }
  };

  Task() = default;
  Task(Task &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task &operator=(Task &&other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_)
      handle_.destroy();
  }

  std::coroutine_handle<> handle() const { return handle_; }

  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) noexcept {
    handle_.promise().continuation = awaiting;
    return handle_;
  }
  void await_resume() const noexcept {}

private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

} // namespace ompdsm::simulator
