// LibompShim.h: the real libomp behind our exported entries, found with dlsym(RTLD_NEXT).
//
// The only way in which the library calls libomp: a plain call of __kmpc_x or omp_x would reach our
// own definition. The table is filled once, on first use by any thread, and never changes after.
#pragma once
#include <atomic>
#include <cstdint>

namespace ompdsm {

/// LLVM's source location record; psource is ";file;function;line;column;;".
struct Ident {
  std::int32_t reserved1;
  std::int32_t flags;
  std::int32_t reserved2;
  std::int32_t reserved3;
  const char *psource;
};

/// Of Ident::flags: what a barrier belongs to that the program has not written itself.
inline constexpr std::int32_t kImplicitBarrierMask = 0x1c0, kBarrierOfSingle = 0x140;

/// An outlined region as libomp calls it; the captured variables follow as pointers.
using Microtask = void (*)(std::int32_t *gtid, std::int32_t *boundTid, ...);
using ReduceFunction = void (*)(void *lhs, void *rhs);
using CopyFunction = void (*)(void *to, void *from);
struct Task;
using TaskRoutine = std::int32_t (*)(std::int32_t gtid, Task *task);
using TaskDuplicate = void (*)(Task *to, Task *from, std::int32_t last);
/// libomp's kmp_dim: bounds, the upper one included, and stride of a loop of a doacross nest.
struct DoacrossDimension {
  std::int64_t lower, upper, stride;
};
/// libomp's kmp_critical_name.
using CriticalName = std::int32_t[8];

/// X(result, name, parameters) for every function of libomp that we call by name and type.
#define OMPDSM_LIBOMP_FUNCTIONS(X)                                                                 \
  X(void, __kmpc_fork_call, (Ident *, std::int32_t, Microtask, ...))                               \
  X(void, __kmpc_fork_teams, (Ident *, std::int32_t, Microtask, ...))                              \
  X(void, __kmpc_push_num_teams,                                                                   \
    (Ident *, std::int32_t gtid, std::int32_t teams, std::int32_t limit))                          \
  X(void, __kmpc_push_num_teams_51,                                                                \
    (Ident *, std::int32_t gtid, std::int32_t lower, std::int32_t upper, std::int32_t limit))      \
  X(int, __kmp_invoke_microtask,                                                                   \
    (Microtask, int gtid, int tid, int argc, void **argv, void **exitFrame))                       \
  X(void, __kmpc_push_num_threads, (Ident *, std::int32_t gtid, std::int32_t threads))             \
  X(void, __kmpc_push_num_threads_strict,                                                          \
    (Ident *, std::int32_t gtid, std::int32_t threads, std::int32_t severity, const char *))       \
  X(void, __kmpc_serialized_parallel, (Ident *, std::int32_t gtid))                                \
  X(void, __kmpc_end_serialized_parallel, (Ident *, std::int32_t gtid))                            \
  X(std::int32_t, __kmpc_global_thread_num, (Ident *))                                             \
  X(void, __kmpc_barrier, (Ident *, std::int32_t gtid))                                            \
  X(std::int32_t, __kmpc_cancel_barrier, (Ident *, std::int32_t gtid))                             \
  X(void, __kmpc_flush, (Ident *))                                                                 \
  X(std::int32_t, __kmpc_single, (Ident *, std::int32_t gtid))                                     \
  X(void, __kmpc_end_single, (Ident *, std::int32_t gtid))                                         \
  X(std::int32_t, __kmpc_master, (Ident *, std::int32_t gtid))                                     \
  X(void, __kmpc_end_master, (Ident *, std::int32_t gtid))                                         \
  X(std::int32_t, __kmpc_masked, (Ident *, std::int32_t gtid, std::int32_t filter))                \
  X(void, __kmpc_end_masked, (Ident *, std::int32_t gtid))                                         \
  X(void, __kmpc_critical, (Ident *, std::int32_t gtid, CriticalName *))                           \
  X(void, __kmpc_critical_with_hint, (Ident *, std::int32_t gtid, CriticalName *, std::uint32_t))  \
  X(void, __kmpc_end_critical, (Ident *, std::int32_t gtid, CriticalName *))                       \
  X(std::int32_t, __kmpc_reduce,                                                                   \
    (Ident *, std::int32_t, std::int32_t, std::size_t, void *, ReduceFunction, CriticalName *))    \
  X(std::int32_t, __kmpc_reduce_nowait,                                                            \
    (Ident *, std::int32_t, std::int32_t, std::size_t, void *, ReduceFunction, CriticalName *))    \
  X(void, __kmpc_end_reduce, (Ident *, std::int32_t gtid, CriticalName *))                         \
  X(void, __kmpc_end_reduce_nowait, (Ident *, std::int32_t gtid, CriticalName *))                  \
  OMPDSM_LIBOMP_LOOPS(X, _4, std::int32_t, std::int32_t)                                           \
  OMPDSM_LIBOMP_LOOPS(X, _4u, std::uint32_t, std::int32_t)                                         \
  OMPDSM_LIBOMP_LOOPS(X, _8, std::int64_t, std::int64_t)                                           \
  OMPDSM_LIBOMP_LOOPS(X, _8u, std::uint64_t, std::int64_t)                                         \
  X(void, __kmpc_for_static_fini, (Ident *, std::int32_t gtid))                                    \
  X(void, __kmpc_dispatch_deinit, (Ident *, std::int32_t gtid))                                    \
  X(Task *, __kmpc_omp_task_alloc,                                                                 \
    (Ident *, std::int32_t gtid, std::int32_t flags, std::size_t taskBytes,                        \
     std::size_t sharedBytes, TaskRoutine))                                                        \
  X(Task *, __kmpc_omp_target_task_alloc,                                                          \
    (Ident *, std::int32_t gtid, std::int32_t flags, std::size_t taskBytes,                        \
     std::size_t sharedBytes, TaskRoutine, std::int64_t device))                                   \
  X(void, __kmpc_taskloop,                                                                         \
    (Ident *, std::int32_t gtid, Task *, std::int32_t ifValue, std::uint64_t *lower,               \
     std::uint64_t *upper, std::int64_t stride, std::int32_t noGroup, std::int32_t schedule,       \
     std::uint64_t grainSize, TaskDuplicate))                                                      \
  X(void, __kmpc_taskloop_5,                                                                       \
    (Ident *, std::int32_t gtid, Task *, std::int32_t ifValue, std::uint64_t *lower,               \
     std::uint64_t *upper, std::int64_t stride, std::int32_t noGroup, std::int32_t schedule,       \
     std::uint64_t grainSize, std::int32_t strict, TaskDuplicate))                                 \
  X(std::int32_t, __kmpc_omp_task, (Ident *, std::int32_t gtid, Task *))                           \
  X(std::int32_t, __kmpc_omp_task_with_deps,                                                       \
    (Ident *, std::int32_t gtid, Task *, std::int32_t count, void *dependences,                    \
     std::int32_t noAliasCount, void *noAliases))                                                  \
  X(void, __kmpc_omp_wait_deps,                                                                    \
    (Ident *, std::int32_t gtid, std::int32_t count, void *dependences, std::int32_t noAliasCount, \
     void *noAliases))                                                                             \
  X(void, __kmpc_omp_taskwait_deps_51,                                                             \
    (Ident *, std::int32_t gtid, std::int32_t count, void *dependences, std::int32_t noAliasCount, \
     void *noAliases, std::int32_t hasNoWait))                                                     \
  X(std::int32_t, __kmpc_omp_taskwait, (Ident *, std::int32_t gtid))                               \
  X(std::int32_t, __kmpc_omp_taskyield, (Ident *, std::int32_t gtid, int endPart))                 \
  X(void, __kmpc_taskgroup, (Ident *, std::int32_t gtid))                                          \
  X(void, __kmpc_end_taskgroup, (Ident *, std::int32_t gtid))                                      \
  X(void, __kmpc_omp_task_begin_if0, (Ident *, std::int32_t gtid, Task *))                         \
  X(void, __kmpc_omp_task_complete_if0, (Ident *, std::int32_t gtid, Task *))                      \
  X(void *, __kmpc_task_allow_completion_event, (Ident *, int gtid, Task *))                       \
  X(void *, __kmpc_taskred_init, (int gtid, int count, void *data))                                \
  X(void *, __kmpc_task_reduction_init, (int gtid, int count, void *data))                         \
  X(void *, __kmpc_taskred_modifier_init,                                                          \
    (Ident *, int gtid, int isWorksharing, int count, void *data))                                 \
  X(void *, __kmpc_task_reduction_modifier_init,                                                   \
    (Ident *, int gtid, int isWorksharing, int count, void *data))                                 \
  X(void, omp_fulfill_event, (void *event))                                                        \
  X(void, __kmpc_ordered, (Ident *, std::int32_t gtid))                                            \
  X(void, __kmpc_end_ordered, (Ident *, std::int32_t gtid))                                        \
  X(void, __kmpc_doacross_init,                                                                    \
    (Ident *, std::int32_t gtid, std::int32_t dimensions, const DoacrossDimension *))              \
  X(void, __kmpc_doacross_wait, (Ident *, std::int32_t gtid, const std::int64_t *))                \
  X(void, __kmpc_doacross_post, (Ident *, std::int32_t gtid, const std::int64_t *))                \
  X(void, __kmpc_doacross_fini, (Ident *, std::int32_t gtid))                                      \
  X(void, __kmpc_copyprivate,                                                                      \
    (Ident *, std::int32_t gtid, std::size_t bytes, void *data, CopyFunction, std::int32_t did))   \
  X(void *, __kmpc_copyprivate_light, (Ident *, std::int32_t gtid, void *data))                    \
  X(void, __kmpc_scope, (Ident *, std::int32_t gtid, void *reserved))                              \
  X(void, __kmpc_end_scope, (Ident *, std::int32_t gtid, void *reserved))                          \
  X(void *, __kmpc_threadprivate_cached,                                                           \
    (Ident *, std::int32_t gtid, void *original, std::size_t bytes, void ***cache))                \
  X(void *, __kmpc_threadprivate, (Ident *, std::int32_t gtid, void *original, std::size_t bytes)) \
  X(void, __kmpc_threadprivate_register,                                                           \
    (Ident *, void *original, void *construct, void *copyConstruct, void *destroy))                \
  X(void *, omp_alloc, (std::size_t, void *))                                                      \
  X(void *, omp_aligned_alloc, (std::size_t, std::size_t, void *))                                 \
  X(void *, omp_calloc, (std::size_t, std::size_t, void *))                                        \
  X(void *, omp_aligned_calloc, (std::size_t, std::size_t, std::size_t, void *))                   \
  X(void *, omp_realloc, (void *, std::size_t, void *, void *))                                    \
  X(void, omp_free, (void *, void *))                                                              \
  X(void *, __kmpc_alloc, (int, std::size_t, void *))                                              \
  X(void *, __kmpc_aligned_alloc, (int, std::size_t, std::size_t, void *))                         \
  X(void *, __kmpc_calloc, (int, std::size_t, std::size_t, void *))                                \
  X(void *, __kmpc_realloc, (int, void *, std::size_t, void *, void *))                            \
  X(void, __kmpc_free, (int, void *, void *))                                                      \
  X(void, omp_set_dynamic, (int))                                                                  \
  X(int, omp_get_dynamic, ())                                                                      \
  X(int, omp_get_cancellation, ())                                                                 \
  X(int, omp_get_thread_num, ())                                                                   \
  X(int, omp_get_num_threads, ())                                                                  \
  X(int, omp_get_max_threads, ())                                                                  \
  X(int, omp_get_num_procs, ())                                                                    \
  X(int, omp_in_parallel, ())                                                                      \
  X(int, omp_get_active_level, ())                                                                 \
  X(int, omp_get_ancestor_thread_num, (int))                                                       \
  X(int, omp_get_team_size, (int))                                                                 \
  X(int, omp_get_level, ())                                                                        \
  X(int, omp_get_num_teams, ())                                                                    \
  X(int, omp_get_team_num, ())                                                                     \
  X(int, omp_get_max_teams, ())                                                                    \
  X(int, omp_get_teams_thread_limit, ())                                                           \
  X(int, omp_get_thread_limit, ())                                                                 \
  X(int, omp_get_max_active_levels, ())                                                            \
  X(void, omp_set_max_active_levels, (int))                                                        \
  X(void, omp_set_num_threads, (int))                                                              \
  X(void, omp_get_schedule, (int *kind, int *chunk))                                               \
  X(void, omp_set_schedule, (int kind, int chunk))                                                 \
  OMPDSM_LIBOMP_LOCKS(X, lock)                                                                     \
  OMPDSM_LIBOMP_LOCKS(X, nest_lock)

/// The loop entries of one iteration type and its signed counterpart.
#define OMPDSM_LIBOMP_LOOPS(X, suffix, T, S)                                                       \
  X(void, __kmpc_for_static_init##suffix,                                                          \
    (Ident *, std::int32_t gtid, std::int32_t schedule, std::int32_t *last, T *lower, T *upper,    \
     S *stride, S increment, S chunk))                                                             \
  X(void, __kmpc_dist_for_static_init##suffix,                                                     \
    (Ident *, std::int32_t gtid, std::int32_t schedule, std::int32_t *last, T *lower, T *upper,    \
     T *upperOfTeam, S *stride, S increment, S chunk))                                             \
  X(void, __kmpc_dispatch_init##suffix,                                                            \
    (Ident *, std::int32_t gtid, std::int32_t schedule, T lower, T upper, S increment, S chunk))   \
  X(int, __kmpc_dispatch_next##suffix,                                                             \
    (Ident *, std::int32_t gtid, std::int32_t *last, T *lower, T *upper, S *stride))               \
  X(void, __kmpc_dispatch_fini##suffix, (Ident *, std::int32_t gtid))

#define OMPDSM_LIBOMP_LOCKS(X, kind)                                                               \
  X(void, omp_init_##kind, (void *))                                                               \
  X(void, omp_init_##kind##_with_hint, (void *, std::int32_t hint))                                \
  X(void, omp_destroy_##kind, (void *))                                                            \
  X(void, omp_set_##kind, (void *))                                                                \
  X(void, omp_unset_##kind, (void *))                                                              \
  X(int, omp_test_##kind, (void *))

struct LibompShim {
#define OMPDSM_MEMBER(result, name, parameters) result(*name) parameters;
  OMPDSM_LIBOMP_FUNCTIONS(OMPDSM_MEMBER)
#undef OMPDSM_MEMBER
};

namespace detail {
extern std::atomic<const LibompShim *> libompShim;
const LibompShim &resolveLibomp();
} // namespace detail

inline const LibompShim &libomp() {
  // Acquire pairs with the release in resolveLibomp: the table is filled before it is published.
  const LibompShim *shim = detail::libompShim.load(std::memory_order_acquire);
  return shim ? *shim : detail::resolveLibomp();
}

/// The next definition of a symbol after this library's; ends the process with a message when there
/// is none.
void *nextDefinition(const char *name);

} // namespace ompdsm
