// is.mpi.c: sorting by buckets. All processes learn all counts, from which each knows which buckets
// are whose; the keys go there in one exchange.
#include "is.h"
#include "../mpi_program.h"

struct Sorter {
  struct Problem problem;
  struct Process me;
  int firstKey, count; ///< Keys that are generated here.
  uint32_t *keys, *bucketed;
  int (*counts)[Buckets];      ///< Of each process.
  int begins[Buckets + 1];     ///< Of each bucket in the sorted whole.
  uint32_t *received, *sorted; ///< Keys of own buckets; sorted: place sortedBegin and on.
  int capacity, sortedBegin, sortedCount;
  int *sendCounts, *sendBegins, *receiveCounts, *receiveBegins;
  int *lengths;
  const uint32_t **pieces; ///< Of one bucket: where what came from each process lies.
};

static struct Sorter makeSorter(struct Problem problem) {
  struct Sorter s = {.problem = problem, .me = thisProcess()};
  const size_t ranks = (size_t)s.me.ranks;
  s.firstKey = (int)partBegin(problem.keys, s.me.ranks, s.me.rank);
  s.count = (int)partBegin(problem.keys, s.me.ranks, s.me.rank + 1) - s.firstKey;
  s.keys = allocate((size_t)s.count, sizeof *s.keys);
  s.bucketed = allocate((size_t)s.count, sizeof *s.bucketed);
  s.counts = allocate(ranks, sizeof *s.counts);
  s.sendCounts = allocate(ranks, sizeof(int));
  s.sendBegins = allocate(ranks, sizeof(int));
  s.receiveCounts = allocate(ranks, sizeof(int));
  s.receiveBegins = allocate(ranks, sizeof(int));
  s.lengths = allocate(ranks, sizeof(int));
  s.pieces = allocate(ranks, sizeof *s.pieces);
  for (int i = 0; i < s.count; i++)
    s.keys[i] = keyOf(problem, s.firstKey + i);
  return s;
}

static void changeKey(struct Sorter *s, int index, uint32_t key) {
  if (index >= s->firstKey && index < s->firstKey + s->count)
    s->keys[index - s->firstKey] = key;
}

/// Puts own keys into the order of their buckets, and gathers all counts.
static void bucketKeys(struct Sorter *s) {
  int places[Buckets], *const counts = s->counts[s->me.rank];
  memset(counts, 0, sizeof *s->counts);
  for (int i = 0; i < s->count; i++)
    counts[bucketOf(s->problem, s->keys[i])]++;
  MPI_Request gathering;
  MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, s->counts, Buckets, MPI_INT, MPI_COMM_WORLD,
                 &gathering);
  for (int bucket = 0, place = 0; bucket < Buckets; bucket++) {
    places[bucket] = place;
    place += counts[bucket];
  }
  for (int i = 0; i < s->count; i++)
    s->bucketed[places[bucketOf(s->problem, s->keys[i])]++] = s->keys[i];
  MPI_Wait(&gathering, MPI_STATUS_IGNORE);
}

/// Finds which buckets are whose, and how many keys go from whom to whom. Returns the first own
/// bucket.
static int dealBuckets(struct Sorter *s) {
  int place = 0, firstBucket = Buckets;
  for (int rank = 0; rank < s->me.ranks; rank++)
    s->sendCounts[rank] = s->receiveCounts[rank] = 0;
  s->sortedCount = s->sortedBegin = 0;
  for (int bucket = 0; bucket < Buckets; bucket++) {
    s->begins[bucket] = place;
    const int owner =
        place < s->problem.keys ? partOf(s->problem.keys, s->me.ranks, place) : s->me.ranks - 1;
    s->sendCounts[owner] += s->counts[s->me.rank][bucket];
    for (int rank = 0; rank < s->me.ranks; rank++) {
      place += s->counts[rank][bucket];
      if (owner == s->me.rank)
        s->receiveCounts[rank] += s->counts[rank][bucket];
    }
    if (owner == s->me.rank) {
      if (firstBucket == Buckets) {
        firstBucket = bucket;
        s->sortedBegin = s->begins[bucket];
      }
      s->sortedCount = place - s->sortedBegin;
    }
  }
  s->begins[Buckets] = place;
  for (int rank = 0, sent = 0, received = 0; rank < s->me.ranks; rank++) {
    s->sendBegins[rank] = sent;
    s->receiveBegins[rank] = received;
    sent += s->sendCounts[rank];
    received += s->receiveCounts[rank];
  }
  return firstBucket;
}

static void sortKeys(struct Sorter *s) {
  bucketKeys(s);
  const int firstBucket = dealBuckets(s);
  if (s->capacity < s->sortedCount) {
    free(s->received);
    free(s->sorted);
    s->capacity = s->sortedCount + s->sortedCount / 8;
    s->received = allocate((size_t)s->capacity, sizeof *s->received);
    s->sorted = allocate((size_t)s->capacity, sizeof *s->sorted);
  }
  MPI_Alltoallv(s->bucketed, s->sendCounts, s->sendBegins, MPI_UINT32_T, s->received,
                s->receiveCounts, s->receiveBegins, MPI_UINT32_T, MPI_COMM_WORLD);
  for (int rank = 0; rank < s->me.ranks; rank++)
    s->pieces[rank] = s->received + s->receiveBegins[rank];
  for (int bucket = firstBucket;
       bucket < Buckets && s->begins[bucket] < s->sortedBegin + s->sortedCount; bucket++) {
    for (int rank = 0; rank < s->me.ranks; rank++)
      s->lengths[rank] = s->counts[rank][bucket];
    sortBucket(s->problem, bucket, s->me.ranks, s->pieces, s->lengths,
               s->sorted + (s->begins[bucket] - s->sortedBegin));
    for (int rank = 0; rank < s->me.ranks; rank++)
      s->pieces[rank] += s->lengths[rank];
  }
}

static void iterate(struct Sorter *s, int rounds) {
  for (int round = 0; round < rounds; round++) {
    changeKey(s, round, lowKey(round));
    changeKey(s, s->problem.keys - 1 - round, highKey(s->problem, round));
    sortKeys(s);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const struct Arguments arguments = parseArguments(argc, argv, defaultRounds);
  struct Sorter s = makeSorter(problems[arguments.size]);
  iterate(&s, 1);
  const double start = secondsTogether();
  iterate(&s, arguments.rounds);
  const double seconds = secondsTogether() - start;

  double sums[2] = {0, 0}; // buckets are in order by construction, so keys in them suffice
  for (int i = 0; i < s.sortedCount; i++) {
    sums[0] += keyAnswer(s.sortedBegin + i, s.sorted[i]);
    sums[1] += i > 0 && s.sorted[i - 1] > s.sorted[i];
  }
  reportSums(arguments.rounds, seconds, sums, 2);
  MPI_Finalize();
  return 0;
}
