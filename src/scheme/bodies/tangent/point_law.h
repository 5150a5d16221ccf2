/* The law of a point that two bodies touch at, with its status held:
 *
 *   open     p = 0                     closed   u_N = 0
 *   sticks   u = 0                     slips    p + bound p_N u/|u| = 0
 *
 * of u = velocity + shift, for friction along the tangents, and for moments: rolling about the tangents, torsion about the normal, with
 * spins in the place of velocities. */
#ifndef CAROM_SCHEME_BODIES_TANGENT_POINT_LAW_H
#define CAROM_SCHEME_BODIES_TANGENT_POINT_LAW_H

#include "replay.h"

typedef enum friction_status {
    FRICTION_NONE,
    FRICTION_STICKS,
    FRICTION_SLIPS
} friction_status;

enum {
    FRICTIONS = 3 /* tangents, rolling, torsion */
};

typedef struct point_law {
    bool open;
    friction_status friction[FRICTIONS];
    int first, rows;                     /* place among the unknowns */
    int component[REPLAY_COMPONENTS];    /* which of p each of them is */
    bool is_velocity[REPLAY_COMPONENTS]; /* its law speaks of u, else of p */
    double u[REPLAY_COMPONENTS], p[REPLAY_COMPONENTS];
    bool at_bound;     /* it sticks, and friction can hold no more */
    bool is_reduced;   /* some rows of these two bodies are left out: patch_rows.c */
    const char *other; /* what it does on one side, where its status is not strict; NULL: it is */
} point_law;

/* Of point i at the solution that stands in the replay; impulse and speed are what is small is measured by. `first` is left. */
void point_law_read(const body_replay *replay, int i, double impulse, double speed, point_law *law);
/* Its u and p alone. */
void point_law_read_values(const body_replay *replay, int i, point_law *law);
/* What the law makes zero, one number per unknown. */
void point_law_rows(const point_law *law, const replay_point *point, const carom_dual p[REPLAY_COMPONENTS],
                    const carom_dual u[REPLAY_COMPONENTS], carom_dual row[REPLAY_COMPONENTS]);

/* Leaves out rows that others of the same two bodies make superfluous, before places are given. */
void point_laws_reduce(const body_replay *replay, point_law *law);

#endif
