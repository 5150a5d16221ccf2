/* linalg/wide: the same number of CAROM_LANES motions beside each other, one in each lane of a vector of the processor. An operation
 * on it is one for all of them, and has for each the bits that it has alone.
 *
 *   carom_wide a = ..., b = ...;
 *   const carom_wide_mask less = a < b;             all bits of a lane, or none
 *   a = CAROM_WIDE_CHOOSE(less, b, a);              the larger of both */
#ifndef CAROM_LINALG_WIDE_H
#define CAROM_LINALG_WIDE_H

#include <float.h>

#include "carom/base.h"

enum {
    CAROM_LANES = 4,
    CAROM_LANES_ALL = (1 << CAROM_LANES) - 1 /* a bit for each */
};

typedef double carom_wide __attribute__((vector_size(32)));
typedef int64_t carom_wide_mask __attribute__((vector_size(32)));

/* Of functions that compute with them: they are compiled for what processors have, and the best is taken when the program starts.
 * Vectors are no arguments of theirs, only pointers to them: how those are handed over depends on the processor. */
#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) &&                 \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CAROM_WIDE_CODE __attribute__((target_clones("avx2", "default")))
#else
#define CAROM_WIDE_CODE
#endif
/* Of functions that become a part of those. */
#define CAROM_WIDE_PART static inline __attribute__((always_inline))

#define CAROM_WIDE_CHOOSE(mask, a, b)                                                                        \
    ((carom_wide)(((mask) & (carom_wide_mask)(a)) | (~(mask) & (carom_wide_mask)(b))))
#define CAROM_WIDE_ABS(a) ((carom_wide)((carom_wide_mask)(a)&INT64_MAX))
/* Numbers below infinity: NaN is none. */
#define CAROM_WIDE_IS_FINITE(a) (CAROM_WIDE_ABS(a) <= DBL_MAX)

/* The lanes of a mask as bits, and a mask of bits. */
#define CAROM_WIDE_BITS(mask)                                                                                \
    ((unsigned)(((mask)[0] & 1) | ((mask)[1] & 2) | ((mask)[2] & 4) | ((mask)[3] & 8)))
#define CAROM_WIDE_MASK(bits) (((carom_wide_mask){1, 2, 4, 8} & (int64_t)(bits)) != 0)

/* The number of one lane. */
static inline double carom_wide_get(const carom_wide *from, int lane)
{
    return ((const double *)from)[lane];
}
static inline void carom_wide_put(carom_wide *to, int lane, double value)
{
    ((double *)to)[lane] = value;
}

/* Zeros at an address that vectors want; NULL when memory is short. */
carom_wide *carom_wide_take(carom_arena *arena, size_t count);

#endif
