/* scheme: moves a model one time step. One file or folder per time discretisation, one registry.
 *
 *   const carom_scheme_ops *scheme = carom_scheme_find("moreau-jean", &error);
 *   carom_stepper *stepper = NULL;
 *   carom_status status =
 *       carom_stepper_create(scheme, work, &(carom_step_settings){.h = 1e-3}, q0, v0, &stepper, &error);
 *   while (status == CAROM_OK && stepper->state.t < 10.0)
 *       status = carom_stepper_step(stepper, &error);
 *   carom_stepper_free(stepper); */
#ifndef CAROM_SCHEME_H
#define CAROM_SCHEME_H

#include "carom/contact.h"
#include "carom/model.h"
#include "carom/model/scales.h"

/* Where the system is: the scheme's output. */
typedef struct carom_state {
    double t;
    double *q, *v;
    double *impulse;       /* 3 per contact: normal, tangents; of the step that led here */
    unsigned char *regime; /* carom_contact_regime per contact */
    /* Per contact: when its last impact since the output before was, NAN for none. NULL: the scheme does not
     * report impacts within a step. */
    double *impact_time;
    /* Per joint: its impulse in the step that led here, along d g / d q. NULL: the scheme does not say. */
    const double *reaction;
} carom_state;

typedef struct carom_stepper carom_stepper;

/* ---- events and works --------------------------------------------------------------------------- */

/* What happens at a contact, and what a measure looks at. */
typedef enum carom_event_kind {
    CAROM_EVENT_IMPACT,  /* the contact carries an impulse and carried none in the step before */
    CAROM_EVENT_CONTACT, /* the contact carries an impulse; only for measures */
    CAROM_EVENT_STICK,   /* ... and does not slip; as an event: it begins to stick */
    CAROM_EVENT_RELEASE, /* the contact carries no impulse and carried one in the step before */
    CAROM_EVENT_SLIP,    /* a contact that stuck begins to slip */
    CAROM_EVENT_STOP, /* a contact comes to rest: it closes and stays closed, after an impact or without one */
} carom_event_kind;
/* "impact", "release", ... */
const char *carom_event_word(carom_event_kind kind);

typedef struct carom_event {
    double t;
    carom_event_kind kind;
    int contact; /* -1: of the two bodies below */
    int body[2];
    double rate_before, rate_after;     /* of the gap; of the slip for stick and slip */
    double impulse;                     /* normal */
    double energy_before, energy_after; /* of the system; contacts of one impact share them */
    /* Position at the event, velocity before and after it, where the scheme locates events: only while a listener is
     * told, else NULL. */
    const double *q, *v, *v_after;
} carom_event;

/* Name of its contact, "a/b" of bodies. Returns text, or the model's. */
const char *carom_event_contact(const carom_model *model, const carom_event *event, char *text, size_t size);

/* Is told of events as they happen; take may be NULL. */
typedef struct carom_event_listener {
    void *context;
    void (*take)(void *context, const carom_event *event);
} carom_event_listener;

/* Is told of the contact problem of a step before it is solved; take may be NULL. r: dimension per contact, from where the solver
 * starts. A status other than CAROM_OK ends the step. */
typedef struct carom_problem_listener {
    void *context;
    carom_status (*take)(void *context, double t, const carom_coulomb_global *problem, const double *r,
                         carom_error *error);
} carom_problem_listener;

/* Asks whether the computation shall end; asked may be NULL. A step that is told so returns CAROM_INTERRUPTED. */
typedef struct carom_stop {
    void *context;
    bool (*asked)(void *context);
} carom_stop;
static inline bool carom_stop_asked(const carom_stop *stop)
{
    return stop->asked && stop->asked(stop->context);
}

/* Where a motion ends by itself: where value(t, q, v) becomes positive; NULL: nowhere. Schemes that locate impacts locate
 * that, too: the step that leads there ends there, and carom_stepper.ended is true. Others do not ask. A value that is not a
 * number fails the step. */
typedef struct carom_ending {
    void *context;
    double (*value)(void *context, double t, const double *q, const double *v);
    /* Its derivative along a direction, for tangents; NULL: it is not known. */
    double (*along)(void *context, double t, const double *q, const double *v,
                    const carom_direction *direction);
} carom_ending;

/* Works done on the system since the start, by applied forces and what depends on time, by contacts (impacts and
 * friction), and by joints. */
typedef struct carom_works {
    double forces, contacts, joints;
} carom_works;

/* What a scheme whose contacts come and go keeps itself, for the certificate of the run; of others a run finds it. */
typedef struct carom_step_accounts {
    bool kept;     /* these count, and carom_stepper.works of contacts and joints, */
    bool forces;   /* ... and of forces; else a run integrates the model's power */
    double length; /* of the smallest body: what a penetration is compared with */
    double moved;  /* sum of |works| of contacts, relative to bodies that are driven */
    double penetration, penetration_time;
    char penetration_contact[160];
    /* Impacts whose law gained energy: how many, all together, and the largest. */
    long gains;
    double gain_sum, gain, gain_time;
    int gain_warning; /* its place */
    char gain_contact[160];
    long crossings;
    double crossing_time;
    char crossing_contact[160];
} carom_step_accounts;

/* ---- schemes ---------------------------------------------------------------------------------- */

/* What a scheme can do, as bits of carom_scheme_ops.abilities. Choices and the advice in errors are made
 * of them: no scheme is known by its name. */
typedef enum carom_scheme_ability {
    CAROM_SCHEME_ANY_MASS = 1 << 0,        /* mass matrices that depend on the position */
    CAROM_SCHEME_RESTITUTION = 1 << 1,     /* the restitution that a contact gives; otherwise its own rule */
    CAROM_SCHEME_FRICTION = 1 << 2,        /* contacts with friction */
    CAROM_SCHEME_FRICTION_FORCES = 1 << 3, /* friction without an obstacle */
    CAROM_SCHEME_JOINTS = 1 << 4,          /* bilateral constraints */
    /* Locates impacts in time, to the tolerances of an integrator; tells its listener of its events and keeps
     * its works itself (for others a run finds both from the outputs). */
    CAROM_SCHEME_LOCATES_IMPACTS = 1 << 5,
    /* Differential algebraic inclusions, and nothing else: coordinates without inertia, which joints give,
     * and friction forces, which may weaken with the slip; no obstacles. */
    CAROM_SCHEME_INCLUSIONS = 1 << 6,
    CAROM_SCHEME_STRUCTURES = 1 << 7, /* linear structures (beams), and nothing else */
    /* Has steps of its own between outputs, to the tolerances of an integrator: h is the output interval. So
     * have those that locate impacts. */
    CAROM_SCHEME_OWN_STEPS = 1 << 8,
    CAROM_SCHEME_REACTIONS = 1 << 9,     /* knows the forces of joints */
    CAROM_SCHEME_BODIES = 1 << 10,       /* bodies with shapes (carom/model/bodies.h) */
    CAROM_SCHEME_COUPLED_MASS = 1 << 11, /* mass matrices with entries off the diagonal */
    /* Reports impacts and releases to its listener as they happen. So do those that locate impacts. For other schemes a
     * run finds them from the outputs. */
    CAROM_SCHEME_REPORTS_EVENTS = 1 << 12,
} carom_scheme_ability;
/* The abilities of a scheme whose events do not depend on its outputs. */
enum {
    CAROM_SCHEME_EVENTS = CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_REPORTS_EVENTS
};

struct carom_body_point;
struct carom_tangent_ops;
/* A time discretisation. Its own data are a struct that begins with a carom_stepper; all functions get it
 * as self. */
typedef struct carom_scheme_ops {
    const char *name; /* first: registries find it there */
    const char *summary;
    const carom_option_info *options;
    int option_count;
    unsigned abilities;  /* carom_scheme_ability */
    unsigned problems;   /* contact problems that it solves: CAROM_SCHEME_SOLVES(kind) of each kind */
    bool for_comparison; /* kept to show what others do better, or for few models: no advice names it */
    size_t size;         /* bytes of the scheme's struct */
    /* CAROM_OK when the scheme can integrate the model, as far as abilities do not say it; otherwise the
     * text says why and which scheme can. NULL: any. See carom_scheme_accepts. */
    carom_status (*accepts)(const carom_model *model, carom_error *error);
    /* Takes all further memory, from self->arena where it can. Everything that carom_stepper has is
     * filled, the state with the start; the rest of the struct is zero. After a failure free is called. */
    carom_status (*setup)(carom_stepper *self, carom_error *error);
    /* One step; allocates nothing. On failure the state is the last good one. */
    carom_status (*step)(carom_stepper *self, carom_error *error);
    /* Gives back what does not stand in the arena; NULL: nothing. */
    void (*free)(carom_stepper *self);
    /* What the scheme remembers from step to step beside the state and the counts, visited to keep it and to give it
     * back to a stepper that was created with the same settings and start: all that the bits of later steps depend on.
     * May set snapshot->failed. NULL: it cannot be told, so a motion that goes on is stepped anew from its start. */
    void (*keep)(carom_stepper *self, carom_snapshot *snapshot);
    /* The inputs of the model have other values from the state on: what the scheme remembers of forces before belongs to the
     * old ones. NULL: it remembers none. */
    carom_status (*renew)(carom_stepper *self, carom_error *error);
    /* The scheme's own discrete energy of the state; NULL: the model's energy of q and v is meant. */
    double (*energy)(carom_stepper *self);
    /* Accelerations and forces of joints at the state, after a step; either may be NULL: not asked. NULL: the change
     * of velocity and the joints' impulses (state.reaction) of the step, divided by h. */
    carom_status (*forces)(carom_stepper *self, double *acceleration, double *reaction, carom_error *error);
    /* Works until the state, of schemes that know them better than their outputs tell; NULL: those that locate impacts
     * have them in self->works. */
    carom_works (*works)(carom_stepper *self);
    /* See carom_stepper_body_points; NULL: it has none. */
    int (*body_points)(const carom_stepper *self, int room, struct carom_body_point *point);
    /* Derivatives of its steps; NULL: it has none. See carom_tangent. */
    const struct carom_tangent_ops *tangent;
    /* Several motions side by side; NULL: one after the other. See carom/scheme/lanes.h. */
    const struct carom_lane_ops *lanes;
    /* Without CAROM_SCHEME_RESTITUTION: the restitution of the scheme's own rule, the only one that a contact may state. */
    double restitution;
} carom_scheme_ops;

size_t carom_scheme_count(void);
const carom_scheme_ops *carom_scheme_at(size_t index);
/* NULL and an error that lists the schemes when there is no such name. */
const carom_scheme_ops *carom_scheme_find(const char *name, carom_error *error);
/* Adds a scheme of the calling program for the rest of the process; it must outlive it. BAD_INPUT: the
 * name is taken, or something is missing. */
carom_status carom_scheme_register(const carom_scheme_ops *scheme, carom_error *error);

/* The first scheme with all these abilities (carom_scheme_ability), NULL when there is none. */
const carom_scheme_ops *carom_scheme_with(unsigned abilities);
/* "a, b or c": what advice names, the schemes with all these abilities. Those for inclusions or structures
 * only are named only when that is asked for. Returns text. */
const char *carom_scheme_names_with(unsigned abilities, char *text, size_t size);
/* The same of those that also have what the model asks for, friction included where a contact has a law of
 * it, whatever its coefficients are. */
const char *carom_scheme_names_for(const carom_model *model, unsigned abilities, char *text, size_t size);
/* The abilities that a scheme must have for the model, whatever its parameters are. Restitution and friction depend on the values at the
 * start: carom_stepper_create rejects a scheme that would ignore them. */
unsigned carom_scheme_abilities_for(const carom_model *model);
/* CAROM_OK when the scheme can integrate the model; otherwise the text says why and which scheme can. */
carom_status carom_scheme_accepts(const carom_scheme_ops *scheme, const carom_model *model,
                                  carom_error *error);
/* CAROM_OK when the scheme knows the forces of joints; otherwise the text names schemes that do. */
carom_status carom_scheme_check_reactions(const carom_scheme_ops *scheme, const carom_model *model,
                                          carom_error *error);

/* ---- options, the solvers of contact problems, and laws of impact
 *
 * A scheme that solves contact problems has the options solver, tolerance and max_iterations, and takes those
 * of its solver beside its own: omega = 1.5, or where it has one of that name itself solver.omega = 1.5. The
 * name of a solver is of one of the kinds of problems that the scheme has, and rules those of its kind.
 *
 * A scheme with the option impact_law takes those of the chosen law in the same way, "impact_" before their
 * names: impact_max_collisions = 100 is max_collisions of binary. Laws that a program registers have theirs so, too. */

#define CAROM_SCHEME_SOLVES(kind) (1u << (kind))

/* Index of an option, -1 when the scheme has none of that name. */
int carom_scheme_find_option(const carom_scheme_ops *scheme, const char *name);
/* Reads an option's value from text (number or choice word), checking its range. */
carom_status carom_scheme_parse_option(const carom_scheme_ops *scheme, int option, const char *text,
                                       double *value, carom_error *error);
/* True when the scheme has an option of that name, or a solver of its kinds or a law of impact has. */
bool carom_scheme_takes_option(const carom_scheme_ops *scheme, const char *name);
/* BAD_INPUT: says which options there are. */
carom_status carom_scheme_fail_option(const carom_scheme_ops *scheme, const char *name, carom_error *error);

/* The solver that values of the scheme's options choose for a kind of problem. NULL: the scheme's own
 * choice. */
const carom_solver_ops *carom_scheme_solver(const carom_scheme_ops *scheme, const double *values,
                                            carom_problem_kind kind);
/* The law of impact that the values choose. NULL: the scheme's own. */
const carom_impact_law_ops *carom_scheme_impact_law(const carom_scheme_ops *scheme, const double *values);
/* Place of "impact_NAME" in the law's table of options, -1 when the law has no NAME. */
int carom_scheme_law_option(const carom_impact_law_ops *law, const char *name);
/* True when the law or one of the solvers that the values choose has an option of that name: of the law with
 * "impact_", of a solver with or without "solver.". */
bool carom_scheme_choice_has(const carom_scheme_ops *scheme, const double *values, const char *name);

/* ---- steppers ---------------------------------------------------------------------------------- */

/* {.h = 1e-3} is enough. Options are given by name,
 *
 *   {.h = 1e-3, .option = (carom_option[]){{"theta", 0.7}, {"impact_law", .word = "poisson"}, {0}}}
 *
 * or all of them by position, for programs that have read them already: value_count says how long the list is,
 * and must be the scheme's option_count. */
/* Processes that compute one motion side by side, from the same start with the same settings, and share the work of its steps: of bodies
 * with shapes, islands that do not touch each other. */
typedef struct carom_sharing {
    void *context;
    int rank, ranks;
    /* Numbers start[k] ... start[k + 1] - 1 are those of process k, which has written them; afterwards all have all. An error ends
     * the motion. */
    carom_status (*exchange)(void *context, double *number, const size_t *start, carom_error *error);
    /* Bodies with shapes: each process looks for contacts in a part of space, and has those of its islands alone. The motion is the
     * same, works and watched impulses to rounding. */
    bool cuts_space;
    /* length[k] numbers from first[k] on go to process k; *received has those of process k at start[k] ... start[k + 1] - 1, and lives
     * until the next call. */
    carom_status (*deliver)(void *context, const double *number, const size_t *first, const size_t *length,
                            const double **received, size_t *start, carom_error *error);
    /* Islands across borders with up to so many touches are solved by one process, larger ones by all that have a part of them, to
     * the tolerance of the solver; 0: a default. */
    int most_gathered;
    /* Within a step, where nobody can have ended: length[k] numbers from first[k] on to process k, and as many back from it to the
     * same place of `received`; sums (or the largest) over all processes, the same bits everywhere. */
    void (*swap)(void *context, const double *number, double *received, const size_t *first,
                 const size_t *length);
    void (*sum)(void *context, int count, double *number, bool largest);
} carom_sharing;

typedef struct carom_step_settings {
    double h;                   /* > 0, in the model's unit of time; there is no default */
    double t0;                  /* time of the start */
    const carom_option *option; /* what is left out has its default; not together with values */
    const double *values;       /* instead: one per entry of the scheme's option table, in its order ... */
    int value_count;            /* ... how many there are ... */
    /* ... and those of its contact solver and its impact law by name; NULL: defaults */
    const carom_option *solver_option;
    bool no_works;       /* schemes that locate impacts do not keep stepper.works: nobody asks for them */
    carom_ending ending; /* zero: none */
    /* Where the state's positions and velocities are to be, for the caller to own; NULL: the stepper's memory. They may be
     * those of another stepper that is about to end. The inputs likewise, with the values that stand there. */
    double *q, *v, *input;
    const carom_sharing *sharing; /* NULL: this process alone */
} carom_step_settings;

/* Counters of things worth reporting after a run. */
typedef struct carom_step_counts {
    long steps;
    long adhesive_impulses; /* elast: impulses that pull (Moreau 1986, section 7: no guard in the source) */
    long solver_iterations;
    double worst_solver_error;
    double
        solver_tolerance; /* the largest that was asked of a contact problem, by default or not; 0: none was posed */
    long unsolved;        /* steps that went on although a contact problem was not solved to its tolerance */
    long
        fixed_rows; /* moreau-jean: steps with rows of the predicted position, as those of the end did not settle */
    double
        accumulation_time; /* event-driven: estimated time of infinitely many impacts, the first one; 0: none */
} carom_step_counts;

/* Things a user should know although the run goes on. Kept in the stepper, so that warning allocates nothing;
 * only the first few are kept, the others are counted. */
enum {
    CAROM_WARNINGS_KEPT = 4
};
typedef struct carom_warnings {
    int count;
    char text[CAROM_WARNINGS_KEPT][240];
    bool is_doubt[CAROM_WARNINGS_KEPT];
} carom_warnings;
void carom_warn(carom_warnings *warnings, const char *format, ...) CAROM_PRINTF(2, 3);
/* The same, and the numbers of the run are not to be trusted without a look: see carom_certificate. */
void carom_doubt(carom_warnings *warnings, const char *format, ...) CAROM_PRINTF(2, 3);
/* Says an earlier one, which had this place (the count before it), in other words. */
void carom_doubt_again(carom_warnings *warnings, int place, const char *format, ...) CAROM_PRINTF(3, 4);

/* A motion under way. Callers read state, counts and warnings after each step. */
/* The impact of a chosen law with which a step began; what it gave is part of the step's impulses. */
typedef struct carom_law_impact {
    const double *velocity; /* right after it; NULL: there was none */
    const double *impulse;  /* per contact, along its normal */
    double work;            /* change of the kinetic energy */
    double gained;          /* work relative to what is struck: no law may make it positive */
} carom_law_impact;

struct carom_stepper {
    const carom_scheme_ops *ops;
    carom_model_work *work;
    const carom_model *model;
    int dof, contacts;
    double t0, h;
    carom_scales scales;  /* of the model at the initial state: what tolerances are relative to */
    const double *option; /* values, one per entry of the scheme's option table */
    /* Of the solver of contact problems and the law of impact by name, ends with {0}; while setup works. */
    const carom_option *solver_option;
    carom_arena *arena; /* owns everything, the stepper included */
    carom_state state;
    carom_step_counts counts;
    carom_works works; /* of schemes that locate impacts, or keep accounts; see carom_stepper_works */
    bool no_works;     /* as the settings say */
    const carom_sharing *sharing; /* likewise */
    carom_step_accounts accounts;
    const double *gap;    /* per contact; NULL: the model says it of the state */
    const double *energy; /* likewise: where it is known already (carom/scheme/lanes.h) */
    /* Per contact with an impulse: the rows along which it acted. Set by setup; NULL: those at the state. */
    const carom_contact_frame *frame;
    carom_law_impact struck;         /* in the last step, of schemes in steps */
    carom_event_listener listener;   /* set by the caller after carom_stepper_create; told by those schemes */
    carom_problem_listener problems; /* likewise */
    bool tells_problems;             /* set by setup: it is told, of every step that has a problem */
    carom_stop stop;     /* set by the caller, too; asked inside long steps by schemes that have them */
    carom_ending ending; /* of the settings */
    bool ended;          /* the last step was cut short there */
    /* Why a step failed, where there is a word for it: "zeno", "corner", "chatter", "painleve"; NULL: "failed". */
    const char *end_word;
    carom_warnings warnings;
    /* Values of the model's inputs for the next step, at the places of their parameters: for the caller to write between
     * steps. NULL: the model has none. */
    double *input;
    bool renews; /* carom_scheme_ops.renew is to be called before the next step */
    /* Of schemes with steps of their own between outputs: when the next output is, later than the state, for the caller to
     * set before a step; NULL: after h. Of others it is NULL always. */
    const double *next_output;
    /* Of these schemes: the last output is at this time, at the end of a shorter interval. INFINITY: there is none. */
    double end;
    double *v_before; /* velocity before the last step, when carom_stepper_watch asked for it; else NULL */
    struct carom_tangent *tangent; /* who asks for derivatives of the steps; NULL: nobody */
};

/* Takes all memory. The work (one per thread) must be bound to parameters and outlive the stepper. q0 and
 * v0, model->dof numbers each, are copied. BAD_INPUT: the scheme cannot treat the model, or a value of
 * settings or start is wrong; the text says what would be right. On failure *stepper is NULL. */
carom_status carom_stepper_create(const carom_scheme_ops *scheme, carom_model_work *work,
                                  const carom_step_settings *settings, const double *q0, const double *v0,
                                  carom_stepper **stepper, carom_error *error);
/* One step of length h, with the inputs that stepper->input has now; allocates nothing. On failure (the text says when and why) the
 * state is the last good one. BAD_INPUT: an input is not finite or out of its range. */
carom_status carom_stepper_step(carom_stepper *stepper, carom_error *error);
/* From now on carom_stepper_forces has accelerations of every scheme: to be called once, before the steps. */
carom_status carom_stepper_watch(carom_stepper *stepper, carom_error *error);
/* Accelerations (dof numbers) and forces r of joints (one each), which act on the coordinates as G^T r, G = d g / d q;
 * either may be NULL. At the state where a scheme has forces there: event-driven, penalty, generalized-alpha (with what
 * impacts of the step gave, divided by h). Otherwise means over the step that led to the state, impacts included.
 * Before the first step they are those of the equations of motion, NAN where a contact is closed or there are friction
 * forces. BAD_INPUT: the scheme has no forces of joints, or was not watched. */
carom_status carom_stepper_forces(carom_stepper *stepper, double *acceleration, double *reaction,
                                  carom_error *error);
/* The rows along which the impulse of a contact acted in the last step; of a contact without one, those at the state,
 * for which `scratch` (carom_contact_frame_take) has room. */
const carom_contact_frame *carom_stepper_frame(const carom_stepper *stepper, int contact,
                                               carom_contact_frame *scratch);
/* A point at which two bodies (carom/model/bodies.h) touched in a step, along the axes of space; where the bodies were
 * predicted to be. */
typedef struct carom_body_point {
    int a, b;         /* bodies */
    double friction;  /* coefficient */
    double gap;       /* there; negative: depth */
    double shift;     /* the law is 0 <= u_N + shift, perpendicular to the normal impulse, u after the step */
    double normal[3]; /* unit, from b towards a */
    double arm[2][3]; /* from a and from b to the point; of a half space: from the origin */
    double impulse[3]; /* on a; b gets the opposite */
} carom_body_point;
/* The points of the last step at which an impulse was possible: writes up to `room` of them and returns how many there
 * are. 0: none, or no bodies. */
int carom_stepper_body_points(const carom_stepper *stepper, int room, carom_body_point *point);
/* Energy of the state: the scheme's own discrete one where it has one, otherwise the model's. */
double carom_stepper_energy(carom_stepper *stepper);
/* Works from the start to the state, of a scheme that keeps them; zero with settings.no_works. */
carom_works carom_stepper_works(carom_stepper *stepper);
/* Visits everything that later steps depend on; see carom_scheme_ops.keep, which must not be NULL. To be restored by a
 * stepper of the same scheme, model, parameters, settings and start: its steps are then the same to the last bit. */
void carom_stepper_keep(carom_stepper *stepper, carom_snapshot *snapshot);
/* The same of the state alone: time, positions, velocities, impulses, branches. */
void carom_stepper_keep_state(carom_stepper *stepper, carom_snapshot *snapshot);
/* NULL is allowed. */
void carom_stepper_free(carom_stepper *stepper);

/* ---- tangents: derivatives of the steps of a motion ---------------------------------------------
 *
 *   carom_tangent_create(stepper, columns, column, &tangent, &error);          before the first step
 *   while (...)
 *       carom_tangent_step(tangent, &error);                                   in the place of carom_stepper_step
 *
 * A column is a direction of all that a motion depends on; tangent->numbers has, per column, the derivatives of the
 * positions and velocities of the state, and behind them those of what else the scheme carries from step to step. They are
 * exact for the steps that were made: of the equations that each step has solved, with the statuses that it has found held
 * (which contacts act, stick, slip). Where a status is not strict there is a derivative on one side only: a break. */

/* What changes along a column; NULL and 0: does not. */
typedef struct carom_tangent_column {
    const double *q0, *v0;   /* positions and dof numbers */
    const double *parameter; /* one per parameter of the model */
    const double *option;    /* one per option of the scheme */
    double t0, h;
    double end; /* of carom_stepper.end */
} carom_tangent_column;

/* A place at which the motion is not differentiable, and why: "contact 'floor' begins to act: ...". */
typedef struct carom_tangent_break {
    double t;
    char why[200];
} carom_tangent_break;

enum {
    CAROM_BREAKS_KEPT = 16
};

typedef struct carom_tangent {
    const struct carom_tangent_ops *ops;
    carom_stepper *stepper;
    carom_arena *arena; /* owns everything, the tangent included */
    int columns, size;
    const carom_tangent_column *column; /* copied, with the arrays */
    /* columns x size: derivatives of q, v, and of what else is carried, at the state. A caller may change them between
     * steps, into other columns of the same kind (linear combinations). */
    double *numbers;
    double *t;        /* per column: of the time of the state */
    double *impulse;  /* per column 3 per contact: of state.impulse */
    double *reaction; /* per column one per joint: of state.reaction, where the scheme says it */
    /* Derivatives of the times of the events that the scheme reported to its listener in the last step, events x columns,
     * in their order; NULL: there is none. */
    int events, event_capacity;
    double *event_time;
    /* the state before the last step, from carom_tangent_step */
    double t_before;
    double *q_before, *v_before;
    unsigned char *regime_before;
    bool lost;  /* a derivative was not finite: numbers are of no use from then on */
    int breaks; /* how many there were, one that goes on from step to step counted once; the first are kept */
    carom_tangent_break kept[CAROM_BREAKS_KEPT];
    double last_t; /* of the last one that was told, and why */
    char last_why[200];
} carom_tangent;

/* What a scheme does for its tangents. Its own data are a struct that begins with a carom_tangent. */
typedef struct carom_tangent_ops {
    size_t bytes; /* of that struct */
    /* CAROM_OK when the steps of this stepper, with its options and model, have derivatives; otherwise BAD_INPUT, the text
     * says what of them has none. The model has carom_model_ops.tangent. */
    carom_status (*accepts)(const carom_stepper *stepper, carom_error *error);
    /* How many numbers it carries: positions, dof, and more. NULL: no more. */
    int (*size)(const carom_stepper *stepper);
    /* Sizes of these further numbers where a position changes by 1 in this time; NULL: there are none. */
    void (*sizes)(const carom_stepper *stepper, double time, double *size);
    /* Takes all further memory. numbers have q0 and v0 of the columns; it adds those of what else is carried at the start. */
    carom_status (*setup)(carom_tangent *self, carom_error *error);
    /* After a step of the stepper: from the numbers before it to those after it, t included, impulse and reaction too.
     * Tells of breaks. */
    carom_status (*step)(carom_tangent *self, carom_error *error);
    void (*free)(carom_tangent *self); /* what does not stand in the arena; may be NULL */
    /* What it remembers from step to step beside what stands in a carom_tangent; NULL: nothing. */
    void (*keep)(carom_tangent *self, carom_snapshot *snapshot);
    /* Where the scheme corrects the initial data, setup does the same to their derivatives. */
    bool corrects_start;
    /* Of carom_scheme_ops.energy at the state, along a column; NULL: it is not known, or the model's energy is meant. */
    double (*energy)(carom_tangent *self, int column);
} carom_tangent_ops;

/* CAROM_OK when there are exact derivatives for the steps of this stepper; BAD_INPUT says what has none. */
carom_status carom_tangent_accepts(const carom_stepper *stepper, carom_error *error);
/* Before the first step; the stepper must outlive it. BAD_INPUT as above. On failure *tangent is NULL. */
carom_status carom_tangent_create(carom_stepper *stepper, int columns, const carom_tangent_column *column,
                                  carom_tangent **tangent, carom_error *error);
/* One step of the stepper and of the tangent. */
carom_status carom_tangent_step(carom_tangent *tangent, carom_error *error);
void carom_tangent_free(carom_tangent *tangent);
/* Between steps, both ways: given back to a tangent of the same columns, whose stepper was given back before it was created, it
 * goes on with the same bits. */
void carom_tangent_keep(carom_tangent *tangent, carom_snapshot *snapshot);
/* For schemes: tells of a break. */
void carom_tangent_tell(carom_tangent *tangent, double t, const char *format, ...) CAROM_PRINTF(3, 4);
/* For schemes: the derivatives of the time of the next event, to be filled in. Returns NULL if allocation fails. */
double *carom_tangent_add_event(carom_tangent *tangent);
/* The derivatives of one column. */
static inline double *carom_tangent_q(const carom_tangent *tangent, int column)
{
    return tangent->numbers + (size_t)column * (size_t)tangent->size;
}
static inline double *carom_tangent_v(const carom_tangent *tangent, int column)
{
    return carom_tangent_q(tangent, column) + carom_model_positions(tangent->stepper->model);
}

#endif
