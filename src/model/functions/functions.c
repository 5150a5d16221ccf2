/* The model made from plain C functions: what they leave out is filled in behind the model interface. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differences.h"
#include "model/model_parts.h"

typedef struct functions_model {
    carom_model base;
    carom_arena *arena;
    carom_model_functions given;
    double *mass; /* dof x dof, of a constant one; NULL: given.mass */
} functions_model;

typedef struct functions_work {
    carom_model_work base;
    carom_arena *arena;
    double *mass; /* dof x dof, for the energy */
    double *moved, *column,
        *gap; /* a position or velocity beside the one asked for, a derivative, values there */
    difference_memory differences;
} functions_work;

static const functions_model *model_of(const carom_model_work *base)
{
    return (const functions_model *)base->model;
}

static void clear(size_t count, double *x)
{
    memset(x, 0, count * sizeof *x);
}

/* ---- evaluation ---------------------------------------------------------------------------- */

static void functions_mass(carom_model_work *base, double t, const double *q, double *mass)
{
    const functions_model *model = model_of(base);
    const size_t entries = (size_t)model->base.dof * (size_t)model->base.dof;
    if (model->mass) {
        memcpy(mass, model->mass, entries * sizeof *mass);
        return;
    }
    clear(entries, mass);
    model->given.mass(model->given.context, t, q, mass);
}

static void functions_force(carom_model_work *base, double t, const double *q, const double *v, double *force)
{
    const functions_model *model = model_of(base);
    clear((size_t)model->base.dof, force);
    if (model->given.force)
        model->given.force(model->given.context, t, q, v, force);
}

/* What is differentiated: at t, q, v, where `number` is changed. */
typedef struct moved_call {
    functions_work *work;
    double t;
    const double *q, *v;
    double *number;
    int contact; /* of gaps */
} moved_call;

static void moved_force(void *context, double at, double *force)
{
    moved_call *call = context;
    const double kept = *call->number;
    *call->number = at;
    functions_force(&call->work->base, call->t, call->q, call->v, force);
    *call->number = kept;
}

/* The size of a position or a velocity, as far as the state tells it: the largest of its kind, or what the other kind makes of the
 * time t. */
static double size_of(int n, double t, const double *q, const double *v, bool of_q)
{
    const double largest_q = carom_largest(n, q), largest_v = carom_largest(n, v), since = fabs(t);
    if (of_q)
        return fmax(largest_q, largest_v * since);
    return since > 0.0 ? fmax(largest_v, largest_q / since) : largest_v;
}

/* One of the two Jacobians, by differences of the force: column j from q or v with entry j moved. */
static void difference_force(functions_work *work, double t, const double *q, const double *v, bool by_q,
                             double *jacobian)
{
    const int n = work->base.model->dof;
    const double scale = size_of(n, t, q, v, by_q);
    double *moved = work->moved;
    work->differences.terms = 0.0;
    memcpy(moved, by_q ? q : v, (size_t)n * sizeof *moved);
    for (int j = 0; j < n; j++) {
        moved_call call = {
            .work = work, .t = t, .q = by_q ? moved : q, .v = by_q ? v : moved, .number = &moved[j]};
        difference_find(&work->differences, moved_force, &call, moved[j], scale, n, work->column);
        for (int i = 0; i < n; i++)
            jacobian[i * n + j] = work->column[i];
    }
}

static void functions_force_jacobian(carom_model_work *base, double t, const double *q, const double *v,
                                     double *by_q, double *by_v)
{
    functions_work *work = (functions_work *)base;
    const functions_model *model = model_of(base);
    const size_t entries = (size_t)model->base.dof * (size_t)model->base.dof;
    double *jacobian[2] = {by_q, by_v};
    for (int k = 0; k < 2; k++)
        if (jacobian[k])
            clear(entries, jacobian[k]);
    if (!model->given.force)
        return;
    if (!model->given.force_jacobian) {
        for (int k = 0; k < 2; k++)
            if (jacobian[k])
                difference_force(work, t, q, v, k == 0, jacobian[k]);
        return;
    }
    for (int k = 0; k < 2; k++) /* the user's function need not look which one is wanted */
        if (!jacobian[k]) {
            jacobian[k] = work->mass;
            clear(entries, jacobian[k]);
        }
    model->given.force_jacobian(model->given.context, t, q, v, jacobian[0], jacobian[1]);
}

static void functions_gaps(carom_model_work *base, double t, const double *q, double *gap)
{
    const functions_model *model = model_of(base);
    clear((size_t)model->base.contacts, gap);
    if (model->base.contacts > 0)
        model->given.gap(model->given.context, t, q, gap);
}

static void moved_gap(void *context, double at, double *gap)
{
    moved_call *call = context;
    const double kept = *call->number;
    *call->number = at;
    functions_gaps(&call->work->base, call->t, call->q, call->work->gap);
    *call->number = kept;
    *gap = call->work->gap[call->contact];
}

static void difference_normal(functions_work *work, int contact, double t, const double *q, double *row,
                              double *rate)
{
    const int n = work->base.model->dof;
    double *moved = work->moved;
    memcpy(moved, q, (size_t)n * sizeof *moved);
    functions_gaps(&work->base, t, q, work->gap);
    const double scale = fmax(carom_largest(n, q), fabs(work->gap[contact]));
    work->differences.terms = scale; /* a gap is a length, as positions are */
    for (int j = 0; j < n; j++) {
        moved_call call = {.work = work, .t = t, .q = moved, .number = &moved[j], .contact = contact};
        difference_find(&work->differences, moved_gap, &call, moved[j], scale, 1, &row[j]);
    }
    moved_call call = {.work = work, .t = t, .q = q, .contact = contact};
    call.number = &call.t;
    difference_find(&work->differences, moved_gap, &call, t, fabs(t), 1, rate);
}

static void functions_frame(carom_model_work *base, int contact, double t, const double *q,
                            carom_contact_frame *frame)
{
    const functions_model *model = model_of(base);
    const carom_model_functions *given = &model->given;
    const carom_contact_info *info = &model->base.contact[contact];
    const size_t n = (size_t)model->base.dof;
    clear(n, frame->normal.value);
    frame->normal_rate = 0.0;
    if (given->normal)
        given->normal(given->context, contact, t, q, frame->normal.value, &frame->normal_rate);
    else
        difference_normal((functions_work *)base, contact, t, q, frame->normal.value, &frame->normal_rate);
    for (int k = 0; k < info->tangents; k++) {
        clear(n, frame->tangent[k].value);
        frame->tangent_rate[k] = 0.0;
        given->slip(given->context, contact, k, t, q, frame->tangent[k].value, &frame->tangent_rate[k]);
    }
    frame->restitution = given->contact[contact].restitution;
    frame->stiffness = carom_default_stiffness;
    frame->exponent = carom_default_exponent;
    if (info->coefficients > 0)
        frame->coefficients[0] = given->contact[contact].friction;
}

static double functions_energy(carom_model_work *base, double t, const double *q, const double *v)
{
    const functions_model *model = model_of(base);
    functions_work *work = (functions_work *)base;
    const int n = model->base.dof;
    double energy = 0.0;
    functions_mass(base, t, q, work->mass);
    for (int i = 0; i < n; i++)
        energy += 0.5 * v[i] * carom_dot(n, work->mass + (size_t)i * (size_t)n, v);
    return model->given.potential ? energy + model->given.potential(model->given.context, t, q) : energy;
}

/* ---- work space ---------------------------------------------------------------------------- */

static void functions_work_free(carom_model_work *base)
{
    functions_work *work = (functions_work *)base;
    if (!work)
        return;
    carom_arena_free(work->arena);
    free(work);
}

static carom_model_work *functions_work_create(const carom_model *model)
{
    functions_work *work = calloc(1, sizeof *work);
    if (!work)
        return NULL;
    const size_t n = (size_t)model->dof;
    work->base.model = model;
    work->arena = carom_arena_create();
    if (work->arena && difference_take(&work->differences, work->arena, model->dof)) {
        work->mass = carom_arena_take(work->arena, carom_product(n, n), sizeof(double));
        work->moved = carom_arena_take(work->arena, n, sizeof(double));
        work->column = carom_arena_take(work->arena, n, sizeof(double));
        work->gap = carom_arena_take(work->arena, (size_t)model->contacts, sizeof(double));
        if (work->mass && work->moved && work->column && work->gap)
            return &work->base;
    }
    functions_work_free(&work->base);
    return NULL;
}

static void functions_bind(carom_model_work *work, const double *parameters)
{
    (void)work; /* what a parameter would be is in the context */
    (void)parameters;
}

static void functions_free(carom_model *base)
{
    functions_model *model = (functions_model *)base;
    carom_arena_free(model->arena);
    free(model);
}

static const carom_model_ops functions_ops = {
    .free = functions_free,
    .work_create = functions_work_create,
    .work_free = functions_work_free,
    .bind = functions_bind,
    .mass = functions_mass,
    .force = functions_force,
    .force_jacobian = functions_force_jacobian,
    .gaps = functions_gaps,
    .frame = functions_frame,
    .energy = functions_energy,
};

/* ---- checks -------------------------------------------------------------------------------- */

static carom_status check_contact(const carom_model_functions *given, int index, carom_error *error)
{
    const carom_function_contact *contact = &given->contact[index];
    if (!(contact->restitution >= 0.0 && contact->restitution <= 1.0))
        return carom_fail(error, CAROM_BAD_INPUT, "contact %d: restitution %g is outside [0, 1]", index + 1,
                          contact->restitution);
    if (contact->tangents < 0 || contact->tangents > CAROM_TANGENTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "contact %d: %d slip components; a contact has 0 to %d",
                          index + 1, contact->tangents, CAROM_TANGENTS_MAX);
    if (!(contact->friction >= 0.0 && isfinite(contact->friction)))
        return carom_fail(error, CAROM_BAD_INPUT, "contact %d: friction %g must be finite and >= 0",
                          index + 1, contact->friction);
    if (contact->friction > 0.0 && contact->tangents == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "contact %d: friction %g needs a direction to slip in; give tangents = 1 or 2 and "
                          "the function slip",
                          index + 1, contact->friction);
    if (contact->tangents > 0 && !given->slip)
        return carom_fail(error, CAROM_BAD_INPUT, "contact %d has tangents = %d; give the function slip",
                          index + 1, contact->tangents);
    return CAROM_OK;
}

static carom_status check(const carom_model_functions *given, carom_error *error)
{
    if (given->dof < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "the model has no coordinates; give dof >= 1 (got %d)",
                          given->dof);
    const int inertias = (given->masses != NULL) + (given->mass_matrix != NULL) + (given->mass != NULL);
    if (inertias != 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the model has %s inertia; give one of masses, mass_matrix and mass",
                          inertias ? "more than one" : "no");
    if (given->contacts < 0 || (given->contacts > 0 && !given->gap))
        return carom_fail(error, CAROM_BAD_INPUT, "%d contacts %s", given->contacts,
                          given->contacts < 0 ? "are not possible; give 0 or more" : "need the function gap");
    for (int k = 0; given->contact && k < given->contacts; k++) {
        const carom_status status = check_contact(given, k, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* ---- building ------------------------------------------------------------------------------ */

static char *name_or_number(carom_arena *arena, const char *name, const char *kind, int index)
{
    char numbered[32];
    snprintf(numbered, sizeof numbered, "%s%d", kind, index + 1);
    return carom_arena_copy_text(arena, name ? name : numbered);
}

static bool copy_mass(functions_model *model)
{
    const carom_model_functions *given = &model->given;
    const size_t n = (size_t)given->dof;
    model->base.constant_mass = !given->mass;
    if (given->mass)
        return true;
    model->mass = carom_arena_take(model->arena, carom_product(n, n), sizeof *model->mass);
    if (model->mass && given->mass_matrix)
        memcpy(model->mass, given->mass_matrix, n * n * sizeof *model->mass);
    for (size_t i = 0; model->mass && given->masses && i < n; i++)
        model->mass[i * n + i] = given->masses[i];
    return model->mass != NULL;
}

static bool copy_contacts(functions_model *model)
{
    carom_model *base = &model->base;
    const size_t contacts = (size_t)model->given.contacts;
    carom_function_contact *copy = carom_arena_take(model->arena, contacts, sizeof *copy);
    base->contact = carom_arena_take(model->arena, contacts, sizeof *base->contact);
    if (!copy || !base->contact)
        return false;
    for (int k = 0; k < model->given.contacts; k++) {
        if (model->given.contact)
            copy[k] = model->given.contact[k];
        const bool rubs = copy[k].friction > 0.0;
        base->contact[k] = (carom_contact_info){
            .name = name_or_number(model->arena, copy[k].name, "contact", k),
            .tangents = copy[k].tangents,
            .friction.dynamic_cone = {rubs ? &carom_friction_isotropic : NULL, rubs ? 1 : 0},
            .coefficients = rubs ? 1 : 0,
            .has_restitution = true,
        };
        copy[k].name = base->contact[k].name;
        if (!copy[k].name)
            return false;
    }
    base->contacts = model->given.contacts;
    model->given.contact = copy;
    return true;
}

static bool copy_description(functions_model *model)
{
    carom_model *base = &model->base;
    const char *const *name = model->given.coordinate;
    base->dof = model->given.dof;
    base->coordinate = carom_arena_take(model->arena, (size_t)base->dof, sizeof *base->coordinate);
    for (int i = 0; base->coordinate && i < base->dof; i++)
        if (!(base->coordinate[i] = name_or_number(model->arena, name ? name[i] : NULL, "q", i)))
            return false;
    const bool no_force = !model->given.force;
    base->constant_force = base->affine_force = base->constant_force_jacobian = no_force;
    if (!base->coordinate || !copy_mass(model) || !copy_contacts(model))
        return false;
    model->given.coordinate = NULL; /* the caller's: copied */
    model->given.masses = model->given.mass_matrix = NULL;
    return true;
}

carom_status carom_model_from_functions(const carom_model_functions *functions, carom_model **out,
                                        carom_error *error)
{
    *out = NULL;
    const carom_status status = check(functions, error);
    if (status != CAROM_OK)
        return status;
    functions_model *model = calloc(1, sizeof *model);
    if (!model)
        return carom_fail_memory(error);
    model->base.ops = &functions_ops;
    model->given = *functions;
    model->arena = carom_arena_create();
    if (!model->arena || !copy_description(model)) {
        functions_free(&model->base);
        return carom_fail_memory(error);
    }
    *out = &model->base;
    return CAROM_OK;
}
