#include <float.h>
#include <math.h>

#include "contact_rows.h"

#include "sparse_matrix.h"
#include "step_report.h"

/* Most numbers in the full responses of a sparse model: half a gigabyte. */
static const double full_responses_max = 6.4e7;

/* True when M^-1 leaves rows their columns. */
static bool keeps_columns(const carom_model *model)
{
    return carom_model_is_sparse(model) &&
           carom_sparse_is_diagonal(model->ops->matrix_pattern(model, CAROM_MATRIX_MASS));
}

static bool take_responses(contact_rows *rows, carom_arena *arena, const carom_model *model, int contact,
                           bool as_rows)
{
    const carom_contact_info *info = &model->contact[contact];
    for (int k = 0; k < contact_components(info); k++) {
        const carom_row_pattern *pattern = &info->row[k];
        const bool sparse = as_rows && pattern->column;
        carom_row *response = contact_response(rows, contact, k);
        *response = (carom_row){.count = sparse ? pattern->count : model->dof,
                                .column = sparse ? pattern->column : NULL};
        response->value = carom_arena_take(arena, (size_t)response->count, sizeof(double));
        if (!response->value)
            return false;
    }
    return true;
}

/* Full responses of a sparse model, more than are taken. */
static bool has_too_many(const carom_model *model, contact_responses responses)
{
    const bool as_rows = responses == RESPONSES_OF_MASS && keeps_columns(model);
    return carom_model_is_sparse(model) && responses != RESPONSES_NONE && !as_rows &&
           (double)model->contacts * (double)model->dof > full_responses_max;
}

carom_status contact_rows_fail(const carom_stepper *stepper, contact_responses responses, carom_error *error)
{
    const carom_model *model = stepper->model;
    if (!has_too_many(model, responses))
        return carom_fail_memory(error);
    const double bytes = (double)model->contacts * (double)model->dof * sizeof(double);
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "scheme '%s' keeps here what an impulse at each contact does to every velocity%s: %d contacts, %d "
        "coordinates, at least %.3g GB, and more than %.3g GB are not taken: take moreau-jean, which keeps "
        "nothing like that, or fewer coordinates",
        stepper->ops->name, responses == RESPONSES_OF_MASS ? ", because the mass matrix is not diagonal" : "",
        model->contacts, model->dof, 1e-9 * bytes, 1e-9 * full_responses_max * sizeof(double));
}

bool contact_rows_take(contact_rows *rows, carom_arena *arena, const carom_model *model,
                       contact_responses responses)
{
    const size_t contacts = (size_t)model->contacts;
    const bool as_rows = responses == RESPONSES_OF_MASS && keeps_columns(model);
    rows->dof = model->dof;
    rows->frame = carom_arena_take(arena, contacts, sizeof *rows->frame);
    rows->response = carom_arena_take(arena, contacts * CAROM_CONTACT_COMPONENTS, sizeof *rows->response);
    rows->kept = carom_arena_take(arena, contacts, sizeof *rows->kept);
    if (!rows->frame || !rows->response || !rows->kept)
        return false;
    if (has_too_many(model, responses))
        return false;
    for (int contact = 0; contact < model->contacts; contact++)
        if (!carom_contact_frame_take_for(arena, model, contact, &rows->frame[contact]) ||
            (responses != RESPONSES_NONE && !take_responses(rows, arena, model, contact, as_rows)))
            return false;
    return true;
}

bool contact_has_friction(const carom_contact_info *info, const carom_contact_frame *frame)
{
    return info->tangents > 0 && carom_friction_law_acts(&info->friction, frame->coefficients);
}

static carom_status fail_friction(const carom_stepper *stepper, const carom_contact_info *info,
                                  carom_error *error)
{
    char able[200];
    return carom_fail(error, CAROM_BAD_INPUT,
                      "contact '%s' has friction, which scheme '%s' does not treat; take %s", info->name,
                      stepper->ops->name,
                      carom_scheme_names_for(stepper->model, CAROM_SCHEME_FRICTION, able, sizeof able));
}

carom_status contact_check_abilities(const carom_stepper *stepper, const carom_contact_info *info,
                                     const carom_contact_frame *frame, carom_error *error)
{
    const carom_scheme_ops *scheme = stepper->ops;
    char able[200];
    if (!(scheme->abilities & CAROM_SCHEME_RESTITUTION) && info->has_restitution &&
        frame->restitution != scheme->restitution)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s': restitution %g, but scheme '%s' has restitution %g by its rule; take %s, or leave "
            "the restitution out",
            info->name, frame->restitution, scheme->name, scheme->restitution,
            carom_scheme_names_for(stepper->model, CAROM_SCHEME_RESTITUTION, able, sizeof able));
    if (!(scheme->abilities & CAROM_SCHEME_FRICTION) && !info->friction_force &&
        contact_has_friction(info, frame))
        return fail_friction(stepper, info, error);
    return CAROM_OK;
}

carom_status refuse_absent_contacts(const carom_stepper *stepper, const double *gap, carom_error *error)
{
    char able[200];
    for (int contact = 0; contact < stepper->contacts; contact++)
        if (stepper->model->contact[contact].may_be_absent && gap[contact] == INFINITY)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "the gap of contact '%s' is %g; it must be a finite number in scheme '%s'; take %s",
                stepper->model->contact[contact].name, gap[contact], stepper->ops->name,
                carom_scheme_names_with(CAROM_SCHEME_STRUCTURES, able, sizeof able));
    return CAROM_OK;
}

carom_status contact_check(const carom_contact_info *info, const carom_contact_frame *frame,
                           carom_error *error)
{
    if (info->has_restitution && !(frame->restitution >= 0.0 && frame->restitution <= 1.0))
        return carom_fail(error, CAROM_BAD_INPUT, "contact '%s': restitution %g is not in [0, 1]", info->name,
                          frame->restitution);
    return carom_friction_law_check(&info->friction, frame->coefficients, info->tangents, info->name, error);
}

carom_status contact_check_changed(const carom_stepper *stepper, double t, int contact,
                                   const carom_contact_frame *frame, carom_error *error)
{
    const carom_contact_info *info = &stepper->model->contact[contact];
    carom_error why;
    carom_status status = contact_check(info, frame, &why);
    if (status == CAROM_OK)
        status = contact_check_abilities(stepper, info, frame, &why);
    return status == CAROM_OK ? CAROM_OK : fail_step(error, t, step_number(stepper), "%s", why.text);
}

/* Rounding errors of positions and displacements, seen along the normal of the previous step, in units of the last digit. */
static const double gap_rounding = 64.0;

bool contact_stays(const contact_rows *rows, const carom_stepper *stepper, int contact, double gap)
{
    const carom_state *state = &stepper->state;
    if (state->regime[contact] == CAROM_CONTACT_OPEN)
        return false;
    const carom_row *normal = &rows->frame[contact].normal;
    double size = 0.0;
    for (int i = 0; i < normal->count; i++) {
        const int k = normal->column ? normal->column[i] : i;
        size += fabs(normal->value[i]) *
                (stepper->scales.length + fabs(state->q[k]) + fabs(stepper->h * state->v[k]));
    }
    return gap <= gap_rounding * DBL_EPSILON * size;
}
