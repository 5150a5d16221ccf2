/* Shooting: flights of given duration and impacts of one model, and equations made of them. */
#ifndef CAROM_PERIODIC_SHOOTING_SHOOTING_H
#define CAROM_PERIODIC_SHOOTING_SHOOTING_H

#include "carom/linalg.h"
#include "carom/periodic/shooting.h"

enum {
    EXTRAPOLATIONS = 6 /* columns of the extrapolation: order 12 */
};

/* Flights and impacts; states are q, v. */
typedef struct shooting_flow {
    carom_model_work *work;
    int dof, size;  /* size: 2 dof */
    double damping; /* an acceleration -damping v: not of the model, see CAROM_SHOOT_CONSERVATIVE */
    bool constant_mass, factored;
    double *mass; /* dof x dof: its factor */
    double *gaps; /* per contact */
    carom_contact_frame frame;
    double *response; /* M^-1 n */
    double *table[EXTRAPOLATIONS];
    double *low, *high, *next, *rate;
    double *kept;      /* size */
    double truncation; /* of the last flight: estimated error relative to 1 and the state */
} shooting_flow;

bool shooting_flow_take(shooting_flow *flow, carom_arena *arena, carom_model_work *work);
/* After the parameters of the work have changed. */
void shooting_flow_changed(shooting_flow *flow);
bool shooting_acceleration(shooting_flow *flow, double t, const double *q, const double *v,
                           double *acceleration);
/* The state after `duration` in `steps` equal steps of extrapolation; false when it cannot be computed. */
bool shooting_fly(shooting_flow *flow, double t, double duration, int steps, double *state);
/* Gap of a contact and its rate; the normal stays in flow->frame. */
double shooting_gap(shooting_flow *flow, int contact, double t, const double *state, double *rate);
/* The velocity after an impact of the contact, v - (1 + e) M^-1 n gap' / (n . M^-1 n). */
bool shooting_strike(shooting_flow *flow, int contact, double t, double *state);

struct carom_shooting {
    carom_arena *arena; /* owns everything but the work */
    const carom_model *model;
    carom_model_work *work;
    shooting_flow flow;
    carom_shooting_kind kind;
    int dof, impacts, unknowns;
    int *contact;
    double *parameter;
    double period; /* of the problem */
    int frequency, multiple;
    double tolerance;
    int *steps;      /* per flight */
    int free;        /* what the curve's p is: parameter or CAROM_SHOOT_PERIOD; FREE_NONE: nothing */
    double *state;   /* 2 dof */
    double *x;       /* unknowns */
    double *scale;   /* typical sizes of the unknowns */
    double *columns; /* for monodromy: 3 x 2 dof x 2 dof */
    carom_shot shot; /* of a point of a branch, its arrays from the arena */
};

enum {
    FREE_NONE = -2
};

/* BAD_INPUT when a conservative motion strikes a contact whose restitution is not 1. */
carom_status shooting_check_restitution(carom_shooting *self, const carom_shot *shot, carom_error *error);

/* Unknowns from and to a shot. */
void shooting_pack(carom_shooting *shooting, const carom_shot *shot, double *x);
bool shooting_unpack(carom_shooting *shooting, const double *x, carom_shot *shot);
/* Sets what p stands for. */
bool shooting_bind(carom_shooting *shooting, double p);
bool shooting_residual(void *context, const double *x, double p, double *f);
/* Enough steps for each flight of the shot. */
carom_status shooting_choose_steps(carom_shooting *shooting, const carom_shot *shot, carom_error *error);
/* Energy, gaps, approach, multiplier of a solution. */
carom_status shooting_describe(carom_shooting *shooting, carom_shot *shot, carom_error *error);

/* Largest modulus of the eigenvalues of a monodromy matrix, which is overwritten. */
carom_status shooting_largest_multiplier(carom_shooting *shooting, const carom_shot *shot, double *matrix,
                                         double *largest, carom_error *error);

#endif
