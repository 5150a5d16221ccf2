/* For tests: a particle (x, y) over the floor y >= 0, an experiment with it, and a scheme that moves it
 * straight on and fails, blows up or touches the floor when told to. */
#ifndef CAROM_TEST_RUN_PARTICLE_H
#define CAROM_TEST_RUN_PARTICLE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/run.h"

enum {
    PARAMETER_MASS,
    PARAMETER_COUPLING, /* mass[0][1]; mass[1][0] is zero less PARAMETER_SKEW */
    PARAMETER_SKEW,
    PARAMETER_H,
    PARAMETER_COUNT
};

static const double particle_gravity = 10.0;

typedef struct particle_work {
    carom_model_work head;
    const double *parameter;
} particle_work;

static inline carom_model_work *particle_work_create(const carom_model *model)
{
    particle_work *work = carom_new_array(1, sizeof *work);
    if (work)
        work->head.model = model;
    return (carom_model_work *)work;
}

static inline void particle_work_free(carom_model_work *work)
{
    free(work);
}

static inline void particle_bind(carom_model_work *work, const double *parameters)
{
    ((particle_work *)work)->parameter = parameters;
}

static inline void particle_mass(carom_model_work *work, double t, const double *q, double *mass)
{
    (void)t, (void)q;
    const double *parameter = ((particle_work *)work)->parameter;
    mass[0] = 2.0;
    mass[1] = parameter[PARAMETER_COUPLING];
    mass[2] = parameter[PARAMETER_COUPLING] + parameter[PARAMETER_SKEW];
    mass[3] = parameter[PARAMETER_MASS];
}

static inline void particle_gaps(carom_model_work *work, double t, const double *q, double *gap)
{
    (void)work, (void)t;
    gap[0] = q[1];
}

static inline void particle_frame(carom_model_work *work, int contact, double t, const double *q,
                                  carom_contact_frame *frame)
{
    (void)work, (void)contact, (void)t, (void)q;
    frame->normal.value[0] = 0.0;
    frame->normal.value[1] = 1.0;
    frame->normal_rate = 0.0;
    frame->restitution = 1.0;
}

static inline double particle_energy(carom_model_work *work, double t, const double *q, const double *u)
{
    (void)work, (void)t;
    return 0.5 * (u[0] * u[0] + u[1] * u[1]) + particle_gravity * q[1];
}

static inline void particle_free(carom_model *model)
{
    free(model);
}

static const carom_model_ops particle_ops = {
    .free = particle_free,
    .work_create = particle_work_create,
    .work_free = particle_work_free,
    .bind = particle_bind,
    .mass = particle_mass,
    .gaps = particle_gaps,
    .frame = particle_frame,
    .energy = particle_energy,
};

static char *particle_coordinate[] = {"x", "y"};
static carom_contact_info particle_contact[] = {{.name = "floor"}};
static carom_parameter particle_parameter[PARAMETER_COUNT] = {
    {.name = "mass", .value = 3.0, .min = -10.0, .max = 10.0},
    {.name = "coupling", .value = 0.0, .min = -INFINITY, .max = INFINITY},
    {.name = "skew", .value = 0.0, .min = 0.0, .max = INFINITY},
    {.name = "h", .value = 0.125, .min = 0.0, .max = INFINITY},
};

/* ---- experiment ---------------------------------------------------------------------------------- */

/* An experiment under construction: values and columns are nodes until they are compiled. */
typedef struct particle_experiment {
    carom_experiment *experiment;
    carom_node value[64], column[16];
    int values, columns;
} particle_experiment;

static inline carom_value add_value(particle_experiment *built, double value)
{
    built->value[built->values] = carom_constant(built->experiment->graph, value);
    return built->values++;
}

static inline int add_column(particle_experiment *built, carom_node node)
{
    built->column[built->columns] = node;
    return built->columns++;
}

/* x = 0, y = 1, velocities (1, 0.5), h = parameter 1/8, from t = 0 to 1; no columns, no measures. */
static inline particle_experiment particle_begin(void)
{
    carom_experiment *experiment = carom_new_array(1, sizeof *experiment);
    carom_model *model = carom_new_array(1, sizeof *model);
    *model = (carom_model){.ops = &particle_ops,
                           .dof = 2,
                           .contacts = 1,
                           .parameters = PARAMETER_COUNT,
                           .coordinate = particle_coordinate,
                           .contact = particle_contact,
                           .parameter = particle_parameter,
                           .constant_mass = true};
    experiment->arena = carom_arena_create();
    experiment->graph = carom_graph_create(0);
    experiment->model = model;
    experiment->parameter = carom_arena_take(experiment->arena, PARAMETER_COUNT, sizeof(double));
    for (int i = 0; i < PARAMETER_COUNT; i++)
        experiment->parameter[i] = particle_parameter[i].value;
    particle_experiment built = {.experiment = experiment};
    experiment->q0 = carom_arena_take(experiment->arena, 2, sizeof(carom_value));
    experiment->v0 = carom_arena_take(experiment->arena, 2, sizeof(carom_value));
    experiment->q0[0] = add_value(&built, 0.0);
    experiment->q0[1] = add_value(&built, 1.0);
    experiment->v0[0] = add_value(&built, 1.0);
    experiment->v0[1] = add_value(&built, 0.5);
    experiment->t0 = add_value(&built, 0.0);
    built.value[built.values] = carom_leaf(experiment->graph, CAROM_OP_PARAMETER, PARAMETER_H);
    experiment->h = built.values++;
    experiment->until = add_value(&built, 1.0);
    experiment->h_parameter = PARAMETER_H;
    experiment->until_parameter = -1;
    experiment->gap_tolerance = CAROM_NO_VALUE;
    return built;
}

static inline carom_experiment *particle_end(particle_experiment *built)
{
    carom_experiment *experiment = built->experiment;
    experiment->values = carom_tape_compile(experiment->graph, built->values, built->value);
    experiment->column_count = built->columns;
    if (built->columns > 0)
        experiment->observe = carom_tape_compile(experiment->graph, built->columns, built->column);
    return experiment;
}

/* ---- scheme -------------------------------------------------------------------------------------- */

enum {
    OPTION_FAIL_AT,
    OPTION_BLOW_AT,
    OPTION_TOUCH_FROM, /* the floor carries an impulse in steps from .. to */
    OPTION_TOUCH_TO,
    OPTION_MOOD,
    OPTION_COUNT
};

static const char *const drift_moods[] = {"calm", "no-start", "shifted", NULL};
static const carom_option_info drift_options[OPTION_COUNT] = {
    {.name = "fail_at", .value = 0.0, .min = 0.0, .max = 1e6},
    {.name = "blow_at", .value = 0.0, .min = 0.0, .max = 1e6},
    {.name = "touch_from", .value = 0.0, .min = 0.0, .max = 1e6},
    {.name = "touch_to", .value = 0.0, .min = 0.0, .max = 1e6},
    {.name = "mood", .value = 0.0, .min = 0.0, .max = 2.0, .choices = drift_moods},
};

static inline carom_status drift_accepts(const carom_model *model, carom_error *error)
{
    return model->dof == 2 ? CAROM_OK : carom_fail(error, CAROM_BAD_INPUT, "drift takes two coordinates");
}

static inline carom_status drift_setup(carom_stepper *self, carom_error *error)
{
    if (self->option[OPTION_MOOD] == 1.0)
        return carom_fail(error, CAROM_FAILED, "no start today");
    if (self->option[OPTION_MOOD] == 2.0)
        self->state.q[0] += 100.0;
    return CAROM_OK;
}

static inline carom_status drift_step(carom_stepper *self, carom_error *error)
{
    const double step = (double)self->counts.steps + 1.0, *option = self->option;
    carom_state *state = &self->state;
    if (step == option[OPTION_FAIL_AT])
        return carom_fail(error, CAROM_FAILED, "told to fail");
    self->counts.steps++;
    state->q[0] += self->h * state->v[0];
    state->q[1] += self->h * state->v[1];
    if (step == option[OPTION_BLOW_AT])
        state->v[1] = INFINITY;
    bool touches = step >= option[OPTION_TOUCH_FROM] && step <= option[OPTION_TOUCH_TO];
    state->regime[0] = touches ? CAROM_CONTACT_SLIP : CAROM_CONTACT_OPEN;
    state->impulse[0] = touches ? step : 0.0;
    state->t = self->t0 + step * self->h;
    return CAROM_OK;
}

static const carom_scheme_ops drift_scheme = {
    .name = "drift",
    .summary = "straight on",
    .options = drift_options,
    .option_count = OPTION_COUNT,
    .accepts = drift_accepts,
    .abilities =
        CAROM_SCHEME_ANY_MASS | CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_RESTITUTION | CAROM_SCHEME_FRICTION,
    .size = sizeof(carom_stepper),
    .setup = drift_setup,
    .step = drift_step,
};

#endif
