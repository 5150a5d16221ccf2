/* The frictionless contacts of a sparse model: a velocity or a position is projected on what they allow, in the kinetic
 * metric, with neither G M^-1 G^T nor a response that has all columns.
 *
 *   v = u + M^-1 G^T z,   0 <= z  _|_  G v + rate >= 0
 *
 * Contacts none of which shares a coordinate with another, at a diagonal mass, have the closed form that small models
 * have. Others make a problem in the space of velocities (global_contacts). */
#ifndef CAROM_SCHEME_PARTS_SPARSE_NORMALS_H
#define CAROM_SCHEME_PARTS_SPARSE_NORMALS_H

#include "global_contacts.h"
#include "mass_factor.h"
#include "normal_lcp.h"

typedef struct sparse_normals {
    bool used; /* false: the model is small or full, or a solver was asked for by name */
    const mass_factor *mass;
    const contact_rows *rows;
    global_contacts contacts;
    double *impulse; /* 3 per active contact */
    unsigned char *regime;
    double *zero, *change; /* of the velocity */
    int *last;   /* per coordinate: the entry of the last active contact there; -1 between the calls */
    int *before; /* per entry: that of the contact before, or -1 */
    int *owner;  /* per entry: place of its contact in the list */
} sparse_normals;

/* Whether contacts of the scheme are to be treated so: normal_lcp_setup and contact_rows_take need less then. */
bool sparse_normals_serve(const carom_stepper *stepper);
/* Which responses of contact_rows_take are of use: none where those of a sparse model would have all columns. */
contact_responses sparse_normals_responses(const carom_stepper *stepper);

/* Memory where they serve; mass and rows are kept. False when it is short. */
bool sparse_normals_take(sparse_normals *self, const carom_stepper *stepper, const mass_factor *mass,
                         const contact_rows *rows);
/* The same for sparse_normals_pairs alone. */
bool sparse_normals_take_lists(sparse_normals *self, const carom_stepper *stepper, const mass_factor *mass,
                               const contact_rows *rows);
/* May be called for zeros. */
void sparse_normals_free(sparse_normals *self);

/* Of the normal of a contact and its rate. */
typedef enum normal_fault {
    NORMAL_FINE,
    NORMAL_NOT_FINITE,
    NORMAL_ZERO
} normal_fault;
normal_fault sparse_normals_check(const sparse_normals *self, int contact);

/* z: start and solution, one per active contact; rate: one per active contact. v may be u. */
carom_solve_report sparse_normals_project(sparse_normals *self, int count, const int *active,
                                          const double *rate, const double *u, double *v, double *z);

/* Calls `look` for pairs of places of the list of active contacts whose normals share a coordinate, until it returns
 * false; of a coordinate that very many share not for all pairs. At a diagonal mass others do not act on each other. */
typedef bool sparse_normals_look(void *context, int first, int second);
void sparse_normals_pairs(sparse_normals *self, int count, const int *active, sparse_normals_look *look,
                          void *context);

#endif
