/* The options of moreau-jean: their places, and what they choose. */
#ifndef CAROM_SCHEME_MOREAU_JEAN_JEAN_OPTIONS_H
#define CAROM_SCHEME_MOREAU_JEAN_JEAN_OPTIONS_H

#include "moreau_jean.h"
#include "scheme/parts/contact_solver.h"

enum {
    JEAN_OPTION_THETA,
    JEAN_OPTION_PREDICTION,
    JEAN_OPTION_IMPACT,
    JEAN_OPTION_INITIAL = JEAN_OPTION_IMPACT + IMPACT_OPTIONS,
    JEAN_OPTION_PROJECTION,
    JEAN_OPTION_JOINTS,
    JEAN_OPTION_ROWS,
    JEAN_OPTION_THREADS,
    JEAN_OPTION_SOLVER,
    JEAN_OPTION_COUNT = JEAN_OPTION_SOLVER + SOLVER_OPTIONS
};
enum {
    JEAN_PROJECTION_AUTO,
    JEAN_PROJECTION_OFF,
    JEAN_PROJECTION_ON
};
enum {
    JEAN_ROWS_AUTO,
    JEAN_ROWS_END,
    JEAN_ROWS_PREDICTED
};

extern const carom_option_info moreau_jean_options[JEAN_OPTION_COUNT];

/* The name of the law of impact that the options choose. */
const char *moreau_jean_impact_law(const double *option);
/* BAD_INPUT: that law does not treat what the model has. */
carom_status moreau_jean_check_impact_law(const carom_model *model, const double *option, carom_error *error);

#endif
