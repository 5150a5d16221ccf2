/* An experiment in other units: its model, and factors for its expressions. */
#include <stdlib.h>

#include "carom/run.h"

/* Factors of what expressions of outputs depend on: 1 / factor of the unit. */
typedef struct output_factors {
    carom_arena *arena;
    carom_inputs inputs;
} output_factors;

static double *fill(carom_arena *arena, size_t count, double factor)
{
    double *array = carom_arena_take(arena, count, sizeof *array);
    for (size_t i = 0; array && i < count; i++)
        array[i] = factor;
    return array;
}

static bool take_factors(output_factors *self, const carom_model *model, const carom_units *units)
{
    const carom_unit_factors by = carom_unit_factors_of(units);
    const size_t positions = (size_t)carom_model_positions(model), dof = (size_t)model->dof;
    carom_arena *arena = self->arena;
    double *q = fill(arena, positions, 1.0), *u = fill(arena, dof, 1.0),
           *acceleration = fill(arena, dof, 1.0);
    double *observed = fill(arena, 1 + (size_t)model->observables, 1.0);
    const double *impulse = fill(arena, CAROM_CONTACT_COMPONENTS * (size_t)model->contacts, 1.0 / by.impulse);
    const double *multiplier = fill(arena, (size_t)model->joints, 1.0 / by.force);
    if (!q || !u || !acceleration || !observed || !impulse || !multiplier)
        return false;
    carom_model_unit_factors(model, units, q, u);
    for (size_t i = 0; i < positions; i++)
        q[i] = 1.0 / q[i];
    for (size_t i = 0; i < dof; i++) {
        u[i] = 1.0 / u[i];
        acceleration[i] = u[i] * by.time;
    }
    observed[0] = 1.0 / by.energy;
    self->inputs = (carom_inputs){.t = 1.0 / by.time,
                                  .place = 1.0,
                                  .q = q,
                                  .u = u,
                                  .impulse = impulse,
                                  .observed = observed,
                                  .acceleration = acceleration,
                                  .multiplier = multiplier};
    return true;
}

/* ---- values -------------------------------------------------------------------------------------------- */

static void set(double *factor, carom_value value, double unit)
{
    if (value != CAROM_NO_VALUE)
        factor[value] = unit;
}

static void set_measures(const carom_experiment *experiment, double time, double *factor)
{
    for (int i = 0; i < experiment->measure_count; i++) {
        const carom_measure *measure = &experiment->measure[i];
        set(factor, measure->from, time);
        set(factor, measure->to, time);
        set(factor, measure->every, time);
        for (int k = 0; k < measure->time_count; k++)
            set(factor, measure->time[k], time);
        const carom_measure_key *key = measure->ops ? measure->ops->keys : NULL;
        for (int k = 0; key && key[k].name && k < CAROM_MEASURE_ARGUMENTS; k++)
            if (key[k].is_time)
                set(factor, measure->argument[k], time);
    }
}

static void set_plots(const carom_experiment *experiment, double time, double *factor)
{
    for (int p = 0; p < experiment->plot_count; p++)
        for (int i = 0; i < experiment->plot[p].panel_count; i++) {
            const carom_panel *panel = &experiment->plot[p].panel[i];
            for (int k = 0; k < panel->layer_count; k++) {
                const carom_layer *layer = &panel->layer[k];
                set(factor, layer->every, time);
                set(factor, layer->from, time);
                set(factor, layer->to, time);
                set(factor, layer->at, time);
                set(factor, layer->smooth, time);
            }
        }
}

/* The option of the experiment's scheme, or of another that has it. */
static const carom_option_info *find_option(const carom_experiment *experiment, const char *name)
{
    const carom_scheme_ops *own = experiment->scheme ? carom_scheme_find(experiment->scheme, NULL) : NULL;
    const int place = own ? carom_scheme_find_option(own, name) : -1;
    if (place >= 0)
        return &own->options[place];
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        const int other = carom_scheme_find_option(scheme, name);
        if (other >= 0)
            return &scheme->options[other];
    }
    return NULL;
}

static void set_choices(const carom_experiment *experiment, const carom_units *units, double *factor)
{
    for (int i = 0; i < experiment->choice_count; i++) {
        const carom_scheme_choice *choice = &experiment->choice[i];
        const carom_option_info *option = choice->word ? NULL : find_option(experiment, choice->name);
        if (option)
            set(factor, choice->value, carom_units_factor(units, option->dimension));
    }
}

static bool rescale_values(const carom_experiment *experiment, const carom_units *units, carom_arena *arena)
{
    const carom_unit_factors by = carom_unit_factors_of(units);
    if (!experiment->values)
        return true;
    double *factor = fill(arena, (size_t)carom_tape_outputs(experiment->values), 1.0);
    if (!factor)
        return false;
    for (int i = 0; !experiment->model->ops->initial && experiment->q0 && i < experiment->model->dof; i++) {
        set(factor, experiment->q0[i], by.length);
        set(factor, experiment->v0[i], by.velocity);
    }
    set(factor, experiment->gap_tolerance, by.length);
    set(factor, experiment->t0, by.time);
    set(factor, experiment->h, by.time);
    set(factor, experiment->until, by.time);
    set_measures(experiment, by.time, factor);
    set_plots(experiment, by.time, factor);
    set_choices(experiment, units, factor);
    return carom_tape_rescale(experiment->values, &(carom_inputs){.t = 1.0, .place = 1.0}, factor);
}

static bool rescale(carom_tape *tape, const output_factors *factors)
{
    return !tape || carom_tape_rescale(tape, &factors->inputs, NULL);
}

carom_status carom_experiment_in_units(carom_experiment *experiment, const carom_units *units,
                                       carom_error *error)
{
    if (experiment->study || !experiment->model)
        return CAROM_OK;
    output_factors factors = {.arena = carom_arena_create()};
    carom_status status = CAROM_NO_MEMORY;
    if (factors.arena && take_factors(&factors, experiment->model, units) &&
        rescale_values(experiment, units, factors.arena) && rescale(experiment->observe, &factors) &&
        rescale(experiment->stops, &factors) && rescale(experiment->look, &factors))
        status = carom_model_in_units(experiment->model, units, &experiment->model, error);
    carom_arena_free(factors.arena);
    if (status == CAROM_OK)
        experiment->units = *units;
    return status == CAROM_NO_MEMORY ? carom_fail_memory(error) : status;
}
