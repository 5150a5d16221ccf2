/* Random band matrices and their dense twins. */
#ifndef CAROM_TEST_LINALG_SAMPLE_BAND_H
#define CAROM_TEST_LINALG_SAMPLE_BAND_H

#include <math.h>

#include "carom/linalg.h"

enum {
    SAMPLE_SIZE = 40,
    SAMPLE_WIDTH = 5
};

typedef struct sample_band {
    carom_band band;
    double entry[SAMPLE_SIZE * (SAMPLE_WIDTH + 1)];
    double dense[SAMPLE_SIZE * SAMPLE_SIZE];
} sample_band;

/* Entries from -1 to 1, `dominance` more on the diagonal: 2 width + 1 makes it positive definite. */
static inline void make_band(carom_random *random, int size, int width, double dominance, sample_band *sample)
{
    *sample = (sample_band){.band = {.size = size, .width = width}};
    sample->band.entry = sample->entry;
    for (int i = 0; i < size; i++)
        for (int j = i > width ? i - width : 0; j <= i; j++) {
            double value = carom_random_uniform(random, -1.0, 1.0) + (i == j ? dominance : 0.0);
            *carom_band_at(&sample->band, i, j) = value;
            sample->dense[i * size + j] = sample->dense[j * size + i] = value;
        }
}

static inline void random_vector(carom_random *random, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = carom_random_uniform(random, -1.0, 1.0);
}

#endif
