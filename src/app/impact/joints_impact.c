/* The joints of a model in its impact: rows that hold before and after. */
#include <math.h>

#include "app/impact_output.h"

/* Sums of numbers that cancel leave rounding. */
static double tolerance_of(int n, const double *row, const double *x, double rest)
{
    double size = fabs(rest);
    for (int i = 0; i < n; i++)
        size += fabs(row[i] * x[i]);
    return 1e-9 * size + 1e-12;
}

static carom_status check_value(const impact_case *made, int joint, bool is_rate, double value,
                                double tolerance, carom_error *error)
{
    if (fabs(value) <= tolerance)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "the initial %s of %s does not satisfy joint '%s': its %s is %g and must be 0 within %.3g; "
        "correct the initial %s",
        is_rate ? "velocity" : "position", made->title, made->joint[joint], is_rate ? "rate" : "value", value,
        tolerance, is_rate ? "velocities" : "positions");
}

/* J, joints x coordinates: the first rows of the model's constraints, which are sparse by columns. */
static bool take_rows(impact_case *made, carom_model_work *work, const carom_motion *motion, double *joint)
{
    const carom_model *model = work->model;
    const carom_sparse *pattern = model->ops->block_pattern(model, CAROM_BLOCK_ROWS);
    double *entry = carom_arena_take(made->arena, (size_t)pattern->column_start[model->dof], sizeof *entry);
    if (!entry)
        return false;
    model->ops->block(work, CAROM_BLOCK_ROWS, motion, entry);
    for (int i = 0; i < model->dof; i++)
        for (int k = pattern->column_start[i]; k < pattern->column_start[i + 1]; k++)
            if (pattern->row[k] < model->joints)
                joint[(ptrdiff_t)pattern->row[k] * model->dof + i] = entry[k];
    return true;
}

carom_status take_impact_joints(impact_case *made, carom_model_work *work, double t, const double *q,
                                carom_error *error)
{
    const carom_model *model = work->model;
    const int n = model->dof, joints = model->joints;
    const carom_motion motion = {.t = t, .q = q, .v = q}; /* its velocity has no part in what is asked */
    if (joints == 0)
        return CAROM_OK;
    const size_t constraints = (size_t)joints + (size_t)model->contacts;
    double *joint = carom_arena_take(made->arena, (size_t)joints, (size_t)n * sizeof *joint);
    double *value = carom_arena_take(made->arena, constraints, sizeof *value);
    made->joint_rate = carom_arena_take(made->arena, constraints, sizeof *made->joint_rate);
    made->joint = carom_arena_take(made->arena, (size_t)joints, sizeof *made->joint);
    if (!joint || !value || !made->joint_rate || !made->joint || !take_rows(made, work, &motion, joint))
        return carom_fail_memory(error);
    model->ops->constraints(work, &motion, value, made->joint_rate, NULL);
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < joints; k++) {
        const double tolerance = tolerance_of(n, joint + (ptrdiff_t)k * n, q, made->joint_rate[k] * t);
        made->joint[k] = carom_arena_copy_text(made->arena, model->joint[k]);
        status = made->joint[k] ? check_value(made, k, false, value[k], tolerance, error)
                                : carom_fail_memory(error);
    }
    made->impact.joints = joints;
    made->impact.joint = joint;
    return status;
}

carom_status check_impact_joints(const impact_case *made, carom_error *error)
{
    const carom_impact *impact = &made->impact;
    carom_status status = CAROM_OK;
    for (int k = 0; status == CAROM_OK && k < impact->joints; k++) {
        const double *row = impact->joint + (ptrdiff_t)k * impact->coordinates;
        double rate = made->joint_rate[k];
        for (int i = 0; i < impact->coordinates; i++)
            rate += row[i] * impact->velocity[i];
        status =
            check_value(made, k, true, rate,
                        tolerance_of(impact->coordinates, row, impact->velocity, made->joint_rate[k]), error);
    }
    return status;
}
