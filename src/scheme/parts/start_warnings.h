/* What is legal at the start of a run but may not be meant. */
#ifndef CAROM_SCHEME_PARTS_START_WARNINGS_H
#define CAROM_SCHEME_PARTS_START_WARNINGS_H

#include "carom/scheme.h"
#include "contact_rows.h"

/* Looks at the contacts at the start: rows and gaps evaluated there, initial velocity v. */
void warn_about_start(carom_warnings *warnings, const carom_model *model, const contact_rows *rows,
                      const double *gap, const double *v);

#endif
