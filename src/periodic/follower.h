/* A branch while it grows: what linear systems and shooting have in common. */
#ifndef CAROM_PERIODIC_FOLLOWER_H
#define CAROM_PERIODIC_FOLLOWER_H

#include "carom/periodic/branch.h"

/* What one point of a curve f(x, p) = 0 is as a motion. x is the unknowns of the curve, unknown what the
 * branch keeps of them (width numbers). */
typedef struct branch_course {
    void *context;
    int width;
    carom_status (*describe)(void *context, const double *x, double p, carom_branch_point *point,
                             double *unknown, carom_error *error);
    /* Smallest flight over the period. */
    double (*smallest_flight)(void *context, const double *x, double p);
    /* What follows may be NULL: then folds are seen and not located, and changes of stability not told apart. */
    /* The multiplier of the motion described last that is next to a point of the unit circle: to 1 (FOLD), -1 (FLIP), or of
     * a complex pair of modulus 1 (TORUS; false: it is real). */
    bool (*nearest)(void *context, carom_special to, double *real, double *imaginary);
    /* Of the motion described last, at which a multiplier is 1: are there others next to it with the same parameters? */
    bool (*branches)(void *context);
    /* Of the motion described last, where it ceases to be one: GRAZING, CORNER or STICKING, and the contact. */
    carom_special (*limit)(void *context, bool impact, int *contact);
    /* Likewise where its smallest flight vanishes. */
    carom_special (*merging)(void *context, int *contact);
    bool branches_off; /* the first point is one where branches meet: its own tests say nothing */
} branch_course;

/* A curve that begins at a solution where branches meet, with this direction of x; p does not change there. */
carom_status arclength_create_along(const carom_arclength_problem *problem,
                                    const carom_arclength_options *options, const double *x, double p,
                                    const double *direction, carom_arclength **curve, carom_error *error);

/* The direction in which the equations do not change, by inverse iteration with their matrix, which is nearly singular. */
carom_status branch_find_kernel(const carom_arclength_problem *problem, const double *x, double p,
                                double *kernel, carom_error *error);

/* Unknowns of the curve, without p. */
int arclength_size(const carom_arclength *curve);
/* How fast the parameter changes along the curve, dp/ds at a share of the last step (1: where the curve is now); false when
 * it cannot be computed. */
bool arclength_slope(carom_arclength *curve, double share, double *slope);

/* The options with their defaults in the places of zeros; NULL: all of them. */
carom_branch_options branch_fill_options(const carom_branch_options *given);
carom_arclength_options arclength_fill_options(const carom_arclength_options *given);

/* Follows the curve from its first point; the branch's memory is the caller's to free in every case. */
carom_status branch_follow(carom_arclength *curve, const branch_course *course,
                           const carom_branch_options *options, carom_branch *branch, carom_error *error);

/* Special motions over two parameters: two different ones of those of the model, or BAD_INPUT. */
carom_status branch_check_locus(int first, int second, int parameters, carom_error *error);
/* Follows them in the second parameter, from `second` on. x is the `size` - 1 unknowns of the motion and then the first parameter;
 * `residual` has as many rows, the last one what makes the motion special. */
carom_status branch_follow_locus(const branch_course *course,
                                 bool (*residual)(void *context, const double *x, double p, double *f),
                                 int size, const double *x, const double *scale, double second,
                                 const carom_branch_options *options, carom_branch *branch,
                                 carom_error *error);

/* A branch that a failure ends is LOST, and its text gives the reason. */
void branch_note_failure(carom_branch *branch, carom_status status, const carom_error *error);

#endif
