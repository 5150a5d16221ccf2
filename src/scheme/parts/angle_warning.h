/* The angle condition at corners: grad_a.M^-1 grad_b <= 0 for e = 0, = 0 for e > 0, for all contacts that act
 * together (Paoli 2018, section 6 of the theory). Where it fails the motion may jump with the data. */
#ifndef CAROM_SCHEME_PARTS_ANGLE_WARNING_H
#define CAROM_SCHEME_PARTS_ANGLE_WARNING_H

#include "carom/scheme.h"

/* matrix: count x count, G M^-1 G^T of the contacts that act. Warns once per run: *warned remembers. */
void warn_about_angles(carom_warnings *warnings, bool *warned, int count, const double *matrix,
                       double restitution, double t);

#endif
