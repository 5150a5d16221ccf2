/* One step of bodies with shapes, for schemes: Moreau and Jean's. The data and parts stand in bodies/. */
#ifndef CAROM_SCHEME_BODY_STEP_H
#define CAROM_SCHEME_BODY_STEP_H

#include "carom/scheme.h"

/* Laws of impact of bodies. */
typedef enum body_impact {
    BODY_IMPACT_NEWTON, /* each point its own restitution, along the normal */
    BODY_IMPACT_MOREAU, /* one restitution for all that is struck, along tangents too: cannot gain energy */
} body_impact;

typedef struct body_step_options {
    double theta, prediction;
    bool projection;
    bool corrects_start; /* velocities that joints do not allow are corrected, not refused */
    body_impact impact;
    int threads;                    /* for islands; 0: 1 */
    const carom_solver_ops *solver; /* NULL: auto */
    carom_solver_options limits;
} body_step_options;

typedef struct body_step body_step;

carom_status body_step_create(carom_stepper *stepper, const body_step_options *options, body_step **self,
                              carom_error *error);
void body_step_free(body_step *self);
carom_status body_step_move(body_step *self, carom_error *error);
/* carom_stepper_body_points */
int body_step_points(body_step *self, int room, carom_body_point *point);
/* What the bits of later steps depend on. */
void body_step_keep(body_step *self, carom_snapshot *snapshot);

/* ---- derivatives of the steps: bodies/tangent/ ------------------------------------------------------------- */

typedef struct body_tangent body_tangent;

/* As carom_tangent_ops.accepts. */
carom_status body_tangent_accepts(const body_step *step, carom_error *error);
/* The options are the places of theta and prediction. What was made stands in *self also after a failure, to be freed. */
carom_status body_tangent_create(carom_tangent *base, body_step *step, int theta_option,
                                 int prediction_option, body_tangent **self, carom_error *error);
carom_status body_tangent_step(body_tangent *self, carom_error *error);
void body_tangent_free(body_tangent *self);

#endif
