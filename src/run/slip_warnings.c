/* Warnings about slips that are not tangential, in models of one point mass. */
#include <math.h>
#include <stdio.h>

#include "active_run.h"
#include "carom/model/level.h"

enum {
    SLIP_POINTS = 6 /* the start, and places around it, each moved to where the contact touches */
};

/* A cosine of the angle between normal and slip that no rounding error explains. */
static const double not_tangential = 1e-8;

typedef struct slip_check {
    carom_model_work *work;
    const carom_state *start;
    double size; /* of places around the start: a length of the motion */
    double *q, *gaps;
    carom_contact_frame frame;
} slip_check;

/* "0.6*dot(x) + 0.8*dot(y)": the tangential part of a slip, of unit length. */
static void write_tangent(const slip_check *check, int k, char *text, size_t size)
{
    const carom_model *model = check->work->model;
    const carom_row *normal = &check->frame.normal, *tangent = &check->frame.tangent[k];
    const double share = carom_row_product(normal, tangent) / carom_row_product(normal, normal);
    double part[CAROM_POINT_MAX], square = 0.0;
    for (int i = 0; i < model->dof; i++) {
        part[i] = carom_row_at(tangent, i) - share * carom_row_at(normal, i);
        square += part[i] * part[i];
    }
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < model->dof && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.4g*dot(%s)", i ? " + " : "",
                                 part[i] / sqrt(square), model->coordinate[i]);
}

static void write_place(const slip_check *check, char *text, size_t size)
{
    const carom_model *model = check->work->model;
    size_t used = 0;
    for (int i = 0; i < model->dof && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s = %.4g", i ? ", " : "", model->coordinate[i],
                                 check->q[i]);
}

/* True when the contact was warned of. */
static bool look_here(slip_check *check, int contact, carom_warnings *warnings)
{
    const carom_contact_info *info = &check->work->model->contact[contact];
    if (!carom_contact_reach(check->work, contact, check->start->t, check->size, check->q, check->gaps,
                             &check->frame))
        return false;
    for (int k = 0; k < info->tangents; k++) {
        const carom_row *normal = &check->frame.normal, *tangent = &check->frame.tangent[k];
        const double lengths = sqrt(carom_row_product(normal, normal) * carom_row_product(tangent, tangent));
        if (!(fabs(carom_row_product(normal, tangent)) > not_tangential * lengths))
            continue;
        char right[120], place[80];
        write_tangent(check, k, right, sizeof right);
        write_place(check, place, sizeof place);
        carom_warn(
            warnings,
            "contact '%s': slip%s is not tangential: at %s a tangent is %s. Write level in place of gap and "
            "slip, or distance = true if this is not one point mass",
            info->name,
            info->tangents == 1 ? ""
            : k == 0            ? " 1"
                                : " 2",
            place, right);
        return true;
    }
    return false;
}

static void look_at(active_run *run, slip_check *check, int contact)
{
    const carom_model *model = run->work->model;
    carom_random random = {1};
    bool warned = false;
    for (int point = 0; !warned && point < SLIP_POINTS; point++) {
        for (int i = 0; i < model->dof; i++) {
            const double aside = point == 0 ? 0.0 : carom_random_uniform(&random, -1.0, 1.0);
            check->q[i] = run->start.q[i] + check->size * aside;
        }
        warned = look_here(check, contact, &run->stepper->warnings);
    }
}

carom_status run_warn_of_slips(active_run *run, carom_error *error)
{
    const carom_model *model = run->work->model;
    slip_check check = {.work = run->work, .start = &run->start, .size = run->stepper->scales.length};
    for (int k = 0; model->one_point && k < model->contacts; k++) {
        const carom_contact_info *info = &model->contact[k];
        if (info->in_lengths || info->tangential || info->friction_force || info->coefficients == 0 ||
            info->tangents != model->dof - 1)
            continue;
        if (!check.q) {
            check.q = carom_arena_take(run->arena, (size_t)model->dof, sizeof(double));
            check.gaps = carom_arena_take(run->arena, (size_t)model->contacts, sizeof(double));
            if (!check.q || !check.gaps || !carom_contact_frame_take(run->arena, model, &check.frame))
                return carom_fail_memory(error);
        }
        look_at(run, &check, k);
    }
    return CAROM_OK;
}
