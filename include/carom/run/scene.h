/* How a motion looks: what a model file says with draw { }, the shapes of bodies, the deformed shape of a structure. Part of
 * room run; pages, VTK and glTF files are made from it. Nothing is computed but numbers of an output that is there. */
#ifndef CAROM_RUN_SCENE_H
#define CAROM_RUN_SCENE_H

#include <math.h>

#include "carom/base.h"

struct carom_experiment;
struct carom_row_layout;

/* A number of something that is drawn: an output of the experiment's tape `look`, or, the same at all times, one of its
 * values. Both -1: not given. */
typedef struct carom_draw_number {
    int look, value;
} carom_draw_number;

/* Numbers of each kind, in this order; a point has as many as the item has dimensions. */
typedef enum carom_draw_kind {
    CAROM_DRAW_DISC,    /* centre, radius, angle (may be missing): a ball in space */
    CAROM_DRAW_SEGMENT, /* two points */
    CAROM_DRAW_SPRING,  /* two points */
    CAROM_DRAW_DAMPER,  /* two points */
    CAROM_DRAW_ROD,     /* two points, radius: a bar with round ends */
    CAROM_DRAW_POLYGON, /* points */
    CAROM_DRAW_PATH,    /* a point: what it has run through */
    CAROM_DRAW_WALL,    /* points: a line, solid on its right side seen along it */
    CAROM_DRAW_ARROW,   /* a point, a vector */
    CAROM_DRAW_TEXT,    /* a point */
    CAROM_DRAW_CONTACT, /* a point, the normal: impulses of `contact` are shown there */
    CAROM_DRAW_PIN,     /* a point: a joint that turns */
    CAROM_DRAW_CURVE,   /* points: a line through them, a structure */
    CAROM_DRAW_KINDS
} carom_draw_kind;

typedef struct carom_draw_item {
    carom_draw_kind kind;
    int dimension; /* 2 or 3 */
    int points;    /* how many */
    int number_count;
    carom_draw_number *number;
    char *name;   /* shown in lists; NULL: none */
    char *colour; /* a word such as "red" or "#d55e00"; NULL: by its place */
    char *text;   /* TEXT */
    bool filled;  /* discs, polygons */
    bool dashed, dotted;
    bool exaggerates; /* CURVE: what differs from the first output may be shown larger */
    bool closed;      /* CURVE */
    bool automatic;   /* from a statement of the library, not from the model file's own draw { } */
    int contact;      /* CONTACT: its number; else -1 */
    double scale;     /* ARROW: length per unit of the vector; 0: found */
} carom_draw_item;

/* "disc", ..., as model files and pages call it. */
const char *carom_draw_kind_word(carom_draw_kind kind);

struct carom_bodies;

/* What a run of an experiment looks like, bound to its parameters. */
typedef struct carom_scene {
    const struct carom_experiment *experiment;
    const double *values;              /* of the run */
    struct carom_model_work *work;     /* owned */
    double *look_work;                 /* owned, of the experiment's tape `look` */
    int looks;                         /* how many numbers change with time */
    const struct carom_bodies *bodies; /* NULL: there are none */
    int profile_points;                /* of a structure; 0: it is none */
    int dimension;                     /* 2 or 3 */
} carom_scene;

/* Does an experiment show anything: bodies, a structure, draw { }? */
bool carom_experiment_has_scene(const struct carom_experiment *experiment);
/* `parameter` and `values` are those of the run; values are not copied. */
carom_status carom_scene_create(const struct carom_experiment *experiment, const double *parameter,
                                const double *values, carom_scene **scene, carom_error *error);
void carom_scene_free(carom_scene *scene);

/* The numbers that change with time, at an output: scene->looks of them. */
void carom_scene_look(const carom_scene *scene, const struct carom_row_layout *layout, const double *row,
                      double *look);
/* A number, with those that change at the time wanted; NAN: not given. */
static inline double carom_scene_number(const carom_scene *scene, const carom_draw_number *number,
                                        const double *look)
{
    return number->look >= 0 ? look[number->look] : number->value >= 0 ? scene->values[number->value] : NAN;
}
/* Is it the same at all outputs? */
static inline bool carom_draw_number_is_constant(const carom_draw_number *number)
{
    return number->look < 0;
}

#endif
