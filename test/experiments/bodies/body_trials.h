/* For the tests of experiments with bodies. */
#ifndef CAROM_TEST_EXPERIMENTS_BODY_TRIALS_H
#define CAROM_TEST_EXPERIMENTS_BODY_TRIALS_H

#include "test/experiments/trial.h"

static const double gravity = 9.81;

/* Nothing drives it: no step of the run ends with more energy than the start had. */
static inline void assert_energy_below(const trial *run, double slack)
{
    const double start = energy_of(run, output(run, 0));
    for (size_t i = 1; i < output_count(run); i++)
        assert_true(energy_of(run, output(run, i)) <= start + slack);
}

static inline void assert_energy_falls(const trial *run)
{
    assert_energy_below(run, 1e-9 * fabs(energy_of(run, output(run, 0))));
}

/* Nor does any step end with more than the one before, beyond rounding. */
static inline void assert_energy_never_grows(const trial *run)
{
    const double rounding = 1e-12 * fabs(energy_of(run, output(run, 0)));
    for (size_t i = 1; i < output_count(run); i++)
        assert_true(energy_of(run, output(run, i)) <= energy_of(run, output(run, i - 1)) + rounding);
}

static inline double measure_of(const trial *run, const char *name)
{
    return measured_value(run, name, 0);
}

#endif
