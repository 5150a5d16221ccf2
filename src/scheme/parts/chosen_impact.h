/* A law of impact that the user chose for a scheme, in place of the scheme's own: options, memory, and the
 * impact of some contacts of a model.
 *
 * A law maps the velocity before an impact to the one after. Event-driven calls it at an impact. In schemes
 * with time steps it comes first in a step, for the contacts of the step that approach; the step itself is
 * then without restitution, so that forces cannot make a closed contact rebound:
 *
 *   v' = law(v_n),   then a step from v' with e = 0. */
#ifndef CAROM_SCHEME_PARTS_CHOSEN_IMPACT_H
#define CAROM_SCHEME_PARTS_CHOSEN_IMPACT_H

#include "carom/scheme.h"
#include "contact_rows.h"
#include "joint_system.h"

/* Places of a scheme's option table, behind its own. */
enum {
    IMPACT_OPTION_LAW,
    IMPACT_OPTION_ORDER,
    IMPACT_OPTION_SEED,
    IMPACT_OPTION_METHOD,
    IMPACT_OPTION_STEP,
    IMPACT_OPTIONS
};

extern const char *const impact_law_own[]; /* "own", and then the laws of the registry */

/* The entries of an option table, from place `first`. */
#define CHOSEN_IMPACT_OPTIONS(first)                                                                         \
    [(first) +                                                                                               \
        IMPACT_OPTION_LAW] =                                                                                 \
        {"impact_law",      0.0, 0.0, 1e9, impact_law_own, "law of impact in place of the scheme's own",     \
         &carom_impact_laws},                                                                                \
        [(first) + IMPACT_OPTION_ORDER] = {"impact_order",                                                   \
                                           0.0,                                                              \
                                           0.0,                                                              \
                                           2.0,                                                              \
                                           carom_impact_order_words,                                         \
                                           "binary: which approaching contact collides next"},               \
        [(first) +                                                                                           \
            IMPACT_OPTION_SEED] = {"impact_seed", 1.0, 1.0, 2147483646.0, NULL, "binary: of random order"},  \
        [(first) + IMPACT_OPTION_METHOD] = {"impact_method",                                                 \
                                            0.0,                                                             \
                                            0.0,                                                             \
                                            3.0,                                                             \
                                            carom_lzb_method_words,                                          \
                                            "lzb: how the inside of an impact is integrated"},               \
        [(first) + IMPACT_OPTION_STEP] = {"impact_step",                                                     \
                                          0.0,                                                               \
                                          0.0,                                                               \
                                          1e300,                                                             \
                                          NULL,                                                              \
                                          "lzb: step inside an impact, of time or impulse; 0: automatic",    \
                                          .dimension = {.time = 1}}

typedef struct chosen_impact {
    carom_impact_work *work; /* NULL: the scheme's own law */
    const carom_impact_law_ops *law;
    carom_impact_options options;
    carom_model_work *model_work;
    bool diagonal;  /* the mass matrix, for good */
    double *mass;   /* dof x dof */
    double *masses; /* its diagonal */
    bool *listed;   /* per contact: it takes part in the last impact */
    int *list;      /* the contacts that do ... */
    int count;      /* ... and how many */
    int *column_start, *row;
    double *value, *rate, *restitution, *stiffness, *exponent;
    double *velocity; /* before the last impact */
    double *share;    /* per contact: its impulse */
    double *gap, *place;
    joint_system
        joints; /* their rows: the law acts in the metric that they leave, and they answer its impulses */
    carom_impact_result result; /* of the last impact */
    bool warned;
} chosen_impact;

/* In the setup of a scheme whose options of impacts begin at place `first`. Takes all memory; leaves work NULL when
 * the scheme's own law is meant. BAD_INPUT: a contact with friction, a value that an option of the law cannot have. */
carom_status chosen_impact_create(const carom_stepper *stepper, int first, chosen_impact *chosen,
                                  carom_error *error);
void chosen_impact_free(chosen_impact *chosen);

/* The impact of contacts whose frames are in `rows`, at (t, q); `list` may be the chosen_impact's own. The
 * velocity v becomes the one after; result.impulse has an entry per listed contact. Warns once when the law
 * did not come to its end. */
carom_status chosen_impact_strike(chosen_impact *chosen, const contact_rows *rows, int count, const int *list,
                                  double t, const double *q, double *v, carom_stepper *stepper,
                                  carom_error *error);

/* The last impact once more, with other options and into another result: nothing of it changes. */
carom_status chosen_impact_again(const chosen_impact *chosen, const carom_impact_options *options,
                                 carom_impact_result *result);

/* The look ahead with which a scheme finds the contacts of its step: gap(t, q + time v) <= 0. */
typedef struct impact_look {
    double t, time;
} impact_look;

/* Before a time step: the contacts that the look finds go through the law when one of them approaches at
 * (t, q), and so do those that the velocity after the impact would close: the step would stop them without
 * rebound, and whether a gap is zero or rounding would decide. count is 0 when nothing approaches. Fills
 * frames of `rows` for the contacts in question. */
carom_status chosen_impact_before_step(chosen_impact *chosen, contact_rows *rows, const impact_look *look,
                                       double t, const double *q, double *v, carom_stepper *stepper,
                                       carom_error *error);

/* Gives a state its velocity before the impact back: a step failed. */
void chosen_impact_undo(chosen_impact *chosen, carom_state *state);

/* Adds the impulses of the last impact to the state's, after a step that has written its own; of joints to theirs. */
void chosen_impact_add_impulses(const chosen_impact *chosen, carom_state *state);
void chosen_impact_add_reactions(const chosen_impact *chosen, double *reaction);

/* What one step leaves for the next. */
void chosen_impact_keep(chosen_impact *chosen, carom_snapshot *snapshot);

#endif
