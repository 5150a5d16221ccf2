/* Boundary elements in time for the bar with a fixed end and a wall at rest.
 *
 * d'Alembert's solution written for the ends, with the integrals over time of the strains u_x there as
 * unknowns: Q0 at x = 0, QL at x = L. A step asks only for values one transit L / c earlier. */
#include <math.h>
#include <stdlib.h>

#include "carom/linalg.h"
#include "carom/subject/bar.h"

struct carom_bar_boundary {
    carom_bar bar;
    int cells;
    long longest, steps;
    double speed, step;
    double *start;             /* displacements at the nodes at t = 0 */
    double *travel;            /* integral of the velocity at t = 0 from x = 0 to the nodes, over c */
    double *end, *at_L, *at_0; /* u(L), c QL and c Q0, after each step */
};

carom_status carom_bar_boundary_create(const carom_bar *bar, int cells, long longest,
                                       carom_bar_boundary **boundary, carom_error *error)
{
    *boundary = NULL;
    if (carom_bar_check(bar, error))
        return CAROM_BAD_INPUT;
    if (cells < 2)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar boundary elements: %d cells, but at least 2 are needed", cells);
    if (longest < 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar boundary elements: %ld steps, but at least 1 is needed", longest);
    carom_bar_boundary *made = carom_new_array(1, sizeof *made);
    if (!made)
        return carom_fail_memory(error);
    *made = (carom_bar_boundary){.bar = *bar, .cells = cells, .longest = longest};
    made->speed = carom_bar_speed(bar);
    made->step = bar->length / (cells * made->speed);
    double **array[] = {&made->start, &made->travel, &made->end, &made->at_L, &made->at_0};
    bool taken = true;
    for (int i = 0; i < 5; i++) {
        *array[i] = carom_new_array((i < 2 ? (size_t)cells : (size_t)longest) + 1, sizeof(double));
        taken = taken && *array[i];
    }
    if (!taken) {
        carom_bar_boundary_free(made);
        return carom_fail_memory(error);
    }
    *boundary = made;
    return CAROM_OK;
}

void carom_bar_boundary_free(carom_bar_boundary *boundary)
{
    if (!boundary)
        return;
    free(boundary->start);
    free(boundary->travel);
    free(boundary->end);
    free(boundary->at_L);
    free(boundary->at_0);
    free(boundary);
}

carom_status carom_bar_boundary_start(carom_bar_boundary *boundary, const double *displacement,
                                      const double *velocity, carom_error *error)
{
    const int cells = boundary->cells;
    if (!carom_all_finite(cells + 1, displacement) || !carom_all_finite(cells, velocity))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar boundary elements: the start holds what is not a number");
    const double rounding = 1e-12 * (carom_largest(cells + 1, displacement) + fabs(boundary->bar.gap));
    if (fabs(displacement[0]) > rounding)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "bar boundary elements: the left end is fixed, but its displacement at the start is "
            "%g, not 0",
            displacement[0]);
    if (displacement[cells] > boundary->bar.gap + rounding)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar boundary elements: the right end starts at %g, behind the wall at %g",
                          displacement[cells], boundary->bar.gap);
    boundary->travel[0] = 0.0;
    for (int j = 0; j <= cells; j++)
        boundary->start[j] = j == 0 ? 0.0 : displacement[j];
    for (int j = 0; j < cells; j++)
        boundary->travel[j + 1] = boundary->travel[j] + boundary->step * velocity[j];
    boundary->steps = 0;
    boundary->end[0] = displacement[cells];
    boundary->at_L[0] = boundary->at_0[0] = 0.0;
    return CAROM_OK;
}

/* What the start gives to the ends at step k; after one transit only the whole velocity is left. */
static double start_at_L(const carom_bar_boundary *b, long k)
{
    const long node = k <= b->cells ? b->cells - k : 0;
    return b->start[node] + b->travel[b->cells] - b->travel[node];
}

static double start_at_0(const carom_bar_boundary *b, long k)
{
    return k <= b->cells ? b->start[k] + b->travel[k] : b->travel[b->cells];
}

carom_status carom_bar_boundary_step(carom_bar_boundary *boundary, carom_error *error)
{
    carom_bar_boundary *b = boundary;
    if (b->steps >= b->longest)
        return carom_fail(error, CAROM_FAILED,
                          "bar boundary elements: all %ld steps that were asked for are done", b->longest);
    const long k = ++b->steps, before = k - b->cells;
    const double arriving = start_at_L(b, k) - (before > 0 ? b->at_0[before] : 0.0);
    const double free_end = arriving + b->at_L[k - 1];
    if (free_end <= b->bar.gap) {
        b->end[k] = free_end;
        b->at_L[k] = b->at_L[k - 1];
    } else {
        b->end[k] = b->bar.gap;
        b->at_L[k] = b->bar.gap - arriving;
    }
    b->at_0[k] = start_at_0(b, k) + (before > 0 ? b->end[before] + b->at_L[before] : 0.0);
    return CAROM_OK;
}

long carom_bar_boundary_steps(const carom_bar_boundary *boundary)
{
    return boundary->steps;
}

double carom_bar_boundary_end(const carom_bar_boundary *boundary, long k)
{
    return k >= 0 && k <= boundary->steps ? boundary->end[k] : NAN;
}

double carom_bar_boundary_stress(const carom_bar_boundary *boundary, long k)
{
    if (k < 1 || k > boundary->steps)
        return NAN;
    const double strain = (boundary->at_L[k] - boundary->at_L[k - 1]) / (boundary->speed * boundary->step);
    return boundary->bar.young * strain;
}

/* value at `place` in units of the grid, 0 .. last, linear between the points. */
static double between(const double *value, long last, double place)
{
    const double low = fmin(fmax(floor(place), 0.0), (double)last);
    const long k = (long)low;
    return k >= last ? value[last] : value[k] + (place - low) * (value[k + 1] - value[k]);
}

double carom_bar_boundary_inside(const carom_bar_boundary *boundary, double x, double t)
{
    const carom_bar_boundary *b = boundary;
    const double cell = b->cells * (x / b->bar.length), time = t / b->step, nearly = 1e-9;
    if (!(cell >= -nearly && cell <= b->cells + nearly && time >= 0.0 && time <= (double)b->steps + nearly))
        return NAN;
    /* Twice the displacement: what came from the right, and what came from the left; of the start as long as
     * it lies inside, of the end since. At a corner both are the same. */
    const double since_L = time - (b->cells - cell), since_0 = time - cell;
    double sum = 0.0;
    if (since_L > 0.0)
        sum += between(b->end, b->steps, since_L) + between(b->at_L, b->steps, since_L) + b->travel[b->cells];
    else
        sum += between(b->start, b->cells, cell + time) + between(b->travel, b->cells, cell + time);
    if (since_0 > 0.0)
        sum -= between(b->at_0, b->steps, since_0);
    else
        sum += between(b->start, b->cells, cell - time) - between(b->travel, b->cells, cell - time);
    return sum / 2.0;
}
