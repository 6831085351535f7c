// InterceptMath.cpp: functions of the mathematical library that return a second result through a
// pointer, and the random number generators that keep their state in the caller's memory.
#include "libompdsm/src/Interception.h"
#include <cstdlib>

using namespace ompdsm;

#define OMPDSM_OUT(pointer)                                                                        \
  if (mustAsk(OMPDSM_CALLER))                                                                      \
  ensureWrite(pointer, sizeof *(pointer))

/// The functions of one floating-point type, whose names end in `suffix`.
#define OMPDSM_MATH(suffix, type)                                                                  \
  OMPDSM_INTERPOSE(type, frexp##suffix, (type x, int *exponent)) {                                 \
    OMPDSM_OUT(exponent);                                                                          \
    return real_frexp##suffix.get()(x, exponent);                                                  \
  }                                                                                                \
  OMPDSM_INTERPOSE(type, modf##suffix, (type x, type *whole)) {                                    \
    OMPDSM_OUT(whole);                                                                             \
    return real_modf##suffix.get()(x, whole);                                                      \
  }                                                                                                \
  OMPDSM_INTERPOSE(type, remquo##suffix, (type x, type y, int *quotient)) {                        \
    OMPDSM_OUT(quotient);                                                                          \
    return real_remquo##suffix.get()(x, y, quotient);                                              \
  }                                                                                                \
  OMPDSM_INTERPOSE(type, lgamma##suffix##_r, (type x, int *sign)) {                                \
    OMPDSM_OUT(sign);                                                                              \
    return real_lgamma##suffix##_r.get()(x, sign);                                                 \
  }                                                                                                \
  OMPDSM_INTERPOSE(void, sincos##suffix, (type x, type * sine, type * cosine)) {                   \
    OMPDSM_OUT(sine);                                                                              \
    OMPDSM_OUT(cosine);                                                                            \
    real_sincos##suffix.get()(x, sine, cosine);                                                    \
  }

OMPDSM_MATH(, double)
OMPDSM_MATH(f, float)
OMPDSM_MATH(l, long double)

OMPDSM_INTERPOSE(int, rand_r, (unsigned *seed)) {
  OMPDSM_OUT(seed);
  return real_rand_r.get()(seed);
}

/// The state of the 48-bit generators: three 16-bit numbers, or a drand48_data.
#define OMPDSM_RAND48(type, name)                                                                  \
  OMPDSM_INTERPOSE(type, name, (unsigned short state[3])) {                                        \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      ensureWrite(state, 3 * sizeof *state);                                                       \
    return real_##name.get()(state);                                                               \
  }
OMPDSM_RAND48(double, erand48)
OMPDSM_RAND48(long, nrand48)
OMPDSM_RAND48(long, jrand48)

#define OMPDSM_RAND48_R(type, name)                                                                \
  OMPDSM_INTERPOSE(int, name, (drand48_data * state, type * result)) {                             \
    OMPDSM_OUT(state);                                                                             \
    OMPDSM_OUT(result);                                                                            \
    return real_##name.get()(state, result);                                                       \
  }
OMPDSM_RAND48_R(double, drand48_r)
OMPDSM_RAND48_R(long, lrand48_r)
OMPDSM_RAND48_R(long, mrand48_r)

#define OMPDSM_STATE48_R(type, name)                                                               \
  OMPDSM_INTERPOSE(int, name, (unsigned short own[3], drand48_data *state, type *result)) {        \
    if (mustAsk(OMPDSM_CALLER))                                                                    \
      ensureWrite(own, 3 * sizeof *own);                                                           \
    OMPDSM_OUT(state);                                                                             \
    OMPDSM_OUT(result);                                                                            \
    return real_##name.get()(own, state, result);                                                  \
  }
OMPDSM_STATE48_R(double, erand48_r)
OMPDSM_STATE48_R(long, nrand48_r)
OMPDSM_STATE48_R(long, jrand48_r)

OMPDSM_INTERPOSE(int, srand48_r, (long seed, drand48_data *state)) {
  OMPDSM_OUT(state);
  return real_srand48_r.get()(seed, state);
}

namespace {

/// A generator of random(3): the description and the table that it points to.
void generatorForWriting(random_data *generator) {
  ensureWrite(generator, sizeof *generator);
  if (generator->state && generator->end_ptr) // One number in front of the table is its type.
    ensureWrite(generator->state - 1, std::size_t(reinterpret_cast<char *>(generator->end_ptr) -
                                                  reinterpret_cast<char *>(generator->state - 1)));
}

} // namespace

OMPDSM_INTERPOSE(int, random_r, (random_data * generator, std::int32_t *result)) {
  if (mustAsk(OMPDSM_CALLER)) {
    generatorForWriting(generator);
    ensureWrite(result, sizeof *result);
  }
  return real_random_r.get()(generator, result);
}

OMPDSM_INTERPOSE(int, srandom_r, (unsigned seed, random_data *generator)) {
  if (mustAsk(OMPDSM_CALLER))
    generatorForWriting(generator);
  return real_srandom_r.get()(seed, generator);
}

OMPDSM_INTERPOSE(int, initstate_r,
                 (unsigned seed, char *table, std::size_t bytes, random_data *generator)) {
  if (mustAsk(OMPDSM_CALLER)) {
    generatorForWriting(generator);
    ensureWrite(table, bytes);
  }
  return real_initstate_r.get()(seed, table, bytes, generator);
}

OMPDSM_INTERPOSE(int, setstate_r, (char *table, random_data *generator)) {
  if (mustAsk(OMPDSM_CALLER)) {
    generatorForWriting(generator);
    ensureWrite(table, sizeof(std::int32_t)); // The type of the generator that it is of.
  }
  return real_setstate_r.get()(table, generator);
}
