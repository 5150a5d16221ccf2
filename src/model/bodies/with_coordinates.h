/* Coordinates beside bodies: where they stand, their inertia, the part that forces link to them, contacts of expressions. */
#ifndef CAROM_MODEL_BODIES_WITH_COORDINATES_H
#define CAROM_MODEL_BODIES_WITH_COORDINATES_H

#include "carom/model/bodies.h"

/* Where everything stands among positions and velocities. */
typedef struct body_places {
    int dimension, bodies, positions, dof;
    const carom_body *body;
    int coordinates;
    const int *q, *v;
} body_places;

/* A tape whose outputs are the entries of a matrix that are not zero. */
typedef struct entry_tape {
    carom_tape *tape;
    carom_places places;
} entry_tape;

typedef struct body_coordinates {
    int count;
    int *q, *v;
    carom_tape *start;   /* positions, then velocities; NULL: there is no coordinate */
    carom_tape *kinetic; /* T of the coordinates */
    entry_tape mass, by_q, by_u;
    int linked;
    int *linked_velocity;
    bool affine; /* as of carom_linked */
    int contacts;
    carom_row_contact *contact;
    carom_tape *contact_numbers; /* NULL: there is none */
} body_coordinates;

typedef struct body_coordinates_work {
    double *start, *kinetic, *mass, *by_q, *by_u, *contact_numbers;
    double *start_output;
} body_coordinates_work;

/* What the coordinates' inertia is, as expressions. */
typedef struct coordinate_inertia {
    carom_node kinetic;   /* T */
    carom_node by_time;   /* dT/dt at fixed position and velocity */
    carom_node *momentum; /* p = dT/du, one per coordinate */
    carom_node *inertia;  /* dT/dq - d/dt dT/du without the acceleration terms */
} coordinate_inertia;

/* From derivatives by all positions to those along all velocities. */
void body_places_gradient(carom_graph *graph, const body_places *places, const carom_node *leaf,
                          const carom_node *by_position, carom_node *along);

/* Are coordinates, contacts and joints such that a model can be made? */
carom_status body_coordinates_check(const carom_bodies_spec *spec, carom_error *error);
/* T and what follows from it, with memory from the arena. BAD_INPUT: it is not a quadratic form of the coordinates'
 * velocities. */
carom_status body_coordinates_derive(const carom_bodies_spec *spec, const body_places *places,
                                     carom_arena *arena, coordinate_inertia *derived, carom_error *error);
/* Compiles what was derived, and finds the linked part from the forces (one per velocity). False when memory is short. */
bool body_coordinates_compile(const carom_bodies_spec *spec, const body_places *places,
                              const coordinate_inertia *derived, const carom_node *force, carom_arena *arena,
                              body_coordinates *coordinates);
/* The linked part alone (linked_part.c). */
bool body_linked_compile(const carom_bodies_spec *spec, const body_places *places,
                         const coordinate_inertia *derived, const carom_node *force, carom_arena *arena,
                         body_coordinates *coordinates);
bool body_contacts_compile(const carom_bodies_spec *spec, carom_arena *arena, body_coordinates *coordinates);
void body_coordinates_free(body_coordinates *coordinates);

bool body_coordinates_take_work(const body_coordinates *coordinates, carom_arena *arena,
                                body_coordinates_work *work);
void body_coordinates_bind(const body_coordinates *coordinates, const double *parameters,
                           body_coordinates_work *work);
/* Puts the start of the coordinates into q and v. */
void body_coordinates_start(const body_coordinates *coordinates, body_coordinates_work *work, double *q,
                            double *v);
double body_coordinates_kinetic(const body_coordinates *coordinates, body_coordinates_work *work,
                                const carom_inputs *inputs);

#endif
