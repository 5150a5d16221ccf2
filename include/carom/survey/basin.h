/* Basins of attraction: where motions end up, over a grid of starts or parameters. Part of room survey. */
#ifndef CAROM_SURVEY_BASIN_H
#define CAROM_SURVEY_BASIN_H

#include "carom/survey.h"
#include "carom/survey/returns.h"

typedef enum carom_basin_axis_kind {
    CAROM_BASIN_POSITION,
    CAROM_BASIN_VELOCITY,
    CAROM_BASIN_PARAMETER,
} carom_basin_axis_kind;

/* Equidistant values, both ends included. */
typedef struct carom_basin_axis {
    carom_basin_axis_kind kind;
    int index; /* of the coordinate, velocity or parameter */
    double from, to;
    int count;
} carom_basin_axis;
double carom_basin_axis_value(const carom_basin_axis *axis, int place);

enum {
    CAROM_BASIN_AXES_MAX = 2,
    CAROM_BASIN_BLOCK = 256 /* cells that one thread computes at a time, at most */
};

/* What became of a motion. */
typedef enum carom_basin_end {
    CAROM_BASIN_PERIODIC,
    CAROM_BASIN_NOT_PERIODIC, /* no period up to the longest that was looked for, and none that it approaches */
    CAROM_BASIN_UNSETTLED,    /* approaches a periodic motion, and was not there yet */
    CAROM_BASIN_ESCAPED,
    CAROM_BASIN_FAILED,
    CAROM_BASIN_OUTSIDE, /* the start is inside an obstacle */
    CAROM_BASIN_ENDS
} carom_basin_end;
/* "periodic", "not-periodic", "unsettled", "escaped", "failed", "outside" */
const char *carom_basin_end_word(carom_basin_end end);

typedef struct carom_basin_cell {
    unsigned char end; /* carom_basin_end */
    int period;        /* in forcing periods; 0: none */
    int impacts;       /* per period; not periodic: in the last `longest` forcing periods */
    int attractor;     /* its number in the list; -1: none */
} carom_basin_cell;

/* Each motion goes `periods` forcing periods, and as many more as tell its period. */
typedef struct carom_basin_request {
    carom_returns_request returns; /* at_impact: not here */
    int axis_count;                /* 1 or 2; the last axis runs fastest */
    carom_basin_axis axis[CAROM_BASIN_AXES_MAX];
    int periods;      /* 0: 200 */
    int longest;      /* longest period that is looked for; 0: 32 */
    double tolerance; /* of a period; 0: 1e-6 */
    int threads;      /* 0: one per core */
    bool alone; /* motions go one after the other, not side by side (carom/scheme/lanes.h): the same result */
    carom_progress progress;
    /* To go on with a basin that was stopped: blocks of cells with their last states (carom_basin.state numbers each). */
    bool (*recall)(void *context, int block, int count, int state, carom_basin_cell *cell, double *last);
    carom_status (*keep)(void *context, int block, int count, int state, const carom_basin_cell *cell,
                         const double *last, carom_error *error);
    void *keep_context;
    const carom_workers *workers; /* as in carom_sweep_request */
} carom_basin_request;

typedef struct carom_attractor {
    carom_basin_end end; /* PERIODIC or NOT_PERIODIC */
    int period;          /* in forcing periods; 0: not periodic */
    int impacts;         /* per its period; not periodic: -1 */
    double impact_rate;  /* per forcing period */
    int cells;
    int first; /* cell that found it */
    double *
        point; /* period x state: its states, q then v, the first one after a forcing period; not periodic: one state */
} carom_attractor;

typedef struct carom_basin {
    carom_arena *arena; /* owns the arrays */
    const carom_model *model;
    int axis_count;
    carom_basin_axis axis[CAROM_BASIN_AXES_MAX];
    int positions, dof, state; /* state = positions + dof */
    int cells, blocks, block;  /* cells of a block; the last one may have less */
    carom_basin_cell *cell;
    double *last; /* cells x state: after the periods */
    bool *done;   /* per block */
    int attractor_count;
    carom_attractor *
        attractor; /* by their share, largest first; the one of all motions that are not periodic among them */
    int ends[CAROM_BASIN_ENDS]; /* cells of each kind */
    bool
        by_name; /* a parameter varies, or there are too many: attractors are told apart by period and impacts alone */
    int periods, longest;
    double tolerance;
    double period; /* of the forcing, where it is one; NAN: it varies */
    const carom_scheme_ops *scheme;
    char message[240]; /* why the first motion that failed did so */
    int threads;
    double wall_seconds;
} carom_basin;

/* The same result for any number of threads. BAD_INPUT: something asked for is wrong, found before the first motion. INTERRUPTED: cells of
 * blocks that are done are there, attractors are those of them. The caller frees the basin in every case. */
carom_status carom_basin_run(const carom_basin_request *request, carom_basin *basin, carom_error *error);
void carom_basin_free(carom_basin *basin);
/* What it will take, from a few cells all over the grid. Errors are those of carom_basin_run. */
carom_status carom_basin_try(const carom_basin_request *request, carom_survey_trial *trial,
                             carom_error *error);

/* Cells and their last states as bytes, both ways, without their attractors, which are found when all cells are there; bytes of no cells
 * make the snapshot fail. */
void carom_basin_cells_pack(carom_snapshot *snapshot, int count, int state, carom_basin_cell *cell,
                            double *last);

/* The unit of work: one motion, from the state at which `returns` is. `room`: carom_basin_room(state, longest) numbers; `last`: the
 * state at the end. */
size_t carom_basin_room(int state, int longest);
carom_status carom_basin_motion(carom_returns *returns, int positions, int dof, int periods, int longest,
                                double tolerance, double *room, carom_basin_cell *cell, double *last,
                                carom_error *error);

#endif
