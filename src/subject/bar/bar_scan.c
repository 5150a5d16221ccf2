/* Which families (N, m) of the bar hold motions: members sampled one after the other. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/subject/bar.h"

carom_bar_scan_options carom_bar_scan_defaults(void)
{
    return (carom_bar_scan_options){
        .largest_index = 9, .largest_turns = 4, .first = 0.01, .step = 0.02, .longest_period = 8.5};
}

static carom_bar_scan_options fill_options(const carom_bar_scan_options *given)
{
    const carom_bar_scan_options defaults = carom_bar_scan_defaults();
    if (!given)
        return defaults;
    return (carom_bar_scan_options){
        .largest_index = given->largest_index ? given->largest_index : defaults.largest_index,
        .largest_turns = given->largest_turns ? given->largest_turns : defaults.largest_turns,
        .first = carom_given(given->first, defaults.first),
        .step = carom_given(given->step, defaults.step),
        .longest_period = carom_given(given->longest_period, defaults.longest_period)};
}

static void take_member(carom_bar_family *family, const carom_bar_mode *mode)
{
    family->samples++;
    if (!mode->admissible) {
        snprintf(family->reason, sizeof family->reason, "%s", mode->reason);
        return;
    }
    family->admissible++;
    family->shortest_found = fmin(family->shortest_found, mode->contact_length);
    family->longest_found = fmax(family->longest_found, mode->contact_length);
    family->lowest_frequency_ratio = fmin(family->lowest_frequency_ratio, mode->frequency_ratio);
    family->highest_frequency_ratio = fmax(family->highest_frequency_ratio, mode->frequency_ratio);
}

static void scan_family(const carom_bar *bar, const carom_bar_scan_options *options, int index, int turns,
                        carom_bar_family *family)
{
    /* fmin and fmax pass over NAN, so that it means: none yet */
    *family = (carom_bar_family){.index = index,
                                 .turns = turns,
                                 .longest = INFINITY,
                                 .shortest_found = NAN,
                                 .longest_found = NAN,
                                 .lowest_frequency_ratio = NAN,
                                 .highest_frequency_ratio = NAN};
    carom_bar_mode mode;
    for (int i = 0;; i++) {
        const double d = (options->first + i * options->step) * bar->length;
        const carom_status status = carom_bar_mode_make(bar, index, turns, d, &mode, NULL);
        family->slope = mode.slope;
        family->longest = mode.longest;
        if (d >= mode.longest)
            return;
        if (status == CAROM_OK && 4.0 <= options->longest_period * mode.frequency_ratio)
            take_member(family, &mode);
    }
}

carom_status carom_bar_scan_make(const carom_bar *bar, const carom_bar_scan_options *given,
                                 carom_bar_scan *scan, carom_error *error)
{
    *scan = (carom_bar_scan){0};
    const carom_bar_scan_options filled = fill_options(given), *options = &filled;
    carom_bar_mode mode;
    if (carom_bar_mode_make(bar, 1, 1, bar->length / 2.0, &mode, error))
        return CAROM_BAD_INPUT;
    if (options->largest_index < 1 || options->largest_index > CAROM_BAR_LARGEST_INDEX ||
        options->largest_turns < 1 || options->largest_turns > 1000)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar scan: |N| up to %d and |m| up to %d; they must be 1 .. %d and 1 .. 1000",
                          options->largest_index, options->largest_turns, CAROM_BAR_LARGEST_INDEX);
    if (!(options->first > 0.0) || !(options->step >= 1e-6))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar scan: d from %g in steps of %g; the first must be positive, steps >= 1e-6",
                          options->first, options->step);
    const int odd = (options->largest_index + 1) / 2;
    scan->family =
        carom_new_array(carom_product(2 * (size_t)odd, (size_t)options->largest_turns), sizeof *scan->family);
    if (!scan->family)
        return carom_fail_memory(error);
    for (int k = -odd; k < odd; k++) {
        const int index = 2 * k + 1;
        for (int turns = 1; turns <= options->largest_turns; turns++)
            scan_family(bar, options, index, index > 0 ? turns : -turns, &scan->family[scan->count++]);
    }
    return CAROM_OK;
}

void carom_bar_scan_free(carom_bar_scan *scan)
{
    free(scan->family);
    *scan = (carom_bar_scan){0};
}
