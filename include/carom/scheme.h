/* scheme: moves a model one time step. One file per time discretisation, one registry. */
#ifndef CAROM_SCHEME_H
#define CAROM_SCHEME_H

#include "carom/contact.h"
#include "carom/model.h"

/* Where the system is: the scheme's output. */
typedef struct carom_state {
    double t;
    double *q, *v;
    double *impulse;       /* 3 per contact: normal, tangents; of the step that led here */
    unsigned char *branch; /* carom_contact_branch per contact */
    /* Per contact: when its last impact since the output before was, NAN for none. NULL: the scheme does not
     * locate impacts within a step. */
    double *impact_time;
} carom_state;

typedef struct carom_step_settings {
    double t0, h;
    const double *options; /* one per entry of the scheme's option table, in its order */
} carom_step_settings;

typedef struct carom_stepper carom_stepper;

typedef struct carom_scheme_ops {
    const char *name;
    const char *summary;
    const carom_option_info *options;
    int option_count;
    bool joints; /* treats bilateral constraints */
    /* Treats differential algebraic inclusions: coordinates without inertia, which joints give, and friction
     * forces. Other schemes refuse both, but for the friction forces of those that treat them. */
    bool inclusions;
    bool friction_forces;
    /* CAROM_OK when the scheme can integrate the model, joints apart; otherwise the text says why and which
     * scheme can. See carom_scheme_accepts. */
    carom_status (*accepts)(const carom_model *model, carom_error *error);
    /* Takes all memory. The model work must be bound and outlive the stepper. */
    carom_status (*create)(carom_model_work *work, const carom_step_settings *settings, const double *q0,
                           const double *v0, carom_stepper **stepper, carom_error *error);
    /* One step; allocates nothing. On failure the state is the last good one. */
    carom_status (*step)(carom_stepper *stepper, carom_error *error);
    void (*free)(carom_stepper *stepper);
    /* The scheme's own discrete energy of the state; NULL: the model's energy of q and v is meant. */
    double (*energy)(carom_stepper *stepper);
} carom_scheme_ops;

/* Counters of things worth reporting after a run. */
typedef struct carom_step_counts {
    long steps;
    long adhesive_impulses; /* elast: impulses that pull (Moreau 1986, section 7: no guard in the source) */
    long solver_iterations;
    double worst_solver_error;
    double accumulation_time; /* event-driven: estimated time of infinitely many impacts; 0: none */
} carom_step_counts;

/* Things a user should know although the run goes on. Kept in the stepper, so that warning allocates nothing;
 * only the first few are kept, the others are counted. */
enum {
    CAROM_WARNINGS_KEPT = 4
};
typedef struct carom_warnings {
    int count;
    char text[CAROM_WARNINGS_KEPT][240];
} carom_warnings;
void carom_warn(carom_warnings *warnings, const char *format, ...) CAROM_PRINTF(2, 3);

struct carom_stepper {
    const carom_scheme_ops *ops;
    carom_state state;
    carom_step_counts counts;
    carom_warnings warnings;
    const char
        *end_word; /* why step() failed, when there is a word for it: "zeno", "corner"; NULL: "failed" */
};

extern const carom_scheme_ops carom_scheme_elast;
extern const carom_scheme_ops carom_scheme_billiard;
extern const carom_scheme_ops carom_scheme_inel;
extern const carom_scheme_ops carom_scheme_moreau_friction;
extern const carom_scheme_ops carom_scheme_moreau_jean;
extern const carom_scheme_ops carom_scheme_paoli_schatzman;
extern const carom_scheme_ops carom_scheme_sweeping;
extern const carom_scheme_ops carom_scheme_event_driven;
extern const carom_scheme_ops carom_scheme_penalty;
extern const carom_scheme_ops carom_scheme_newmark_contact;
extern const carom_scheme_ops carom_scheme_generalized_alpha;
extern const carom_scheme_ops carom_scheme_dai_euler;
extern const carom_scheme_ops carom_scheme_dai_theta;

size_t carom_scheme_count(void);
const carom_scheme_ops *carom_scheme_at(size_t index);
/* NULL and an error that lists the schemes when there is no such name. */
const carom_scheme_ops *carom_scheme_find(const char *name, carom_error *error);
/* CAROM_OK when the scheme can integrate the model; otherwise the text says why and which scheme can. */
carom_status carom_scheme_accepts(const carom_scheme_ops *scheme, const carom_model *model,
                                  carom_error *error);
/* Index of an option, -1 when the scheme has none of that name. */
int carom_scheme_find_option(const carom_scheme_ops *scheme, const char *name);
/* Reads an option's value from text (number or choice word), checking its range. */
carom_status carom_scheme_parse_option(const carom_scheme_ops *scheme, int option, const char *text,
                                       double *value, carom_error *error);

#endif
