/* The law of a contact after a step, and its derivative with its status held:
 *
 *   open            p = 0                              closed       u_N = target
 *   sticks          u_T = 0                            slips        p_T = p_N x(u_T), x the point of the friction set
 *                                                                   farthest against the slip
 *
 * u are the velocities that the law speaks of: normal minus target, slips with what an oblique law adds. */
#ifndef CAROM_SCHEME_PARTS_CONTACT_TANGENT_H
#define CAROM_SCHEME_PARTS_CONTACT_TANGENT_H

#include "carom/scheme.h"

typedef enum contact_slip {
    SLIP_NONE,   /* frictionless, open, or it sticks */
    SLIP_SMOOTH, /* a boundary without corners, or the corner of an interval */
    SLIP_VERTEX, /* of a polygon */
    SLIP_EDGE,   /* of a polygon, between two vertices: the slip is perpendicular to it */
} contact_slip;

typedef struct contact_status {
    int contact;
    const carom_contact_info *info;
    int tangents;  /* components of friction that count */
    bool open;     /* carries no impulse */
    bool sticking; /* the static set ruled, where there are two */
    carom_contact_regime regime;
    contact_slip slip;
    int vertex;
    carom_planar_set set;
    const double *coefficients;
    double p[CAROM_CONTACT_COMPONENTS], u[CAROM_CONTACT_COMPONENTS];
    double x[CAROM_TANGENTS_MAX]; /* p_T / p_N where it slips */
    int first;                    /* its first unknown: of the components from `from` to the last tangent */
    int from;                     /* 0; 1 of a friction force, whose normal impulse is given */
} contact_status;

/* CAROM_OK when derivatives of the friction of all contacts are known, and the model is not too large for those of a step. */
carom_status contact_tangent_accepts(const carom_model *model, carom_error *error);

/* What the status is, from the impulses p, the velocities u and the regime of a step; the frame is the one of that step,
 * and must live as long. */
void contact_tangent_read(contact_status *status, const carom_contact_info *info,
                          const carom_contact_frame *frame, bool sticking, carom_contact_regime regime,
                          const double *p, const double *u);

/* Equations that it has, and unknowns: components from `from` on. */
static inline int contact_tangent_count(const contact_status *status)
{
    return status->open ? 0 : 1 + status->tangents - status->from;
}

/* Their derivatives along dp, du and the derivatives of the frame: contact_tangent_count numbers. */
void contact_tangent_rows(const contact_status *status, const carom_contact_frame *frame_along,
                          const double *dp, const double *du, double *row);

/* How far the status is from another one, relative to an impulse and a velocity of the step: small where it is not
 * strict. *other says which, for a text: "opens", "closes", "slips", "sticks". */
double contact_tangent_margin(const contact_status *status, double impulse, double velocity,
                              const char **other);

#endif
