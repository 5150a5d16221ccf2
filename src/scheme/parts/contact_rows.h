/* The rows of contacts (normal, tangents) at one position, and what a unit impulse along a row does to the
 * velocity: its response, the inverse mass times the row. */
#ifndef CAROM_SCHEME_PARTS_CONTACT_ROWS_H
#define CAROM_SCHEME_PARTS_CONTACT_ROWS_H

#include <math.h>

#include "carom/linalg.h"
#include "carom/scheme.h"

typedef struct contact_rows {
    int dof;
    carom_contact_frame *frame; /* one per contact of the model */
    carom_row *response;        /* 3 per contact */
    int *kept;                  /* rows per contact that are known for good, with their responses */
} contact_rows;

/* What responses are wanted. They are full, n numbers each, but for those of a diagonal mass in a sparse model, which
 * have the columns of their rows. */
typedef enum contact_responses {
    RESPONSES_NONE, /* those of the rows are never asked for */
    RESPONSES_OF_MASS,
    RESPONSES_FULL, /* of another matrix than the mass */
} contact_responses;

bool contact_rows_take(contact_rows *rows, carom_arena *arena, const carom_model *model,
                       contact_responses responses);

/* What a scheme says when its memory was short: BAD_INPUT where full responses of a sparse model would be too many, which
 * contact_rows_take does not take. */
carom_status contact_rows_fail(const carom_stepper *stepper, contact_responses responses, carom_error *error);

static inline carom_row *contact_response(const contact_rows *rows, int contact, int component)
{
    return rows->response + CAROM_CONTACT_COMPONENTS * contact + component;
}

static inline const carom_row *contact_row(const contact_rows *rows, int contact, int component)
{
    const carom_contact_frame *frame = &rows->frame[contact];
    return component == 0 ? &frame->normal : &frame->tangent[component - 1];
}

/* Entry of W = G M^-1 G^T: what a unit impulse along a row of one contact does to the velocity along a row. */
static inline double contact_coupling(const contact_rows *rows, int contact, int component, int other,
                                      int other_component)
{
    return carom_row_product(contact_row(rows, contact, component),
                             contact_response(rows, other, other_component));
}

/* Gap rate (component 0) or slip at velocity u. */
static inline double contact_velocity(const contact_rows *rows, int contact, int component, const double *u)
{
    const carom_contact_frame *frame = &rows->frame[contact];
    double rate = component == 0 ? frame->normal_rate : frame->tangent_rate[component - 1];
    return carom_row_dot(contact_row(rows, contact, component), u) + rate;
}

/* True when a contact that carried an impulse in the previous step has a gap that is zero to rounding error. The scheme keeps
 * it closed: the sign of such a gap is arbitrary. */
bool contact_stays(const contact_rows *rows, const carom_stepper *stepper, int contact, double gap);

/* True when the contact's law and its coefficients at this position give friction. */
bool contact_has_friction(const carom_contact_info *info, const carom_contact_frame *frame);

/* BAD_INPUT: the contact states a restitution or a friction that the scheme does not treat; the text names schemes
 * that do. carom_stepper_create checks the start. */
carom_status contact_check_abilities(const carom_stepper *stepper, const carom_contact_info *info,
                                     const carom_contact_frame *frame, carom_error *error);

/* BAD_INPUT: a contact is absent, which the scheme has no place for. gap: of every contact at the start. */
carom_status refuse_absent_contacts(const carom_stepper *stepper, const double *gap, carom_error *error);

/* BAD_INPUT: the restitution of a contact lies outside [0, 1], or its law of friction does not take its
 * coefficients (not finite, negative); the text has the contact and the value. */
carom_status contact_check(const carom_contact_info *info, const carom_contact_frame *frame,
                           carom_error *error);

/* The same of a frame that a step has evaluated: they may depend on time and position, and friction that was zero
 * at the start may come to a scheme without friction. FAILED, with the time. A frame that does not change was
 * looked at in setup. */
carom_status contact_check_changed(const carom_stepper *stepper, double t, int contact,
                                   const carom_contact_frame *frame, carom_error *error);
static inline carom_status contact_check_step(const carom_stepper *stepper, double t, int contact,
                                              const carom_contact_frame *frame, carom_error *error)
{
    const carom_contact_info *info = &stepper->model->contact[contact];
    if (info->constant_frame || (info->constant_restitution && info->coefficients == 0))
        return CAROM_OK;
    return contact_check_changed(stepper, t, contact, frame, error);
}

/* True when a row, its response and its rate are finite: then their products are. */
static inline bool contact_row_finite(const contact_rows *rows, int contact, int component)
{
    const carom_contact_frame *frame = &rows->frame[contact];
    const double rate = component == 0 ? frame->normal_rate : frame->tangent_rate[component - 1];
    return isfinite(contact_coupling(rows, contact, component, contact, component) + rate);
}

/* Rows that a contact has: the normal and its tangents. */
static inline int contact_components(const carom_contact_info *info)
{
    return 1 + info->tangents;
}

#endif
