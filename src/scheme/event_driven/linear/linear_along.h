/* What event-driven does for event-driven-linear, whose motion is the same: moments at which several contacts act on each other,
 * and derivatives. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_LINEAR_ALONG_H
#define CAROM_SCHEME_EVENT_DRIVEN_LINEAR_ALONG_H

#include "carom/scheme.h"

/* Places of the options of event-driven-linear; event-driven has them, too. */
enum {
    LINEAR_OPTION_VTOL,
    LINEAR_OPTION_MAX_EVENTS,
    LINEAR_OPTION_ZENO,
    LINEAR_OPTION_COUNT
};

extern const char *const linear_zeno_choices[];

/* A stepper of event-driven for one step from t to t_end, to be freed by the caller. */
carom_status linear_helper_create(const carom_stepper *stepper, double t, double t_end, const double *q,
                                  const double *v, carom_stepper **helper, carom_error *error);

/* Events that the listener was told of in the last step, when there is one. */
int linear_events_told(const carom_stepper *stepper);

extern const carom_tangent_ops linear_along_ops;

#endif
