/* The fitted motion between its data, for pictures. */
#include "fit.h"

enum {
    POINTS_MAX = 1000000
};

/* As data that are asked for everywhere; the run is left so. */
static carom_status draw(fit_problem *problem, int number, const double *x, carom_fit_curve *curve,
                         carom_arena *arena, carom_error *error)
{
    const fit_run *measured = &problem->run[number];
    const int outputs = problem->outputs.count, cells = curve->count * outputs;
    const double from = problem->t0, to = measured->data->t[measured->rows - 1];
    curve->t = carom_arena_take(arena, (size_t)curve->count, sizeof *curve->t);
    curve->value = carom_arena_take(arena, (size_t)cells, sizeof *curve->value);
    int *place = carom_arena_take(arena, (size_t)cells, sizeof *place);
    if (!curve->t || !curve->value || !place)
        return carom_fail_memory(error);
    for (int i = 0; i < curve->count; i++)
        curve->t[i] = from + (to - from) * i / (curve->count - 1);
    for (int i = 0; i < cells; i++)
        place[i] = i;
    const carom_fit_data data = {.name = measured->data->name, .count = curve->count, .t = curve->t};
    fit_run everywhere = *measured;
    everywhere.data = &data;
    everywhere.rows = curve->count;
    everywhere.residuals = cells;
    everywhere.place = place;
    fit_prediction prediction = {.run = number, .rows = curve->count, .value = curve->value};
    problem->run[number] = everywhere;
    return fit_predict(problem, x, &prediction, error);
}

carom_status fit_draw_curves(fit_problem *problem, const double *x, carom_fit *fit, carom_error *error)
{
    const int asked = problem->request->curve_points;
    fit->curve = carom_arena_take(fit->arena, (size_t)problem->run_count, sizeof *fit->curve);
    if (!fit->curve)
        return carom_fail_memory(error);
    for (int i = 0; i < problem->run_count && asked > 1 && asked <= POINTS_MAX && problem->contact < 0; i++) {
        if (fit_is_stopped(problem) || !(problem->run[i].data->t[problem->run[i].rows - 1] > problem->t0))
            continue;
        const fit_run kept = problem->run[i];
        fit->curve[i].count = asked;
        const carom_status status = draw(problem, i, x, &fit->curve[i], fit->arena, error);
        problem->run[i] = kept;
        if (status == CAROM_NO_MEMORY)
            return status;
        if (status != CAROM_OK)
            fit->curve[i].count = 0; /* a picture without it */
    }
    return CAROM_OK;
}
