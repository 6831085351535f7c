// ThreadContext.cpp: attaching threads to the engine and moving them on- and offline.
#include "libompdsm/src/ThreadContext.h"
#include "libompdsm/src/Runtime.h"

namespace ompdsm {

// A thread's own state, not the process's: the one thing that cannot be a member of Runtime.
thread_local constinit ThreadContext currentThread{};
thread_local constinit bool __ompdsm_release_owed = false;

namespace {
Engine *engineOfJob() {
  Runtime *job = runtime();
  return job ? job->engine.get() : nullptr;
}
} // namespace

void attachCurrentThread(bool online) {
  Engine *engine = engineOfJob();
  if (!engine || currentThread.registration)
    return;
  currentThread.registration = engine->registerThread();
  currentThread.online = true;
  if (!online)
    goOffline();
}

void detachCurrentThread() {
  ThreadContext &thread = currentThread;
  if (!thread.registration)
    return;
  engineOfJob()->unregisterThread(thread.registration);
  thread.registration = nullptr;
  thread.online = false;
}

ThreadRegistration *currentRegistration() {
  if (!currentThread.registration)
    attachCurrentThread(true);
  return currentThread.registration;
}

void goOnline() {
  ThreadRegistration *registration = currentRegistration();
  if (!registration || currentThread.online)
    return;
  engineOfJob()->goOnline(registration);
  currentThread.online = true;
}

void goOffline() {
  ThreadRegistration *registration = currentRegistration();
  if (!registration || !currentThread.online)
    return;
  engineOfJob()->goOffline(registration);
  currentThread.online = false;
}

void acquireHere() {
  if (ThreadRegistration *registration = currentRegistration())
    engineOfJob()->syncPoint(registration);
}

void releaseHere() {
  if (ThreadRegistration *registration = currentRegistration()) {
    runtime()->output.flush();
    engineOfJob()->release(registration);
    setReleaseOwed(false);
  }
}

PendingRelease beginReleaseHere() {
  ThreadRegistration *registration = currentRegistration();
  if (!registration)
    return {};
  runtime()->output.flush();
  PendingRelease begun = engineOfJob()->beginRelease(registration);
  setReleaseOwed(!begun.isEmpty());
  return begun;
}

void releaseTo(std::span<const NodeId> followers) {
  if (ThreadRegistration *registration = currentRegistration()) {
    runtime()->output.flush();
    engineOfJob()->releaseTo(registration, followers);
  }
}

OfflineScope::OfflineScope() : wasOnline_(currentThread.online || !currentThread.registration) {
  goOffline();
}
OfflineScope::~OfflineScope() {
  if (wasOnline_)
    goOnline();
}

OnlineScope::OnlineScope() : wasOnline_(currentThread.online) { goOnline(); }
OnlineScope::~OnlineScope() {
  if (!wasOnline_)
    goOffline();
}

FrameScope::FrameScope(RegionFrame &frame) : frame_(frame) {
  ThreadContext &thread = currentThread;
  frame_.outer = thread.frame;
  frame_.outerSerializedDepth = thread.serializedDepth;
  thread.frame = &frame_;
  thread.serializedDepth = 0;
}

FrameScope::~FrameScope() {
  ThreadContext &thread = currentThread;
  thread.frame = frame_.outer;
  thread.serializedDepth = frame_.outerSerializedDepth;
}

} // namespace ompdsm
