/* One-sided derivatives of a run with breaks: the exact ones of two runs beside it, whose name has moved by s and by s/16 to that
 * side, where contacts have made up their minds, extrapolated to s = 0:
 *
 *   D = D_2 + (D_2 - D_1)/15
 *
 * Where these do not agree, as beside a grazing, where derivatives grow like s^(-1/2), there is none on that side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "sensitivity.h"

enum {
    RUNS = 2 /* of a side */
};

/* The first step, relative to the number that is changed, and how much smaller the next one is. */
static const double first_step = 1e-6, shorter = 16.0;
/* Derivatives of both runs that differ by more, relative to the largest of their kind, have no limit. */
static const double same = 1e-3;
/* A derivative that is smaller, relative to that of a value in proportion to the name, counts as this large in the comparison. */
static const double small = 1e-9;

static double limit(double first, double second, double size)
{
    const double change = second - first;
    return fabs(change) <= same * size ? second + change / (shorter - 1.0) : NAN;
}

static double largest_of(int count, const double *x)
{
    double largest = 0.0;
    for (int i = 0; i < count; i++)
        largest = isfinite(x[i]) ? fmax(largest, fabs(x[i])) : largest;
    return largest;
}

/* A row has positions, velocities and others, of other units: a number that has no limit must not pass for one of a larger kind.
 * value: the row itself; scale: of the name. */
static void take_row(const carom_row_layout *layout, const double *value, double scale, const double *first,
                     const double *second, double *to)
{
    const double of_q = largest_of(layout->positions, second + layout->q),
                 of_v = largest_of(layout->dof, second + layout->v);
    for (int i = 0; i < layout->width; i++) {
        const bool q = i >= layout->q && i < layout->q + layout->positions,
                   v = i >= layout->v && i < layout->v + layout->dof;
        const double other = fmax(fabs(second[i]), isfinite(value[i]) ? small * fabs(value[i]) / scale : 0.0);
        to[i] = limit(first[i], second[i], q ? of_q : v ? of_v : other);
    }
}

static carom_status take_measure(const carom_measured *measure, double scale, const carom_measured *first,
                                 const carom_measured *second, carom_measured *to, carom_error *error)
{
    const int count = first->count == second->count ? second->count : 0;
    to->value = carom_new_array((size_t)count, sizeof *to->value);
    if (!to->value)
        return carom_fail_memory(error);
    to->is_array = second->is_array;
    to->count = count;
    const double size =
        fmax(largest_of(count, second->value), small * largest_of(measure->count, measure->value) / scale);
    for (int k = 0; k < count; k++)
        to->value[k] = limit(first->value[k], second->value[k], size);
    if (count == 1 && isnan(to->value[0]) && !to->is_array)
        to->count = 0;
    return CAROM_OK;
}

/* Numbers of one kind that are further apart in the second run than a continuous motion can be. `size`: the scale of the kind. */
static bool jump(const active_run *run, const carom_run_result *found, int first, int count, double size)
{
    const double *final = run->result->final + first;
    double apart[RUNS] = {0};
    for (int i = 0; i < count; i++) {
        size = fmax(size, fabs(final[i]));
        for (int k = 0; k < RUNS; k++)
            apart[k] = fmax(apart[k], fabs(found[k].final[first + i] - final[i]));
    }
    return apart[1] > 0.5 * apart[0] && apart[1] > 1e-8 * size;
}

/* Whether the state of the second run is further from that of the run itself than a continuous motion can be: half as far and more as that
 * of the first run, which is further away, and more than rounding. */
static bool does_jump(const active_run *run, const carom_run_result *found)
{
    const carom_row_layout *layout = &run->layout;
    const carom_scales *scales = &run->stepper->scales;
    return jump(run, found, layout->q, layout->positions, scales->length) ||
           jump(run, found, layout->v, layout->dof, carom_scales_speed(scales));
}

/* Room for all names, with nothing known. */
static carom_status make_side(const active_run *run, carom_sensitivity **side, carom_error *error)
{
    const carom_sensitivity *all = run->result->sensitivity;
    const size_t count = (size_t)all->count, numbers = carom_product(count, (size_t)all->width);
    carom_sensitivity *made = *side = carom_new_array(1, sizeof *made);
    if (!made)
        return carom_fail_memory(error);
    *made = (carom_sensitivity){.exact = true, .width = all->width};
    made->name = carom_new_array(count, sizeof *made->name);
    made->final = carom_new_array(numbers, sizeof *made->final);
    made->measure = carom_new_array(carom_product(count, (size_t)all->measure_count), sizeof *made->measure);
    made->jumps = carom_new_array(count, sizeof *made->jumps);
    if (!made->name || !made->final || !made->measure || !made->jumps)
        return carom_fail_memory(error);
    for (size_t i = 0; i < numbers; i++)
        made->final[i] = NAN;
    for (; made->count < all->count; made->count++)
        if (!(made->name[made->count] = strdup(all->name[made->count])))
            return carom_fail_memory(error);
    made->measure_count = all->measure_count;
    return CAROM_OK;
}

/* The limit of both runs, for name number c. */
static carom_status take_limits(const active_run *run, int c, const carom_run_result *found,
                                carom_sensitivity *side, carom_error *error)
{
    const carom_sensitivity *first = found[0].sensitivity, *second = found[1].sensitivity;
    const double scale = sensitivity_scale(run, c);
    carom_status status = CAROM_OK;
    side->jumps[c] = does_jump(run, found);
    take_row(&run->layout, run->result->final, scale, first->final, second->final,
             side->final + (size_t)c * (size_t)side->width);
    for (int i = 0; status == CAROM_OK && i < side->measure_count; i++)
        status = take_measure(&run->result->measure[i], scale, &first->measure[i], &second->measure[i],
                              &side->measure[(size_t)i * (size_t)side->count + (size_t)c], error);
    return status;
}

/* Both runs of one name on one side. A run that cannot be made, as beyond the range of a parameter, leaves nothing known. */
static carom_status find_side(const active_run *run, int c, double step, moved_room *room,
                              const carom_run_request *given, carom_sensitivity *side, carom_error *error)
{
    carom_run_request request = *given;
    carom_run_result found[RUNS] = {{0}, {0}};
    carom_error inner = {0};
    carom_status status = CAROM_OK;
    bool known = true;
    request.sensitivity = &given->sensitivity[c];
    for (int i = 0; status == CAROM_OK && known && i < RUNS; i++, step /= shorter) {
        sensitivity_move(run, c, step, room, &request);
        const carom_status moved = carom_run(&request, &found[i], &inner);
        if (moved == CAROM_NO_MEMORY || moved == CAROM_INTERRUPTED)
            status = moved;
        known = moved == CAROM_OK;
    }
    if (status != CAROM_OK)
        *error = inner;
    else if (known)
        status = take_limits(run, c, found, side, error);
    for (int i = 0; i < RUNS; i++)
        carom_run_result_free(&found[i]);
    return status;
}

carom_status run_find_sides(active_run *run, carom_error *error)
{
    carom_sensitivity *all = run->result->sensitivity;
    moved_room room;
    if (all->break_count == 0)
        return CAROM_OK;
    if (!sensitivity_take_room(run, &room))
        return carom_fail_memory(error);
    carom_run_request request = *run->request;
    sensitivity_plain_request(&request);
    request.sensitivity_count = 1;
    request.sample_count = 0;
    request.only_exact = true;
    request.sides = false;
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < 2; k++) {
        status = make_side(run, &all->side[k], error);
        for (int c = 0; status == CAROM_OK && c < all->count; c++)
            status = find_side(run, c, (k == 0 ? -1.0 : 1.0) * first_step * sensitivity_scale(run, c), &room,
                               &request, all->side[k], error);
    }
    return status;
}
