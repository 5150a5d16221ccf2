/* Bifurcation diagrams: the returns of a motion over a parameter. Part of room survey. */
#ifndef CAROM_SURVEY_DIAGRAM_H
#define CAROM_SURVEY_DIAGRAM_H

#include "carom/survey.h"
#include "carom/survey/returns.h"

/* A state from which courses begin. */
typedef struct carom_diagram_start {
    const double *q, *v; /* positions and dof numbers; NULL: the experiment's */
} carom_diagram_start;

struct carom_diagram_point;

/* A course goes over the values of a parameter, up or down, from one start: at each value `skip` returns are passed over and
 * `iterates` are kept, and the next value begins where this one ended (at the same phase of the forcing), or with `restart`
 * at the start again. */
typedef struct carom_diagram_request {
    carom_returns_request returns;
    const char *parameter;
    double from, to;
    int points;         /* values, from `from` to `to` */
    int skip, iterates; /* 0: 200 and 100; CAROM_DIAGRAM_NO_SKIP: none */
    bool up, down;      /* courses in both directions, or in one; neither: up */
    bool restart;
    int start_count; /* 0: the experiment's own */
    const carom_diagram_start *start;
    int longest;      /* longest period that is looked for, in returns; 0: half of the iterates, at most 64 */
    double tolerance; /* of a period; 0: 1e-6 */
    int threads;      /* 0: one per core */
    carom_progress progress; /* over values of all courses; called by one thread at a time */
    /* To go on with a diagram that was stopped: as in carom_sweep_request. `recall` fills everything of the point, whose arrays have room
     * for the iterates; `state` is the width of a state. */
    bool (*recall)(void *context, int index, int state, struct carom_diagram_point *point);
    carom_status (*keep)(void *context, int index, int state, const struct carom_diagram_point *point,
                         carom_error *error);
    void *keep_context;
    const carom_workers *workers; /* as in carom_sweep_request */
} carom_diagram_request;
enum {
    CAROM_DIAGRAM_NO_SKIP = -1
};

/* One value of one course. */
typedef struct carom_diagram_point {
    bool done;
    double value;
    carom_return end; /* how it ended; iterates before that are kept */
    bool
        restarted; /* the value before had failed, or this one began inside an obstacle: it began at the start */
    int count, room; /* iterates, and how many the arrays hold */
    double *t,
        *state; /* count; count x (positions + dof): q, then v. Velocities at impacts are those after them */
    int *impacts;       /* count: of all contacts, since the return before */
    int period;         /* in returns; 0: none up to `longest` */
    int period_impacts; /* in one period; without one: in all iterates */
    double forcing;     /* the forcing period; 0: none */
    char message[240];  /* why it failed */
} carom_diagram_point;

typedef struct carom_diagram {
    carom_arena *arena; /* owns the arrays */
    const carom_model *model;
    int courses, points;    /* courses x points, in the order in which a course goes */
    int starts, directions; /* course = start * directions + direction */
    bool first_is_down;     /* one direction only, and that is down */
    int positions, dof;
    int longest; /* period that was looked for */
    double tolerance;
    const carom_scheme_ops *scheme;
    carom_diagram_point *point; /* courses x points */
    int threads;
    double wall_seconds;
} carom_diagram;

/* The same result for any number of threads, each of which goes a course (with `restart` values of any). BAD_INPUT: something
 * asked for is wrong, found before the first motion. INTERRUPTED: what was done until then is kept. The caller frees the diagram in
 * every case. */
carom_status carom_diagram_run(const carom_diagram_request *request, carom_diagram *diagram,
                               carom_error *error);
/* What it will take, from a few values of the parameter. Errors are those of carom_diagram_run. */
carom_status carom_diagram_try(const carom_diagram_request *request, carom_survey_trial *trial,
                               carom_error *error);
void carom_diagram_free(carom_diagram *diagram);

static inline const carom_diagram_point *carom_diagram_at(const carom_diagram *diagram, int course, int place)
{
    return &diagram->point[(ptrdiff_t)course * diagram->points + place];
}
static inline bool carom_diagram_is_down(const carom_diagram *diagram, int course)
{
    return diagram->directions == 1 ? diagram->first_is_down : course % 2 == 1;
}

/* The unit of work: one value, from the state that `returns` is at, whose parameters are bound. Fills the point, whose arrays have room for
 * `iterates`. */
carom_status carom_diagram_value(carom_returns *returns, int positions, int dof, int skip, int iterates,
                                 int longest, double tolerance, carom_diagram_point *point,
                                 carom_error *error);
/* A point as bytes, both ways: all but its value and `done`. `state`: numbers of a state. Restored, its arrays have room for `room`
 * iterates; bytes of no point make the snapshot fail. */
void carom_diagram_point_pack(carom_snapshot *snapshot, int state, carom_diagram_point *point);

#endif
