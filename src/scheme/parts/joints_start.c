#include "joints_start.h"

#include <math.h>
#include <string.h>

#include "joint_system.h"
#include "mass_factor.h"
#include "sparse_joints.h"
#include "start_mass.h"

typedef struct joints_start {
    carom_model_work *work;
    const carom_model *model;
    carom_arena *arena; /* while the start is prepared */
    double t;
    bool is_sparse; /* the model is: its matrix in place of the next two */
    joint_system joints;
    start_mass mass;
    sparse_joints sparse;
    double *q_given, *v_given;
    double *step, *impulse; /* of a sparse model */
} joints_start;

static carom_status take_memory(joints_start *start, carom_error *error)
{
    const size_t dof = (size_t)start->model->dof;
    char what[200];
    carom_format(what, sizeof what, "joint '%s'", start->model->joint[0]);
    start->q_given = carom_arena_take(start->arena, dof, sizeof(double));
    start->v_given = carom_arena_take(start->arena, dof, sizeof(double));
    start->is_sparse = carom_model_is_sparse(start->model);
    if (!start->q_given || !start->v_given)
        return carom_fail_memory(error);
    if (start->is_sparse) {
        start->step = carom_arena_take(start->arena, dof, sizeof(double));
        start->impulse = carom_arena_take(start->arena, (size_t)start->model->joints, sizeof(double));
        return start->step && start->impulse && sparse_joints_take(&start->sparse, start->arena, start->work)
                   ? CAROM_OK
                   : carom_fail_memory(error);
    }
    if (!joint_system_take(&start->joints, start->arena, start->work))
        return carom_fail_memory(error);
    return start_mass_take(&start->mass, start->arena, start->model, what, error);
}

static carom_status fail_not_finite_joints(carom_error *error)
{
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the derivatives of the joints are not finite numbers at the initial position");
}

static carom_status prepare_sparse(joints_start *start, const double *q, carom_error *error)
{
    char text[1024];
    if (sparse_joints_find_dependent(&start->sparse, start->t, q, text, sizeof text))
        return carom_fail(error, CAROM_BAD_INPUT, "at the initial position %s", text);
    const int bad = sparse_joints_factor(&start->sparse, start->t, q);
    if (bad < 0)
        return fail_not_finite_joints(error);
    return bad == 0 ? CAROM_OK
                    : carom_fail(error, CAROM_BAD_INPUT,
                                 "at the initial position the joints and the mass matrix are singular: a "
                                 "joint depends on the others, or a coordinate has too little mass");
}

/* Rows, responses and factors at q. */
static carom_status prepare_joints(joints_start *start, const double *q, carom_error *error)
{
    char text[1024];
    bool changed = false;
    if (start->is_sparse)
        return prepare_sparse(start, q, error);
    start_mass_factor(&start->mass, start->work, start->t, q);
    const int dependent = joint_system_prepare(&start->joints, &start->mass.newton, start->t, q, &changed);
    if (dependent < 0)
        return fail_not_finite_joints(error);
    if (joint_system_find_dependent(&start->joints, text, sizeof text))
        return carom_fail(error, CAROM_BAD_INPUT, "at the initial position %s", text);
    joint_system_prepare(&start->joints, &start->mass.newton, start->t, q, &changed);
    return CAROM_OK;
}

static carom_status fail_violation(const joints_start *start, bool rate, const joint_violation *worst,
                                   carom_error *error)
{
    const char *name = start->model->joint[worst->joint];
    if (!isfinite(worst->ratio))
        return carom_fail(error, CAROM_BAD_INPUT, "joint '%s': its %s is %g at the start; it must be finite",
                          name, rate ? "rate" : "value", worst->value);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the initial %s does not satisfy joint '%s': its %s is %g and must be 0 within %.3g; "
                      "correct the initial %s, or take option initial=project",
                      rate ? "velocity" : "position", name, rate ? "rate" : "value", worst->value,
                      worst->tolerance, rate ? "velocities" : "positions");
}

static carom_status project_position(joints_start *start, double *q, carom_error *error)
{
    joint_violation left;
    char text[1024];
    int dependent = 0;
    if (start->is_sparse
            ? sparse_joints_project(&start->sparse, start->t, q, start->step, start->impulse, &left)
            : joint_system_project(&start->joints, &start->mass.newton, start->t, q, &left, &dependent))
        return CAROM_OK;
    if (start->is_sparse ? isfinite(left.ratio) &&
                               sparse_joints_find_dependent(&start->sparse, start->t, q, text, sizeof text)
                         : dependent > 0 && joint_system_find_dependent(&start->joints, text, sizeof text))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "initial=project: on the way to a position that satisfies the joints %s; give an "
                          "initial position that is nearer",
                          text);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "initial=project found no position that satisfies joint '%s': its value is still %g; "
                      "give an initial position that is nearer",
                      start->model->joint[left.joint], left.value);
}

/* size: of each number, so that angles are compared with lengths; NULL: 1 */
static void warn_of_change(const carom_model *model, bool velocity, const double *size, double tolerance,
                           const double *now, const double *before, carom_warnings *warnings)
{
    int largest = 0;
    double most = 0.0, all = 0.0;
    for (int i = 0; i < model->dof; i++) {
        const double weight = size ? size[i] : 1.0, moved = weight * fabs(now[i] - before[i]);
        all = fmax(all, weight * fabs(before[i]));
        if (moved > most) {
            most = moved;
            largest = i;
        }
    }
    const double change = now[largest] - before[largest];
    if (most > tolerance * all)
        carom_warn(warnings,
                   "initial=project: the joints changed the initial %s, most that of '%s': by %.6g to %.9g",
                   velocity ? "velocity" : "position",
                   velocity ? carom_model_velocity_name(model, largest) : model->coordinate[largest], change,
                   now[largest]);
}

void joints_warn_of_velocity(const carom_model *model, const double *size, double tolerance,
                             const double *now, const double *before, carom_warnings *warnings)
{
    warn_of_change(model, true, size, tolerance, now, before, warnings);
}

static joint_violation find_violation(joints_start *start, const double *q, const double *v)
{
    return start->is_sparse ? sparse_joints_violation(&start->sparse, start->t, q, v)
                            : joint_system_violation(&start->joints, start->t, q, v);
}

static carom_status settle_position(joints_start *start, bool project, double *q, carom_warnings *warnings,
                                    carom_error *error)
{
    const joint_violation worst = find_violation(start, q, NULL);
    if (worst.ratio <= 1.0)
        return CAROM_OK;
    if (!project || !isfinite(worst.ratio))
        return fail_violation(start, false, &worst, error);
    carom_status status = project_position(start, q, error);
    if (status == CAROM_OK)
        status = prepare_joints(start, q, error); /* in the metric of where it came to */
    if (status == CAROM_OK)
        warn_of_change(start->model, false, NULL, 0.0, q, start->q_given, warnings);
    return status;
}

/* v next to the one before whose rates of the joints are zero. */
static void project_velocity(joints_start *start, double *v)
{
    if (!start->is_sparse) {
        joint_system_eliminate(&start->joints, start->joints.rate, v);
        return;
    }
    memset(start->step, 0, (size_t)start->model->dof * sizeof *start->step);
    for (int k = 0; k < start->model->joints; k++)
        start->impulse[k] = -start->sparse.value[k];
    sparse_joints_solve(&start->sparse, start->step, start->impulse);
    carom_axpy(start->model->dof, 1.0, start->step, v);
}

static carom_status settle_velocity(joints_start *start, bool project, const double *q, double *v,
                                    carom_warnings *warnings, carom_error *error)
{
    const joint_violation worst = find_violation(start, q, v);
    if (worst.ratio <= 1.0)
        return CAROM_OK;
    if (!project || !isfinite(worst.ratio))
        return fail_violation(start, true, &worst, error);
    project_velocity(start, v);
    warn_of_change(start->model, true, NULL, 0.0, v, start->v_given, warnings);
    return CAROM_OK;
}

static carom_status prepare(joints_start *start, bool project, double *q, double *v, carom_warnings *warnings,
                            carom_error *error)
{
    const size_t bytes = (size_t)start->model->dof * sizeof *q;
    carom_status status = mass_check(start->work, start->t, q, NULL, error);
    if (status != CAROM_OK || start->model->joints == 0)
        return status;
    status = take_memory(start, error);
    if (status != CAROM_OK)
        return status;
    memcpy(start->q_given, q, bytes);
    memcpy(start->v_given, v, bytes);
    status = carom_model_scales(start->work, start->t, q, v, 1.0, &start->joints.scales, error);
    start->sparse.scales = start->joints.scales;
    if (status == CAROM_OK)
        status = prepare_joints(start, q, error);
    if (status == CAROM_OK)
        status = settle_position(start, project, q, warnings, error);
    if (status == CAROM_OK)
        status = settle_velocity(start, project, q, v, warnings, error);
    return status;
}

carom_status joints_prepare_start(carom_model_work *work, double t, bool project, double *q, double *v,
                                  carom_warnings *warnings, carom_error *error)
{
    joints_start start = {.work = work, .model = work->model, .t = t, .arena = carom_arena_create()};
    if (!start.arena)
        return carom_fail_memory(error);
    const carom_status status = prepare(&start, project, q, v, warnings, error);
    sparse_joints_free(&start.sparse);
    carom_arena_free(start.arena);
    return status;
}
