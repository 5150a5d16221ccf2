/* The impact of a model: mass matrix, directions, velocity, restitution, stiffness and exponent of its closed
 * contacts at the start; its joints are in joints_impact.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/impact_output.h"

/* The model at its initial state. */
typedef struct model_start {
    const carom_experiment *experiment;
    carom_model_work *work;
    carom_arena *arena;
    double t, *q, *v, *gap;
    double *values;
    int closed_count;
    int *closed; /* contacts */
} model_start;

static double value_or(const model_start *start, carom_value value, double otherwise)
{
    return value == CAROM_NO_VALUE || !start->values ? otherwise : start->values[value];
}

static carom_status resolve_values(model_start *start, carom_error *error)
{
    const carom_tape *tape = start->experiment->values;
    if (!tape)
        return CAROM_OK;
    start->values = carom_arena_take(start->arena, (size_t)carom_tape_outputs(tape), sizeof(double));
    double *work = carom_new_array(carom_tape_work_size(tape), sizeof *work);
    if (start->values && work) {
        carom_tape_bind(tape, start->experiment->parameter, work);
        carom_tape_evaluate(tape, work, &(carom_inputs){.t = 0.0}, start->values);
    }
    const bool done = start->values && work;
    free(work);
    return done ? CAROM_OK : carom_fail_memory(error);
}

static carom_status take_state(model_start *start, carom_error *error)
{
    const carom_experiment *experiment = start->experiment;
    const carom_model *model = experiment->model;
    const size_t n = (size_t)model->dof, contacts = (size_t)model->contacts;
    start->q = carom_arena_take(start->arena, n, sizeof(double));
    start->v = carom_arena_take(start->arena, n, sizeof(double));
    start->gap = carom_arena_take(start->arena, contacts, sizeof(double));
    start->closed = carom_arena_take(start->arena, contacts, sizeof(int));
    if (!start->q || !start->v || !start->gap || !start->closed)
        return carom_fail_memory(error);
    if (model->ops->initial)
        model->ops->initial(start->work, start->q, start->v);
    for (int i = 0; !model->ops->initial && i < model->dof; i++) {
        start->q[i] = value_or(start, experiment->q0[i], 0.0);
        start->v[i] = value_or(start, experiment->v0[i], 0.0);
    }
    start->t = value_or(start, experiment->t0, 0.0);
    if (!carom_all_finite(model->dof, start->q) || !isfinite(start->t))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: the initial position is not finite; check the initial values",
                          experiment->name);
    return CAROM_OK;
}

static carom_status find_closed(model_start *start, double tolerance, carom_error *error)
{
    const carom_model *model = start->experiment->model;
    double nearest = INFINITY;
    model->ops->gaps(start->work, start->t, start->q, start->gap);
    for (int j = 0; j < model->contacts; j++) {
        if (model->contact[j].friction_force) /* it has no gap, and no impulse at an instant */
            continue;
        if (start->gap[j] <= tolerance)
            start->closed[start->closed_count++] = j;
        nearest = fmin(nearest, start->gap[j]);
    }
    if (start->closed_count > 0)
        return CAROM_OK;
    if (nearest == INFINITY)
        return carom_fail(error, CAROM_BAD_INPUT, "nothing to solve: %s has no contact",
                          start->experiment->name);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "nothing to solve: all gaps are open at the start of %s (the smallest is %g, closed is up to "
        "%g; --gap-tolerance changes that)",
        start->experiment->name, nearest, tolerance);
}

/* ---- contact space ----------------------------------------------------------------------------------- */

typedef struct contact_arrays {
    double *mass, *dense, *rate, *restitution, *stiffness, *exponent, *value;
    int *column_start, *row;
} contact_arrays;

static bool take_arrays(impact_case *made, size_t n, size_t contacts, contact_arrays *arrays)
{
    arrays->mass = carom_arena_take(made->arena, n * n, sizeof(double));
    arrays->dense = carom_arena_take(made->arena, n * contacts, sizeof(double));
    arrays->rate = carom_arena_take(made->arena, contacts, sizeof(double));
    arrays->restitution = carom_arena_take(made->arena, contacts, sizeof(double));
    arrays->stiffness = carom_arena_take(made->arena, contacts, sizeof(double));
    arrays->exponent = carom_arena_take(made->arena, contacts, sizeof(double));
    arrays->value = carom_arena_take(made->arena, n * contacts, sizeof(double));
    arrays->column_start = carom_arena_take(made->arena, contacts + 1, sizeof(int));
    arrays->row = carom_arena_take(made->arena, n * contacts, sizeof(int));
    made->contact = carom_arena_take(made->arena, contacts, sizeof *made->contact);
    made->coordinate = carom_arena_take(made->arena, n, sizeof *made->coordinate);
    return arrays->mass && arrays->dense && arrays->rate && arrays->restitution && arrays->stiffness &&
           arrays->exponent && arrays->value && arrays->column_start && arrays->row && made->contact &&
           made->coordinate;
}

/* The laws of this command have normal impulses only. */
static carom_status check_friction(const model_start *start, int contact, const carom_contact_frame *frame,
                                   carom_error *error)
{
    const carom_contact_info *info = &start->experiment->model->contact[contact];
    if (carom_largest(info->coefficients, frame->coefficients) == 0.0 &&
        carom_all_finite(info->coefficients, frame->coefficients))
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "contact '%s' of %s has friction (its first coefficient is %g), which impact laws of this "
        "command do not have: they would leave it out. carom run has impacts with friction; "
        "here give a model without, such as --set with a coefficient of 0",
        info->name, start->experiment->name, frame->coefficients[0]);
}

/* One closed contact. A model need not say a restitution; then the command line must. */
static carom_status take_contact(model_start *start, int place, bool needs_restitution, impact_case *made,
                                 const contact_arrays *arrays, carom_contact_frame *frame, carom_error *error)
{
    const carom_model *model = start->experiment->model;
    const int contact = start->closed[place];
    model->ops->frame(start->work, contact, start->t, start->q, frame);
    for (int i = 0; i < model->dof; i++)
        arrays->dense[(ptrdiff_t)i * start->closed_count + place] = carom_row_at(&frame->normal, i);
    arrays->rate[place] = frame->normal_rate;
    arrays->restitution[place] = model->contact[contact].has_restitution ? frame->restitution : 0.0;
    arrays->stiffness[place] = frame->stiffness;
    arrays->exponent[place] = frame->exponent;
    if (needs_restitution && !model->contact[contact].has_restitution)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact '%s' of %s has no restitution in the model: give --restitution",
                          model->contact[contact].name, start->experiment->name);
    made->contact[place] = carom_arena_copy_text(made->arena, model->contact[contact].name);
    return made->contact[place] ? check_friction(start, contact, frame, error) : carom_fail_memory(error);
}

static void store_mass(impact_case *made, int n, double *mass)
{
    if (!carom_is_diagonal(n, mass)) {
        made->impact.mass = mass;
        return;
    }
    for (int i = 0; i < n; i++)
        mass[i] = mass[(ptrdiff_t)i * n + i];
    made->impact.masses = mass;
}

static carom_status take_system(model_start *start, bool needs_restitution, impact_case *made,
                                carom_error *error)
{
    const carom_model *model = start->experiment->model;
    const int n = model->dof, contacts = start->closed_count;
    contact_arrays arrays;
    carom_contact_frame frame = {0};
    if (!take_arrays(made, (size_t)n, (size_t)contacts, &arrays) ||
        !carom_contact_frame_take(start->arena, model, &frame))
        return carom_fail_memory(error);
    for (int i = 0; i < n; i++)
        if (!(made->coordinate[i] = carom_arena_copy_text(made->arena, model->coordinate[i])))
            return carom_fail_memory(error);
    for (int j = 0; j < contacts; j++) {
        const carom_status status = take_contact(start, j, needs_restitution, made, &arrays, &frame, error);
        if (status != CAROM_OK)
            return status;
    }
    model->ops->mass(start->work, start->t, start->q, arrays.mass);
    store_mass(made, n, arrays.mass);
    carom_impact_columns(n, contacts, arrays.dense, arrays.column_start, arrays.row, arrays.value);
    double *velocity = carom_arena_take(made->arena, (size_t)n, sizeof *velocity);
    if (!velocity)
        return carom_fail_memory(error);
    memcpy(velocity, start->v, (size_t)n * sizeof *velocity);
    made->impact.coordinates = n;
    made->impact.contacts = contacts;
    made->impact.column_start = arrays.column_start;
    made->impact.row = arrays.row;
    made->impact.value = arrays.value;
    made->impact.rate = arrays.rate;
    made->impact.restitution = arrays.restitution;
    made->impact.stiffness = arrays.stiffness;
    made->impact.exponent = arrays.exponent;
    made->impact.velocity = velocity;
    return CAROM_OK;
}

static carom_status look_at_start(impact_given *given, const carom_experiment *experiment, double tolerance,
                                  impact_case *made, carom_error *error)
{
    const carom_model *model = experiment->model;
    if (model->has_bodies)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s has bodies with shapes, whose impacts are found while they move: carom run it, or "
            "write the model in coordinates, with contact { ... }",
            experiment->name);
    model_start start = {
        .experiment = experiment, .work = model->ops->work_create(model), .arena = carom_arena_create()};
    carom_status status = start.work && start.arena ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK) {
        model->ops->bind(start.work, experiment->parameter);
        status = model->ops->check ? model->ops->check(start.work, error) : CAROM_OK;
    }
    if (status == CAROM_OK)
        status = resolve_values(&start, error);
    if (status == CAROM_OK)
        status = take_state(&start, error);
    if (status == CAROM_OK)
        status = find_closed(&start, tolerance, error);
    if (status == CAROM_OK)
        status = take_system(&start, !impact_has(given, IMPACT_RESTITUTION) && !impact_has(given, IMPACT_MAP),
                             made, error);
    if (status == CAROM_OK)
        status = take_impact_joints(made, start.work, start.t, start.q, error);
    if (start.work)
        model->ops->work_free(start.work);
    carom_arena_free(start.arena);
    return status;
}

bool make_impact_model(impact_given *given, impact_case *made, carom_error *error)
{
    int set_count = 0;
    carom_override *set = NULL;
    double tolerance = 1e-9;
    carom_experiment *experiment = NULL;
    if (!read_assignments(&command_impact, &given->arguments, &given->arguments.option[IMPACT_SET],
                          &set_count, &set) ||
        !read_positive_number(given, IMPACT_GAP_TOLERANCE, &tolerance))
        return false;
    carom_status status = load_motion(given->arguments.positional[0], impact_value(given, IMPACT_VARIANT),
                                      set_count, set, &experiment, error);
    if (status != CAROM_OK)
        return false;
    made->item = "coordinate";
    made->title = carom_arena_copy_text(made->arena, experiment->name);
    status =
        made->title ? look_at_start(given, experiment, tolerance, made, error) : carom_fail_memory(error);
    carom_experiment_free(experiment);
    return status == CAROM_OK && override_impact(given, made, error) &&
           check_impact_joints(made, error) == CAROM_OK;
}
