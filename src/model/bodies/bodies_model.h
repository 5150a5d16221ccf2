/* Models of bodies and their works, shared by the files of this folder: what belongs to the bodies alone, to forces, to joints and to
 * coordinates stands in a file each, and bodies.c puts it together. */
#ifndef CAROM_MODEL_BODIES_BODIES_MODEL_H
#define CAROM_MODEL_BODIES_BODIES_MODEL_H

#include "body_joints.h"
#include "carom/model/bodies.h"
#include "with_coordinates.h"

enum {
    BODIES_DRIVEN_NUMBERS = 6 /* velocity and spin of a driven body */
};

typedef struct bodies_model {
    carom_model base;
    carom_arena *arena;
    int dimension, bodies, materials, pairs, driven, shapes;
    carom_shape **shape; /* owned */
    carom_body *body;    /* all but what depends on parameters */
    int *line, *pair_line;
    int (*pair_material)[2];
    int (*apart_pair)[2], (*watched_pair)[2];
    int apart;
    carom_tape *numbers; /* gravity, then of bodies, then of pairs: body_numbers.c */
    carom_tape *drive;   /* NULL: no body is driven */
    int *driven_body;
    carom_tape *force;     /* NULL: only gravity */
    carom_tape *potential; /* NULL: 0 */
    carom_tape *power;     /* NULL: 0 */
    body_joints joints;
    body_coordinates coordinates;
} bodies_model;

/* Memory of derivatives, and results of the last ones: bodies_along.c. */
typedef struct bodies_work_along {
    double *tangent, *output;
    carom_body *body;
    carom_pair_law *law;
} bodies_work_along;

typedef struct bodies_work {
    carom_model_work base;
    carom_arena *arena;
    carom_bodies bodies;
    carom_body *body;
    carom_pair_law *law;
    double *start_q, *start_v;
    double *numbers_work, *drive_work, *force_work, *potential_work, *power_work, *value_work, *row_work,
        *guide_work;
    double *row_output, *guide_output, *value_output;
    double *number, *driven;
    body_coordinates_work coordinates;
    bodies_work_along along;
} bodies_work;

static inline const bodies_model *bodies_model_of(const bodies_work *work)
{
    return (const bodies_model *)work->base.model;
}

/* An expression that was left out is the number. */
static inline carom_node bodies_number_or(carom_graph *graph, carom_node node, double value)
{
    return node == CAROM_NO_NODE ? carom_constant(graph, value) : node;
}

/* Memory of a tape, which may be NULL; it is NULL when memory is short. */
static inline double *bodies_take_tape(carom_arena *arena, const carom_tape *tape)
{
    return carom_arena_take(arena, tape ? carom_tape_work_size(tape) : 0, sizeof(double));
}

static inline void bodies_bind_tape(const carom_tape *tape, const double *parameters, double *work)
{
    if (tape)
        carom_tape_bind(tape, parameters, work);
}

/* ---- body_numbers.c: what depends on parameters alone ------------------------------------------------- */

/* False when memory is short, as everywhere below. */
bool bodies_compile_numbers(bodies_model *model, const carom_bodies_spec *spec);
/* Binds all tapes to the parameters: inertia, start and laws of the work are those of them. */
void bodies_bind(carom_model_work *work, const double *parameters);
/* BAD_INPUT: the numbers are not those of bodies. */
carom_status bodies_check(const carom_model_work *work, carom_error *error);

/* ---- body_forces.c ------------------------------------------------------------------------------------ */

bool bodies_compile_drive(bodies_model *model, const carom_bodies_spec *spec);
bool bodies_compile_force(bodies_model *model, const carom_bodies_spec *spec, const body_places *places,
                          const coordinate_inertia *inertia);
void bodies_force(carom_model_work *work, double t, const double *q, const double *u, double *force);
double bodies_energy(carom_model_work *work, double t, const double *q, const double *u);
double bodies_power(carom_model_work *work, double t, const double *q, const double *u);

/* ---- bodies_along.c ----------------------------------------------------------------------------------- */

bool bodies_take_along(bodies_work *work);
extern const carom_model_tangent_ops bodies_tangent_ops;

/* ---- body_layout.c ------------------------------------------------------------------------------------ */

/* Places and names of bodies and coordinates among positions and velocities. */
bool bodies_place(bodies_model *model, const carom_bodies_spec *spec);
/* Pairs of materials, and of bodies that do not touch or are watched. */
bool bodies_copy_pairs(bodies_model *model, const carom_bodies_spec *spec);
/* The contacts that a run knows by name: pairs that are watched, and contacts of expressions. */
bool bodies_name_watched(bodies_model *model, const carom_bodies_spec *spec);

#endif
