/* Shapes that a discrete beam can take: elements, end conditions, rows that read a displacement.
 *
 * A field is given by coefficients, `locals` of them on each element; the end conditions leave `size` of them
 * free (the unknowns q): coefficient = sum of at most two unknowns with weights. */
#ifndef CAROM_MODEL_BEAM_BEAM_BASIS_H
#define CAROM_MODEL_BEAM_BEAM_BASIS_H

#include "carom/model/beam.h"

enum {
    BEAM_LOCALS = 4,  /* most coefficients on an element */
    BEAM_ROW_MAX = 8, /* most unknowns that a displacement, slope or moment at one place depends on */
};

typedef struct beam_term {
    int count;
    int unknown[2];
    double weight[2];
} beam_term;

typedef struct beam_space {
    carom_beam_basis basis;
    carom_beam_grid grid;
    carom_beam_end left, right;
    int elements;       /* between nodes 0, 1, ..., elements; node 0 of finite differences is the clamp */
    int coefficients;   /* before the end conditions */
    int size;           /* unknowns */
    int stride, locals; /* element e has the coefficients e stride, ..., e stride + locals - 1 */
    beam_term *term;    /* per coefficient */
    int plain_from, plain_to; /* these coefficients are one unknown each, in their order */
    int plain_unknown;        /* ... the first of them this one */
} beam_space;

/* A linear functional of the unknowns, columns ascending. */
typedef struct beam_row {
    int count;
    int column[BEAM_ROW_MAX];
    double entry[BEAM_ROW_MAX];
} beam_row;

bool beam_space_take(carom_arena *arena, const carom_beam_spec *spec, beam_space *space);

/* ---- where things are --------------------------------------------------------------------------- */

double beam_element_length(const beam_space *space, double length);
/* x of element `element` at 0 <= s <= 1. */
double beam_place(const beam_space *space, double length, int element, double s);
double beam_node_place(const beam_space *space, double length, int node);
/* Where x is, counted in elements from node 0. */
double beam_position(const beam_space *space, double length, double x);
int beam_nearest_node(const beam_space *space, double length, double x);
/* Is x its nearest node, to 1e-6 of an element? Finite differences know nodes only: always. */
bool beam_is_node(const beam_space *space, double length, double x);
bool beam_node_is_free(const beam_space *space, int node);

/* ---- fields ------------------------------------------------------------------------------------- */

/* Basis functions of an element of length h at s, or their first or second derivative in x. */
void beam_local(const beam_space *space, double h, double s, int derivative, double value[BEAM_LOCALS]);
/* Coefficients of the unknowns, and the transposed map: q_i = sum of weight times coefficient. */
void beam_expand(const beam_space *space, const double *q, double *coefficient);
void beam_reduce(const beam_space *space, const double *coefficient, double *q);

/* Displacement at a node. */
beam_row beam_node_row(const beam_space *space, int node);
/* Derivative 0, 1 or 2 of the displacement at x; at a node the second one is the mean of both sides. Finite
 * differences take the nearest node. */
beam_row beam_place_row(const beam_space *space, double length, double x, int derivative);
double beam_row_value(const beam_row *row, const double *q);
/* Derivative of the row of a place as x moves by x_along and the length by length_along. Without one, where a second derivative
 * of the displacement jumps, entries are NaN. */
beam_row beam_place_row_along(const beam_space *space, double length, double x, int derivative,
                              double x_along, double length_along);
/* 1 for unknowns that are slopes, 0 for displacements: the power of the element length with which they come along. */
void beam_slope_powers(const beam_space *space, double *power);

/* Unknowns of the field that has these values and slopes at all nodes: B-splines take slopes at the ends
 * only, finite differences none. `matrix` has 5 x size entries. */
void beam_interpolate(const beam_space *space, double h, const double *value, const double *slope,
                      double *matrix, double *q);

/* ---- matrices ----------------------------------------------------------------------------------- */

int beam_band_width(const beam_space *space);
void beam_assemble(const beam_space *space, double length, double linear_density, double bending,
                   carom_band *mass, carom_band *stiffness);
/* force = S q from the curvatures of the elements. They are differences of neighbours, which are nearly exact
 * where the beam is smooth; products with the entries of S, of size E I / h^3, would cancel only afterwards.
 * `coefficient` and `pushed` are work, as many as there are coefficients. */
void beam_stiffness_times(const beam_space *space, double length, double bending, const double *q,
                          double *coefficient, double *pushed, double *force);
/* Length of beam that belongs to node 1, 2, ... of finite differences. */
double beam_difference_share(const beam_space *space, double length, int node);

#endif
