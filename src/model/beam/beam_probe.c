/* What the beam reports: values at places, penetration between nodes, impulses, its shape. */
#include <math.h>
#include <string.h>

#include "beam.h"

enum {
    PROFILE_PER_ELEMENT = 10
};

bool beam_probe_take(beam_work *work)
{
    const beam_model *model = beam_of(work);
    const size_t places = (size_t)model->space.elements * BEAM_PLACES;
    carom_arena *arena = work->arena;
    work->probe_row = carom_arena_take(arena, (size_t)model->base.observables, sizeof *work->probe_row);
    if (!model->measures_lower && !model->measures_upper)
        return work->probe_row != NULL;
    work->lower_inside = carom_arena_take(arena, places, sizeof *work->lower_inside);
    work->upper_inside = carom_arena_take(arena, places, sizeof *work->upper_inside);
    return work->probe_row && work->lower_inside && work->upper_inside;
}

/* ---- binding ------------------------------------------------------------------------------------ */

static double inside_place(int index)
{
    return (index + 1.0) / (BEAM_PLACES + 1.0);
}

static void bind_inside(beam_work *work)
{
    const beam_space *space = &beam_of(work)->space;
    for (int k = 0; k < BEAM_PLACES; k++)
        beam_local(space, work->element_length, inside_place(k), 0, work->inside[k]);
    size_t index = 0;
    for (int e = 0; e < space->elements; e++)
        for (int k = 0; k < BEAM_PLACES; k++, index++)
            beam_obstacle_bounds(work, beam_place(space, work->length, e, inside_place(k)),
                                 &work->lower_inside[index], &work->upper_inside[index]);
}

static int derivative_of(carom_beam_probe_kind kind)
{
    return kind == CAROM_PROBE_MOMENT ? 2 : kind == CAROM_PROBE_SLOPE ? 1 : 0;
}

void beam_probe_bind(beam_work *work)
{
    const beam_model *model = beam_of(work);
    const double tolerance = 1e-9 * work->length;
    for (int i = 0; i < model->base.observables; i++) {
        const beam_probe *probe = &model->probe[i];
        work->probe_row[i] = (beam_row){0};
        if (probe->kind > CAROM_PROBE_MOMENT)
            continue;
        const double x = work->number[probe->x];
        if (x >= -tolerance && x <= work->length + tolerance)
            work->probe_row[i] = beam_place_row(&model->space, work->length, x, derivative_of(probe->kind));
        else
            beam_problem(work, probe->line,
                         "probe: x = %g is outside the beam; it must lie between 0 and the length %g", x,
                         work->length);
    }
    if (work->lower_inside)
        bind_inside(work);
}

/* ---- values ------------------------------------------------------------------------------------- */

/* Largest sign (bound - u) inside the elements, not below 0; coefficients are those of the motion. A place
 * without an obstacle has an infinite bound, which never is the largest. */
static double penetration(const beam_work *work, const double *bound, double sign)
{
    const beam_space *space = &beam_of(work)->space;
    double largest = 0.0;
    for (int e = 0; bound && e < space->elements; e++) {
        const double *c = work->coefficient + (size_t)e * (size_t)space->stride;
        const double *at = bound + (size_t)e * BEAM_PLACES;
        for (int k = 0; k < BEAM_PLACES; k++) {
            const double *basis = work->inside[k];
            double u = basis[0] * c[0] + basis[1] * c[1];
            if (space->locals == BEAM_LOCALS)
                u += basis[2] * c[2] + basis[3] * c[3];
            const double depth = sign * (at[k] - u);
            largest = depth > largest ? depth : largest;
        }
    }
    return largest;
}

/* Normal impulses of a side; the contacts' components stand three by three, the normal one first. */
static double impulse_of_side(const carom_model *model, const bool *is_upper, bool upper,
                              const double *impulse)
{
    double sum = 0.0;
    for (int contact = 0; contact < model->contacts; contact++)
        if (is_upper[contact] == upper)
            sum += impulse[(size_t)contact * CAROM_CONTACT_COMPONENTS];
    return sum;
}

static int touching(const carom_model *model, const double *impulse)
{
    int count = 0;
    for (int contact = 0; contact < model->contacts; contact++)
        count += impulse[(size_t)contact * CAROM_CONTACT_COMPONENTS] != 0.0;
    return count;
}

static double observe(const beam_work *work, int index, const double *q, const double *u,
                      const double *impulse)
{
    const beam_model *model = beam_of(work);
    const beam_row *row = &work->probe_row[index];
    switch (model->probe[index].kind) {
    case CAROM_PROBE_DISPLACEMENT:
    case CAROM_PROBE_SLOPE:
        return beam_row_value(row, q);
    case CAROM_PROBE_VELOCITY:
        return beam_row_value(row, u);
    case CAROM_PROBE_MOMENT:
        return work->bending * beam_row_value(row, q);
    case CAROM_PROBE_PENETRATION_LOWER:
        return penetration(work, work->lower_inside, 1.0);
    case CAROM_PROBE_PENETRATION_UPPER:
        return penetration(work, work->upper_inside, -1.0);
    case CAROM_PROBE_IMPULSE_LOWER:
        return impulse_of_side(&model->base, model->contact_upper, false, impulse);
    case CAROM_PROBE_IMPULSE_UPPER:
        return impulse_of_side(&model->base, model->contact_upper, true, impulse);
    case CAROM_PROBE_TOUCHING:
        return touching(&model->base, impulse);
    }
    return NAN;
}

void beam_observe(carom_model_work *base, double t, const double *q, const double *u, const double *impulse,
                  double *observed)
{
    (void)t;
    beam_work *work = (beam_work *)base;
    const beam_model *model = beam_of(work);
    if (work->lower_inside)
        beam_expand(&model->space, q, work->coefficient);
    for (int i = 0; i < model->base.observables; i++)
        observed[i] = observe(work, i, q, u, impulse);
}

/* ---- along a direction -------------------------------------------------------------------------- */

void beam_probe_bind_along(beam_work *work, beam_along *along)
{
    const beam_model *model = beam_of(work);
    for (int i = 0; i < model->base.observables; i++) {
        const beam_probe *probe = &model->probe[i];
        along->probe_row[i] = (beam_row){0};
        if (probe->kind <= CAROM_PROBE_MOMENT)
            along->probe_row[i] =
                beam_place_row_along(&model->space, work->length, work->number[probe->x],
                                     derivative_of(probe->kind), along->number[probe->x], along->length);
    }
}

/* Displacement at a place inside an element, of coefficients. */
static double displacement_inside(const beam_work *work, int place, const double *coefficient)
{
    double u = 0.0;
    for (int k = 0; k < beam_of(work)->space.locals; k++)
        u += work->inside[place][k] * coefficient[k];
    return u;
}

/* Of the place where it is deepest. Slopes count with the element length. */
static double penetration_along(beam_work *work, const beam_along *along, const double *bound, bool upper,
                                const double *q, const double *dq)
{
    const beam_space *space = &beam_of(work)->space;
    const double sign = upper ? -1.0 : 1.0, stretch = along->length / work->length;
    double largest = 0.0;
    int at = -1;
    beam_expand(space, q, work->coefficient);
    for (int i = 0; bound && i < space->elements * BEAM_PLACES; i++) {
        const size_t first = (size_t)(i / BEAM_PLACES) * (size_t)space->stride;
        const double depth =
            sign * (bound[i] - displacement_inside(work, i % BEAM_PLACES, work->coefficient + first));
        if (depth > largest) {
            largest = depth;
            at = i;
        }
    }
    if (at < 0)
        return 0.0;
    const int element = at / BEAM_PLACES, place = at % BEAM_PLACES;
    for (int i = 0; i < space->size; i++)
        along->vector[i] = dq[i] + along->power[i] * stretch * q[i];
    beam_expand(space, along->vector, work->coefficient);
    double lower_along, upper_along;
    beam_obstacle_bounds_along(work, along, beam_place(space, work->length, element, inside_place(place)),
                               &lower_along, &upper_along);
    const double *c = work->coefficient + (size_t)element * (size_t)space->stride;
    return sign * ((upper ? upper_along : lower_along) - displacement_inside(work, place, c));
}

void beam_observe_along(beam_work *work, const beam_along *along, const double *q, const double *u,
                        const carom_direction *direction, const double *impulse_along, double *observed)
{
    const beam_model *model = beam_of(work);
    for (int i = 0; i < model->base.observables; i++) {
        const beam_row *row = &work->probe_row[i], *moved = &along->probe_row[i];
        const carom_beam_probe_kind kind = model->probe[i].kind;
        if (kind == CAROM_PROBE_DISPLACEMENT || kind == CAROM_PROBE_SLOPE)
            observed[i] = beam_row_value(row, direction->q) + beam_row_value(moved, q);
        else if (kind == CAROM_PROBE_VELOCITY)
            observed[i] = beam_row_value(row, direction->u) + beam_row_value(moved, u);
        else if (kind == CAROM_PROBE_MOMENT)
            observed[i] = work->bending * (beam_row_value(row, direction->q) + beam_row_value(moved, q)) +
                          along->bending * beam_row_value(row, q);
        else if (kind == CAROM_PROBE_PENETRATION_LOWER || kind == CAROM_PROBE_PENETRATION_UPPER) {
            const bool upper = kind == CAROM_PROBE_PENETRATION_UPPER;
            observed[i] = penetration_along(work, along, upper ? work->upper_inside : work->lower_inside,
                                            upper, q, direction->q);
        } else if (kind == CAROM_PROBE_TOUCHING)
            observed[i] = 0.0;
        else
            observed[i] = impulse_of_side(&model->base, model->contact_upper,
                                          kind == CAROM_PROBE_IMPULSE_UPPER, impulse_along);
    }
}

/* ---- shape -------------------------------------------------------------------------------------- */

int beam_profile_points(const carom_model *model)
{
    const beam_space *space = &((const beam_model *)model)->space;
    const bool differences = space->basis == CAROM_BEAM_DIFFERENCE;
    return (differences ? 1 : PROFILE_PER_ELEMENT) * space->elements + 1;
}

/* The clamped end, then the nodes. */
static void profile_of_differences(const beam_work *work, const double *q, double *x, double *u)
{
    const beam_space *space = &beam_of(work)->space;
    x[0] = u[0] = 0.0;
    for (int node = 1; node <= space->elements; node++) {
        x[node] = beam_node_place(space, work->length, node);
        u[node] = q[node - 1];
    }
}

void beam_profile(carom_model_work *base, const double *q, double *x, double *u)
{
    beam_work *work = (beam_work *)base;
    const beam_space *space = &beam_of(work)->space;
    if (space->basis == CAROM_BEAM_DIFFERENCE) {
        profile_of_differences(work, q, x, u);
        return;
    }
    double basis[PROFILE_PER_ELEMENT + 1][BEAM_LOCALS];
    for (int k = 0; k <= PROFILE_PER_ELEMENT; k++)
        beam_local(space, work->element_length, (double)k / PROFILE_PER_ELEMENT, 0, basis[k]);
    beam_expand(space, q, work->coefficient);
    for (int i = 0; i <= space->elements * PROFILE_PER_ELEMENT; i++) {
        const int e = i / PROFILE_PER_ELEMENT - (i == space->elements * PROFILE_PER_ELEMENT);
        const int k = i - e * PROFILE_PER_ELEMENT;
        x[i] = beam_place(space, work->length, e, (double)k / PROFILE_PER_ELEMENT);
        u[i] = carom_dot(BEAM_LOCALS, basis[k], work->coefficient + (size_t)e * (size_t)space->stride);
    }
}
