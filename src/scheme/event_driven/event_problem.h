/* Contacts that act together, at the level of accelerations or of an impact, as small dense data, and their forces once it
 * is known what each of them does.
 *
 *   a = W r + c        three places per contact: normal, tangents
 *
 *   open           r = 0,                a_N >= 0
 *   frictionless   a_N = 0, r_T = 0,     r_N >= 0
 *   stick          a = 0,                r_T in r_N D
 *   slip           a_N = 0, r_T = r_N x, r_N >= 0     x in D is given by the slip
 *
 * Contacts that slip make W r unsymmetric in the forces that are left: where W_NN + W_NT.x is not positive, no force or
 * several may be possible (Painleve). A friction force has no obstacle: its r_N is 1, and there is no a_N. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_EVENT_PROBLEM_H
#define CAROM_SCHEME_EVENT_DRIVEN_EVENT_PROBLEM_H

#include "carom/contact.h"

typedef enum event_status {
    EVENT_OPEN,
    EVENT_FRICTIONLESS,
    EVENT_STICK,
    EVENT_SLIP, /* direction of the slip: that of its velocity; in the plane its sign */
    EVENT_START, /* slips from rest: along a given direction, as long as its velocity is too small to have one */
} event_status;

static inline bool event_slips(int status)
{
    return status == EVENT_SLIP || status == EVENT_START;
}

typedef struct event_problem {
    int count, capacity; /* contacts */
    int *contact;        /* of the model */
    int *tangents;       /* 0: no friction */
    bool *bounded;       /* a friction force */
    bool *moves;         /* its slip has a direction already: it slips, or is open */
    unsigned char *status;
    carom_planar_set *set; /* D of those that do not move */
    double *W, *c;         /* (3 count) x (3 count), 3 count */
    double *x;             /* 2 per contact, of those that slip */
    double *r, *a;         /* 3 per contact: forces, and what they make of c */
    double *reference;     /* 3 per contact: where forces are not unique, those nearest to these ... */
    double *weight;        /* ... in these units, 3 per contact */
    bool redundant;        /* they are not unique */
    bool counting;         /* solutions are counted: W_NN + W_NT.x may be negative */
    int bad;               /* contact at whose row the last solution failed */
    int *unknown, *pivot;  /* work space */
    double *matrix, *vector, *scratch;
} event_problem;

/* Room for so many contacts, what stood there is lost. Takes memory; false when it is short. */
bool event_problem_make_room(event_problem *problem, int contacts);
void event_problem_free(event_problem *problem);

static inline double event_problem_at(const event_problem *problem, int k, int i, int l, int j)
{
    return problem->W[(ptrdiff_t)(3 * k + i) * 3 * problem->count + 3 * l + j];
}

/* Why a solution failed. */
typedef enum event_problem_end {
    EVENT_PROBLEM_SOLVED,
    EVENT_PROBLEM_PAINLEVE,  /* of contact `bad` W_NN + W_NT.x is not positive */
    EVENT_PROBLEM_DEPENDENT, /* rows depend on each other though `redundant` is not set */
} event_problem_end;

/* Forces r and accelerations a for the statuses. */
event_problem_end event_problem_solve(event_problem *problem);

/* How far the forces are from what the contact's status asks, relative to `size` (an acceleration); at most 0: not at all. */
double event_problem_violation(const event_problem *problem, int k, double size);
/* Largest of them. */
double event_problem_worst(const event_problem *problem, double size, int *worst);

/* What of friction force r_T is left of r_N D: positive inside, 0 on the boundary. */
double event_friction_margin(const carom_planar_set *set, int tangents, const double r[3]);
/* The friction x in D of a slip along v, which is not 0. */
void event_friction_of_slip(const carom_planar_set *set, int tangents, const double v[2], double x[2]);

/* Finds statuses and forces: contacts that `moves` slip by x or are open, others stick, or begin to slip with accelerations
 * against their friction. Sweeps over contacts, each solved exactly, then statuses until all hold. `zero`: an acceleration of
 * rounding. *several: there is another solution, as far as was looked. SOLVED: statuses, x, r and a. Otherwise there is none
 * (`bad`: a contact that none is found for). */
event_problem_end event_problem_decide(event_problem *problem, double zero, bool *several);

#endif
