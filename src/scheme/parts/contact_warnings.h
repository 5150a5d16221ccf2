/* What is legal of contacts but may not be meant. */
#ifndef CAROM_SCHEME_PARTS_CONTACT_WARNINGS_H
#define CAROM_SCHEME_PARTS_CONTACT_WARNINGS_H

#include "carom/scheme.h"
#include "contact_rows.h"

/* True if the gap of a contact falls at the velocity v, by more than rounding of its rate. */
bool is_closing(const contact_rows *rows, int contact, const double *v);

/* Looks at the contacts at the start: rows and gaps evaluated there, initial velocity v. */
void warn_about_start(carom_warnings *warnings, const carom_model *model, const contact_rows *rows,
                      const double *gap, const double *v);

/* The angle condition at corners: grad_a.M^-1 grad_b <= 0 for e = 0, = 0 for e > 0, for all contacts that act
 * together (Paoli 2018, section 6 of the theory). Where it fails the motion may jump with the data.
 *
 * matrix: count x count, G M^-1 G^T of the contacts that act. Warns once per run: *warned remembers. */
void warn_about_angles(carom_warnings *warnings, bool *warned, int count, const double *matrix,
                       double restitution, double t);

#endif
