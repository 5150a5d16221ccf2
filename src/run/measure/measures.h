/* The measures, one line each: model files, lists and errors take them from here. */
#ifndef CAROM_RUN_MEASURE_MEASURES_H
#define CAROM_RUN_MEASURE_MEASURES_H

#include "carom/run.h"

/* clang-format off */
#define MEASURES(ENTRY)         \
    ENTRY(carom_reduce_final)        \
    ENTRY(carom_reduce_maximum)      \
    ENTRY(carom_reduce_minimum)      \
    ENTRY(carom_reduce_mean)         \
    ENTRY(carom_reduce_rms)          \
    ENTRY(carom_reduce_deviation)    \
    ENTRY(carom_reduce_total)        \
    ENTRY(carom_reduce_at)           \
    ENTRY(carom_reduce_at_first)     \
    ENTRY(carom_reduce_crossings)    \
    ENTRY(carom_reduce_peaks)        \
    ENTRY(carom_reduce_jumps)        \
    ENTRY(carom_reduce_times)        \
    ENTRY(carom_reduce_count)        \
    ENTRY(carom_reduce_episodes)     \
    ENTRY(carom_reduce_episode_times) \
    ENTRY(carom_reduce_first)        \
    ENTRY(carom_reduce_last)         \
    ENTRY(carom_reduce_fraction)     \
    ENTRY(carom_reduce_steps)        \
    ENTRY(carom_reduce_first_step)   \
    ENTRY(carom_reduce_list)
/* clang-format on */

#endif
