/* Space cut into parts, for processes that compute one motion of bodies together. Each has the bodies of its part, and looks for
 * touches of these alone, with those that come near them from other parts:
 *
 *    rank 0        |   rank 1               o  own     + near it, of another rank
 *     o   o  o o   | +
 *       o    o     |    o o                 a touch is that of the rank of its first free body
 *     o    o   o=====o    o   o             an island across borders goes to the rank with most of its touches
 *
 *   parts -> own bodies and those near -> touches -> islands across borders to one rank each -> the step -> what it moved to all
 *
 * All know where all bodies are, so that they cut alike without a word, and compute bodies that touch nothing each for itself. What
 * takes long and most memory, touches, rows and contact problems, each has only of its own islands. A touch depends on two poses
 * alone and an island has the same points in the same order wherever it is solved: the motion is that of one process to the
 * last bit, however space is cut. Sums over points (works, watched impulses) are rounded otherwise. */
#ifndef CAROM_SCHEME_BODIES_CUT_H
#define CAROM_SCHEME_BODIES_CUT_H

#include "carom/contact/pairs.h"
#include "carom/scheme.h"
#include "carom/shape.h"

/* Numbers that are on their way. */
typedef struct cut_list {
    double *number;
    size_t count, room;
    bool failed; /* memory was short */
} cut_list;

/* x[axis] < at: `low`, else `high`: another plane, or -1 - a rank. */
typedef struct cut_plane {
    int axis, low, high;
    double at;
} cut_plane;

typedef struct cut_box {
    double low[3], high[3];
} cut_box;

/* What the first process does with points beside the motion: the others tell it of theirs. */
enum {
    CUT_EVENTS = 1,
    CUT_POINTS = 2
};

struct lift_row;
struct group_energy;

typedef struct space_cut {
    bool used;
    bool alone; /* the others are gone */
    bool is_cut;
    int wishes;
    bool asked_points; /* somebody looked at points */
    cut_plane *plane;  /* ranks - 1 of them */
    int planes, root;
    double best_balance; /* load of the busiest part over the mean, when space was cut */
    /* per body */
    int *owner; /* -1: not free */
    int *load;  /* points at it in the last step */
    int *order; /* room */
    int *set;   /* islands across borders: union and find */
    int *lead;  /* of such an island, at its root: who solves it; -1: it is not one across borders */
    int *seen;  /* room: rank that was counted last */
    bool *here; /* its shape is placed here */
    double *sum, *most;
    bool *mentioned;
    cut_box *box;                   /* per process: around its bodies */
    double *part_load;              /* per process */
    size_t *first, *length, *start; /* of letters */
    cut_list out;
    carom_touch *touch; /* of the step, here */
    size_t touches, touch_room;
    int *kept_of; /* per touch at home: the impulse that belongs to it, -1: none */
    size_t kept_room;
    /* islands across borders that are solved by all who have a part of them (cut_wide.c) */
    bool has_wide;                 /* there is one, somewhere */
    bool gathers;                  /* none is left so: sweeps over parts did not end */
    int until_next;                /* steps until they are tried again, */
    int patience;                  /* ... and how many there were the last time */
    double *all;                   /* per body: touches of its island, at the root */
    int *parts;                    /* likewise: processes that have some */
    bool *is_wide;                 /* per body at a touch here */
    int *holders;                  /* per body: processes that have touches at it */
    int *first_holder;             /* likewise: the first of them */
    int *wide_number;              /* per body; -1: none */
    int *wide_body, *wide_holders; /* per wide body here */
    int wide_bodies;
    size_t *shared_start; /* per process: bodies that it has, too */
    int *shared_body;     /* ... ascending, */
    size_t shared_room;
    double *sent, *came, *mean; /* numbers of these */
    double *wide_mass, *wide_velocity;
    carom_pair_rows *wide_row;
    double *wide_q, *wide_r;
    int *wide_point;
    struct lift_row *wide_lift;
    size_t wide_room;
    struct group_energy *group; /* per body, of all processes */
    bool again;                 /* the step is tried once more, with all islands gathered */
    cut_list gains;             /* of the step, here: gain, whether it is a warning, bodies */
    int deepest[2];             /* bodies of the deepest penetration of this process */
    carom_body_point *point;    /* of all, at the first process */
    size_t points, point_room;
} space_cut;

struct body_step;

/* ---- cut_letters.c ----------------------------------------------------------------------------------- */

void cut_put(cut_list *list, double number);
/* `count` more; NULL when memory is short. */
double *cut_extend(cut_list *list, size_t count);
/* The list to all; *received: that of rank k at self->cut.start[k] ... start[k + 1] - 1. FAILED: the first one has ended. */
carom_status cut_tell_all(struct body_step *self, const cut_list *list, const double **received,
                          carom_error *error);
/* Records 0 ... count - 1 of `width` numbers to the rank that `addressee` says (-1: nobody). Returns them as they came. */
typedef struct cut_records {
    size_t count, width;
    int (*addressee)(struct body_step *self, size_t record);
    void (*write)(struct body_step *self, size_t record, double *number);
} cut_records;
carom_status cut_pass(struct body_step *self, const cut_records *records, const double **received,
                      size_t *count, carom_error *error);
void cut_put_feature(uint64_t feature, double number[2]);
uint64_t cut_take_feature(const double number[2]);

/* ---- cut_parts.c ------------------------------------------------------------------------------------- */

/* Is space cut? BAD_INPUT: it is asked for, and the scene is none for it. */
carom_status space_cut_set_up(struct body_step *self, carom_error *error);
void space_cut_free(space_cut *self);
/* Who has which body, at self->pose; poses of bodies that are not here become those of nowhere in self->shape_pose. */
void space_cut_bodies(struct body_step *self);
/* Poses (per shape) of bodies that are not here become those of nowhere. */
void space_cut_hide(const struct body_step *self, carom_pose *pose);
/* Rank of a touch of two bodies. */
int space_cut_home(const struct body_step *self, int a, int b);
/* Can it touch one of a rank's bodies in this step? */
bool space_cut_is_near(const struct body_step *self, int body, int rank);

/* ---- cut_islands.c ----------------------------------------------------------------------------------- */

/* Touches of the islands that this process solves, sorted as those of a collider, with self->kept. */
carom_status space_cut_find(struct body_step *self, const carom_touch **touch, size_t *count,
                            carom_error *error);
/* What came, sorted by its first four numbers; lives until the next letter. NULL when memory is short. */
double *cut_sorted(struct body_step *self, const double *received, size_t count, size_t width);

/* ---- cut_wide.c -------------------------------------------------------------------------------------- */

bool space_cut_take_wide(struct body_step *self);
/* Is an island across borders, of so many touches at its root, left where it is? */
bool space_cut_leaves(const struct body_step *self, int root);
/* Who has which bodies of such islands: `received` is what all said of their borders (cut_islands.c). */
carom_status space_cut_find_wide(struct body_step *self, const double *received, carom_error *error);
bool space_cut_is_wide(const struct body_step *self, int island);
/* Of those who have a body one counts its energy and works. */
bool space_cut_counts(const struct body_step *self, int body);
/* By all processes at the same time, as body_step_solve does: parts of the first `active` points. */
carom_status space_cut_solve_wide(struct body_step *self, const double *q, double *r, double *x,
                                  carom_solve_report *report, carom_error *error);
/* Overlaps are put back, as projection.c does it within an island. */
void space_cut_lift_wide(struct body_step *self, const double *gap, double *r, double *x);
/* Sweeps over parts did not end: islands are gathered for some steps. */
void space_cut_give_up_wide(struct body_step *self);
void space_cut_begin_step(struct body_step *self);
/* A failure of one process is one of all: the others have no text of it. *changed: somewhere. */
carom_status space_cut_all_well(struct body_step *self, carom_status mine, bool *changed, carom_error *error);
/* Does any process say so? */
bool space_cut_any(struct body_step *self, bool here);
/* cut_balance.c: energies of groups with bodies that others have, too, become those of all processes. */
carom_status space_cut_balance_wide(struct body_step *self, carom_error *error);

/* ---- cut_state.c ------------------------------------------------------------------------------------- */

/* What a step has done so far in numbers that all have in common. */
typedef struct cut_before {
    carom_works works;
    carom_step_counts counts;
    double penetration, moved;
} cut_before;
/* The end of the step, which has the status `mine` here: positions self->q and velocities self->v_end of all bodies, and the
 * accounts. All return the same status. */
carom_status space_cut_agree(struct body_step *self, const cut_before *before, carom_status mine,
                             carom_error *error);
/* The pair that passed through each other first, of all processes; part > 1: none. */
carom_status space_cut_first_crossing(struct body_step *self, double *part, int *a, int *b,
                                      carom_error *error);
/* Records of pairs for events, and points, to the first process, which has them sorted afterwards; the others have none. */
carom_status space_cut_collect(struct body_step *self, const cut_records *records, const double **record,
                               size_t *count, carom_error *error);
carom_status space_cut_collect_points(struct body_step *self, carom_error *error);
/* All return the first failure. */
carom_status space_cut_agree_status(struct body_step *self, carom_status mine, carom_error *error);

#endif
