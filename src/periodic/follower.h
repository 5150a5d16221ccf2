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
} branch_course;

/* The options with their defaults in the places of zeros; NULL: all of them. */
carom_branch_options branch_fill_options(const carom_branch_options *given);
carom_arclength_options arclength_fill_options(const carom_arclength_options *given);

/* Follows the curve from its first point; the branch's memory is the caller's to free in every case. */
carom_status branch_follow(carom_arclength *curve, const branch_course *course,
                           const carom_branch_options *options, carom_branch *branch, carom_error *error);

#endif
