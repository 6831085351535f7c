// TaskSharing.cpp: giving tasks away, executing those of others, and what nodes say to each other.
#include "libompdsm/src/TaskSharing.h"
#include "libompdsm/src/ForeignCode.h"
#include "libompdsm/src/Runtime.h"
#include "libompdsm/src/SpreadRegion.h"
#include "libompdsm/src/TaskWaits.h"
#include "libompdsm/src/Team.h"
#include "libompdsm/src/TeamMessages.h"
#include "libompdsm/src/ThreadContext.h"
#include <algorithm>

namespace ompdsm {

TaskSharing::TaskSharing(Runtime &runtime)
    : runtime_(runtime),
      isOn_(runtime.options.shareTasks && (anyImageCalls("__kmpc_omp_task_alloc") ||
                                           anyImageCalls("__kmpc_omp_target_task_alloc"))) {}

void TaskSharing::registerHandlers() {
  Messenger &messenger = *runtime_.messenger;
  messenger.setHandler(messageKind(TeamMessage::TaskAsk), [this](NodeId from, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    onAsk(from, bodyFrom<AskBody>(bytes));
  });
  messenger.setHandler(messageKind(TeamMessage::TaskDeny),
                       [this](NodeId from, fabric::Bytes bytes) {
                         std::lock_guard lock(mutex_);
                         onDeny(from, bodyFrom<Phase>(bytes));
                       });
  messenger.setHandler(messageKind(TeamMessage::TaskRecall),
                       [this](NodeId from, fabric::Bytes bytes) {
                         std::lock_guard lock(mutex_);
                         onRecall(from, bodyFrom<TaskId>(bytes));
                       });
  messenger.setHandler(messageKind(TeamMessage::TaskReturn), [this](NodeId, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    onReturn(bodyFrom<TaskId>(bytes));
  });
  messenger.setHandler(messageKind(TeamMessage::TasksIdle), [this](NodeId, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    onIdle(bodyFrom<IdleBody>(bytes));
  });
  messenger.setHandler(messageKind(TeamMessage::TasksAllIdle), [this](NodeId, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    onAllIdle(bodyFrom<IdleBody>(bytes));
  });
  messenger.setHandler(messageKind(TeamMessage::TaskGive),
                       [this](NodeId from, fabric::Bytes bytes) {
                         std::lock_guard lock(mutex_);
                         onGive(from, bytes);
                       });
  messenger.setHandler(messageKind(TeamMessage::TaskEnd), [this](NodeId, fabric::Bytes bytes) {
    std::lock_guard lock(mutex_);
    onEnd(bodyFrom<EndBody>(bytes));
  });
}

bool TaskSharing::isSharedIn(const SpreadRegion &region) const {
  return isOn_ && region.spansNodes();
}

bool TaskSharing::mayCarry(const TaskForm &form) const {
  return form.taskBytes >= sizeof(Task) &&
         form.contentBytes() <= Messenger::kMaxBodyBytes - sizeof(GiveBody) &&
         isInstrumented(reinterpret_cast<const void *>(form.routine));
}

/// What this node has written goes to that one with what is posted there next.
ReleasePass TaskSharing::handOver(NodeId to) {
  goOnline();
  PendingRelease begun = beginReleaseHere();
  runtime_.engine->askFor(begun, to);
  if (!runtime_.engine->isConfirmed(begun, to)) {
    runtime_.messenger->flush();
    const OfflineScope offline;
    runtime_.messenger->waitUntil([&] { return runtime_.engine->isConfirmed(begun, to); });
  }
  return {runtime_.node, begun.handoverTo(to)};
}

bool TaskSharing::isAskedFor(const TaskHeader &header) const {
  const TaskForm &form = header.form;
  return !keepsTasks_.load(std::memory_order_relaxed) &&
         (!header.node.hasDependences || libompWaits_.load(std::memory_order_relaxed) == 0) &&
         worth_.isWorth(reinterpret_cast<const void *>(form.routine), form.depth) &&
         questions_.areMetBy(form.root, header.node.origins);
}

/// The task leaves: what is told to whom.
TaskSharing::Departure TaskSharing::depart(Task &task, void *event) {
  const TaskHeader &header = headerOf(&task);
  Departure departure{.to = *questions_.take(header.form.root, header.node.origins),
                      .body = {.id = ++lastId_, .form = header.form}};
  wanted_.store(questions_.count(), std::memory_order_relaxed);
  departure.body.origins = (header.node.origins ? *header.node.origins : TaskOrigins{})
                               .with({.id = lastId_, .node = runtime_.node});
  given_[lastId_] = {.task = &task,
                     .form = header.form,
                     .to = departure.to,
                     .origins = departure.body.origins,
                     .parent = header.node.parent,
                     .group = header.node.memberOf,
                     .hasDependences = header.node.hasDependences,
                     .event = event};
  away_.fetch_add(1, std::memory_order_relaxed);
  statistics_.given.fetch_add(1, std::memory_order_relaxed);
  return departure;
}

void TaskSharing::send(const Task &task, Departure departure) {
  const std::vector<std::byte> content = contentOf(task, departure.body.form);
  const bool wasOnline = currentThread.online;
  departure.body.pass = handOver(departure.to);
  postTeamMessage(*runtime_.messenger, departure.to, TeamMessage::TaskGive,
                  {bytesOf(departure.body), content});
  if (!wasOnline)
    goOffline();
}

bool TaskSharing::give(std::int32_t gtid, Task &task) {
  Departure departure;
  {
    std::lock_guard lock(mutex_);
    if (!isAskedFor(headerOf(&task)))
      return false;
    departure = depart(task, libomp().__kmpc_task_allow_completion_event(nullptr, gtid, &task));
  }
  send(task, departure); // It may be gone then.
  return true;
}

bool TaskSharing::keepReady(const RegionFrame &frame, Task *task) {
  // Of tasks with reductions libomp waits by itself.
  if (frame.region->localThreads > 1 || !headerOf(task).mayLeave || task->part != 0 ||
      keepsTasks_.load(std::memory_order_relaxed))
    return false;
  {
    std::lock_guard lock(mutex_);
    if (ready_.size() >= kMostReady)
      return false;
    ready_.push_back(task);
  }
  giveReady();
  return true;
}

/// To who has asked.
void TaskSharing::giveReady() {
  while (isWanted()) {
    Task *task = nullptr;
    Departure departure;
    {
      std::lock_guard lock(mutex_);
      const auto oldest = std::find_if(ready_.begin(), ready_.end(), [this](const Task *each) {
        return isAskedFor(headerOf(each));
      });
      if (oldest == ready_.end())
        return;
      task = *oldest;
      ready_.erase(oldest);
      departure = depart(*task, /*event=*/nullptr);
    }
    send(*task, departure); // libomp gets it when it has ended.
  }
}

/// The latest that the thread may execute. Whether there was one.
bool TaskSharing::executeReady(const Waiter &waiter) {
  giveReady();
  Task *task = nullptr;
  {
    std::lock_guard lock(mutex_);
    const auto latest = std::find_if(ready_.rbegin(), ready_.rend(), [&](const Task *each) {
      const TaskNode &node = headerOf(each).node;
      return waiter.helps() || waiter.awaits(node.parent, node.memberOf);
    });
    if (latest == ready_.rend())
      return false;
    task = *latest;
    ready_.erase(std::next(latest).base());
  }
  libomp().__kmpc_omp_task(nullptr, waiter.gtid, task);
  return true;
}

void TaskSharing::onGive(NodeId from, fabric::Bytes bytes) {
  fabric::Bytes rest;
  auto arrival = std::make_unique<Arrival>();
  arrival->from = from;
  arrival->body = bodyFrom<GiveBody>(bytes, &rest);
  OMPDSM_CHECK(rest.size() == arrival->body.form.contentBytes());
  arrival->content.assign(rest.begin(), rest.end());
  arrivals_.push_back(std::move(arrival));
  asking_.noteGift(from);
  change();
}

/// The oldest that the thread may execute.
std::unique_ptr<TaskSharing::Arrival> TaskSharing::takeArrival(const Waiter &waiter) {
  std::lock_guard lock(mutex_);
  const auto found = std::find_if(arrivals_.begin(), arrivals_.end(), [&](const auto &arrival) {
    return mayExecute(waiter, *arrival);
  });
  if (found == arrivals_.end())
    return nullptr;
  std::unique_ptr<Arrival> arrival = std::move(*found);
  arrivals_.erase(found);
  executing_.fetch_add(1, std::memory_order_relaxed);
  return arrival;
}

/// For the leader at a barrier, where libomp's other threads wait in its barrier: a task of libomp
/// for each arrival. Whichever thread executes that takes one of those that are still here.
bool TaskSharing::invite(const Waiter &waiter) {
  {
    std::lock_guard lock(mutex_);
    if (invited_ >= arrivals_.size())
      return false;
    ++invited_;
  }
  const TaskForm form{.routine = accept, .flags = kTaskIsTied, .taskBytes = sizeof(Task)};
  startTask(nullptr, waiter.gtid, allocateTask(nullptr, waiter.gtid, form, /*mayLeave=*/false));
  return true;
}

std::int32_t TaskSharing::accept(std::int32_t gtid, Task *) {
  TaskSharing &tasks = team().tasks();
  {
    std::lock_guard lock(tasks.mutex_);
    --tasks.invited_;
  }
  if (const auto arrival = tasks.takeArrival({.frame = *spreadFrame(), .gtid = gtid}))
    tasks.execute(gtid, *arrival);
  return 0;
}

void TaskSharing::execute(std::int32_t gtid, const Arrival &arrival) {
  const ReleasePass pass = arrival.body.pass;
  const auto isHere = [&] {
    return pass.isEmpty() || runtime_.engine->hasProcessed(pass.giver, pass.handover);
  };
  if (!isHere()) {
    const OfflineScope offline;
    runtime_.messenger->waitUntil(isHere);
  }
  const bool wasOnline = currentThread.online;
  goOnline();
  acquireHere();
  const auto begin = Clock::now();
  runCopy(gtid, arrival.body.form, arrival.body.origins, arrival.content);
  EndBody body{.id = arrival.body.id, .nanoseconds = std::uint64_t((Clock::now() - begin).count())};
  if (arrival.from == runtime_.node) {
    std::lock_guard lock(mutex_);
    finished_.push_back(body);
    unended_.fetch_add(1, std::memory_order_relaxed);
  } else {
    statistics_.taken.fetch_add(1, std::memory_order_relaxed);
    body.pass = handOver(arrival.from);
    postTeamMessage(*runtime_.messenger, arrival.from, TeamMessage::TaskEnd, {bytesOf(body)});
  }
  if (!wasOnline)
    goOffline();
  executing_.fetch_sub(1, std::memory_order_release);
  change();
}

void TaskSharing::onEnd(const EndBody &body) {
  const auto given = given_.find(body.id);
  OMPDSM_CHECK(given != given_.end());
  const TaskForm &form = given->second.form;
  worth_.note(reinterpret_cast<const void *>(form.routine), form.depth,
              std::chrono::nanoseconds(body.nanoseconds));
  finished_.push_back(body);
  unended_.fetch_add(1, std::memory_order_relaxed);
  change();
}

/// Tells libomp of tasks that have ended. Whether there were any.
bool TaskSharing::endFinished(const Waiter &waiter) {
  for (bool any = false;; any = true) {
    if (unended_.load(std::memory_order_relaxed) == 0)
      return any;
    Given ended;
    {
      std::lock_guard lock(mutex_);
      const auto finished =
          std::find_if(finished_.begin(), finished_.end(), [&](const EndBody &end) {
            return waiter.mayEnd(given_.at(end.id)) &&
                   (end.pass.isEmpty() ||
                    runtime_.engine->hasProcessed(end.pass.giver, end.pass.handover));
          });
      if (finished == finished_.end())
        return any;
      ended = given_.extract(finished->id).mapped();
      // Before libomp hears of it: then these may be freed.
      noteTaskEnd(*ended.parent, ended.group);
      finished_.erase(finished);
      unended_.fetch_sub(1, std::memory_order_relaxed);
    }
    acquireHere();
    tellLibomp(waiter.gtid, ended);
    away_.fetch_sub(1, std::memory_order_release);
    change();
  }
}

void TaskSharing::tellLibomp(std::int32_t gtid, const Given &ended) {
  if (ended.event)
    return libomp().omp_fulfill_event(ended.event);
  headerOf(ended.task).isOver = true;
  libomp().__kmpc_omp_task(nullptr, gtid, ended.task);
}

void TaskSharing::onRecall(NodeId from, TaskId id) {
  const auto isIt = [&](const std::unique_ptr<Arrival> &arrival) {
    return arrival->from == from && arrival->body.id == id;
  };
  if (std::erase_if(arrivals_, isIt) != 0)
    postTeamMessage(*runtime_.messenger, from, TeamMessage::TaskReturn, {bytesOf(id)});
}

void TaskSharing::onReturn(TaskId id) {
  const auto entry = given_.find(id);
  OMPDSM_CHECK(entry != given_.end());
  Given &given = entry->second;
  statistics_.takenBack.fetch_add(1, std::memory_order_relaxed);
  if (!given.event) { // libomp has not got it.
    ready_.push_back(given.task);
    given_.erase(entry);
    away_.fetch_sub(1, std::memory_order_release);
    return change();
  }
  given.to = runtime_.node;
  auto arrival = std::make_unique<Arrival>();
  arrival->from = runtime_.node;
  arrival->body = {.id = id, .form = given.form, .origins = given.origins};
  arrival->content = contentOf(*given.task, given.form);
  arrivals_.push_back(std::move(arrival));
  change();
}

void TaskSharing::onAsk(NodeId from, const AskBody &body) {
  if (body.phase < phase_)
    return;
  if (body.phase > phase_) {
    early_.push_back({from, body});
    return;
  }
  if (saidIdle_ && executing_.load(std::memory_order_relaxed) == 0 && arrivals_.empty()) {
    postTeamMessage(*runtime_.messenger, from, TeamMessage::TaskDeny, {bytesOf(phase_)});
    return;
  }
  questions_.add(from, body.wish);
  wanted_.store(questions_.count(), std::memory_order_relaxed);
}

void TaskSharing::onDeny(NodeId from, const Phase &phase) {
  if (phase != phase_)
    return;
  asking_.noteDenial(from, Clock::now());
  change();
}

void TaskSharing::change() {
  changes_.fetch_add(1, std::memory_order_release);
  if (waiting_.load(std::memory_order_seq_cst) != 0)
    runtime_.messenger->notify();
}

} // namespace ompdsm
