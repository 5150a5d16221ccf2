/* Rolling and torsional friction of the points of a step: moments beside their impulses. Nothing of it is there in models
 * without. */
#ifndef CAROM_SCHEME_BODIES_MOMENTS_H
#define CAROM_SCHEME_BODIES_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/contact/pairs.h"
#include "carom/model/bodies.h"

struct body_step;

/* Moments as a contact of their own (carom_pair_moments), where the problem knows three numbers per contact. */
typedef struct moment_contact {
    int contact; /* that they belong to, counted within the island */
    bool torsion;
    carom_pair_rows row;
} moment_contact;

/* Per point, where the model has rolling or torsion; NULL: it has none. */
typedef struct body_moments {
    bool used;
    carom_pair_spin *spin;
    double *moment, *q; /* 3 per point, in the unit of impulses and velocities */
    carom_pair_spin *island_spin;
    moment_contact *contact; /* 2 per point */
} body_moments;

/* Does a pair of materials have them? Torsion is for space. */
bool body_moments_needed(const carom_bodies *bodies);
/* Room for so many points; false when memory is short. */
bool body_moments_take_room(body_moments *moments, size_t points);
void body_moments_free(body_moments *moments);

/* The point at `place`, whose rows are there. */
void body_moments_fill(struct body_step *self, int place, const carom_pair_law *law);
/* Relative spin of a point along the axes of moments, times its length. */
void body_moments_velocity(const struct body_step *self, int point, const double *velocity, double u[3]);
/* Those of `points` without contacts. */
void body_moments_find_problem(struct body_step *self, int points, const double *velocity);
/* moment := along the axes of space, and back. */
void body_moments_keep(const struct body_step *self, int point, double along[3]);
void body_moments_start(struct body_step *self, int point, const double along[3]);
/* An island's problem, whose points begin at `first` and whose numbers are q and r, gets its moments, when one of its points
 * has any; and they come back. Islands have places of their own. */
void body_moments_gather(struct body_step *self, int first, double *q, double *r, carom_pairs *problem);
void body_moments_scatter(struct body_step *self, int first, const double *r, const carom_pairs *problem);
/* Of an island with joints: lists its moments in moments.contact, by points, and returns how many they are. */
int body_moments_list(struct body_step *self, const int *point, int points);
/* Velocity of one by what free bodies do. */
void body_moments_contact_velocity(const carom_pair_rows *row, const double *velocity, double u[3]);
/* Its q, and its start r with the normal of the point; and the result. */
void body_moments_numbers(const struct body_step *self, int point, bool torsion, double normal, double scale,
                          double q[3], double r[3]);
void body_moments_set(struct body_step *self, int point, bool torsion, const double r[3]);
/* What a point's moments give the free bodies, and both bodies. */
double body_moments_work(const struct body_step *self, int point, double *of_pair);

#endif
