/* Does a motion come back? Followed by the event-driven scheme, which finds the impacts itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "find.h"

/* Sizes of positions and velocities over the period. */
static void take_sizes(const carom_periodic_model *periodic, const carom_found_orbit *found, double *length,
                       double *speed)
{
    const int n = periodic->model->dof;
    *length = *speed = 0.0;
    for (int i = 0; i < found->rows; i++) {
        const double *row = found->row + (size_t)i * (size_t)(1 + 2 * n);
        *length = fmax(*length, carom_largest(n, row + 1));
        *speed = fmax(*speed, carom_largest(n, row + 1 + n));
    }
}

static double distance(int n, const double *a, const double *b, double size)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - b[i]) / size);
    return worst;
}

/* Of the deviations before the motion is another one. */
static double find_growth(const carom_orbit_return *verified, double left)
{
    int last = 0;
    while (last < verified->done && verified->deviation[last] < left)
        last++;
    const int middle = last / 2;
    if (last < 4 || !(verified->deviation[middle] > 0.0))
        return NAN;
    return pow(verified->deviation[last - 1] / verified->deviation[middle], 1.0 / (last - 1 - middle));
}

carom_status carom_find_verify(const carom_periodic_model *periodic, const carom_found_orbit *found,
                               int periods, double offset, carom_orbit_return *verified, carom_error *error)
{
    const double left = 1e-2; /* of the sizes: the motion is another one */
    const int n = periodic->model->dof;
    carom_stepper *run = NULL;
    double length, speed, *start = carom_new_array((size_t)n, sizeof *start);
    *verified = (carom_orbit_return){.periods = periods,
                                     .deviation = carom_new_array((size_t)periods, sizeof(double))};
    if (!start || !verified->deviation) {
        free(start);
        return carom_fail_memory(error);
    }
    take_sizes(periodic, found, &length, &speed);
    for (int i = 0; i < n; i++)
        start[i] = found->middle[i] + offset;
    carom_status status = event_run_begin(periodic, found->t0 + found->middle_time, found->period, start,
                                          found->middle + n, &run, error);
    carom_error stop = {0};
    while (status == CAROM_OK && verified->done < periods) {
        status = find_goes_on(periodic, verified->done, periods, error);
        if (status != CAROM_OK)
            break;
        if (carom_stepper_step(run, &stop) != CAROM_OK) {
            snprintf(verified->stopped, sizeof verified->stopped, "%.290s", stop.text);
            break;
        }
        const carom_state *state = &run->state;
        verified->deviation[verified->done++] = fmax(distance(n, state->q, found->middle, length),
                                                     distance(n, state->v, found->middle + n, speed));
    }
    for (int i = 0; i < verified->done; i++)
        verified->leaves = verified->leaves || !(verified->deviation[i] < left);
    verified->leaves = verified->leaves || verified->done < periods;
    verified->growth = find_growth(verified, left);
    carom_stepper_free(run);
    free(start);
    return status;
}

void carom_orbit_return_free(carom_orbit_return *verified)
{
    free(verified->deviation);
    *verified = (carom_orbit_return){0};
}
