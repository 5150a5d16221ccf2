/* Contacts of expressions beside those that bodies find: gap(q, t) >= 0 with slips that are linear in the velocities. Their
 * rows stand behind those of joints and guides (body_joints.h), taken at the predicted position like those of points. */
#ifndef CAROM_SCHEME_BODIES_ROW_CONTACTS_H
#define CAROM_SCHEME_BODIES_ROW_CONTACTS_H

#include "carom/model/bodies.h"
#include "carom/scheme.h"

typedef struct row_contact {
    double gap, end_gap;        /* at the predicted position, at the end of the step */
    double before[3], after[3]; /* gap rate and slips at the start and the end of the step */
    double shift;               /* after[0] + shift >= 0 */
    double bounce;              /* ... and slips + bounce before: Coulomb's law holds for these sums */
    double mu;                  /* of a friction force: what it can do in the step */
    double impulse[3];
    bool takes_part; /* in the problem at hand */
    int island;
    unsigned char regime; /* of the step before */
} row_contact;

typedef struct body_step_row_contacts {
    int count;
    row_contact *contact;
    double *number; /* 3 per contact, of the model */
    int *list;      /* those of an island */
} body_step_row_contacts;

struct body_step;

carom_status row_contacts_set_up(struct body_step *self, carom_error *error);
/* The first row of a contact. */
int row_contacts_row(const struct body_step *self, int contact);
/* Laws, and which contacts are closed: at the predicted position, after the rows are there. */
carom_status row_contacts_begin(struct body_step *self, carom_error *error);
/* Relative velocity for a motion, with what moves by itself; without it for a displacement. */
void row_contacts_velocity(const struct body_step *self, int contact, const double *x, bool with_rates,
                           double u[3]);
/* Works and what is told, with self->end. */
void row_contacts_account(struct body_step *self);
/* Gaps at q, the end of the step; the deepest penetration. */
double row_contacts_end_gaps(struct body_step *self, const double *q);
/* Those within `reach` take part in the projection. */
void row_contacts_select(struct body_step *self, double reach);
/* Gaps after the projection, and what is left of penetration. */
void row_contacts_note(struct body_step *self, const double *q);
void row_contacts_tell_events(struct body_step *self, double energy_before, double energy_after);

#endif
