/* The stepper shared by Moreau's schemes (1986, section 6): half a step in, a loop over vertices, half a step
 * out.
 *
 *   q_0 . . q_1 . . . . q_2 . . . . q_3        vertices q_i: force and contact rule act here
 *    |  h/2  |     |     |     |     |
 *  output 0     output 1    output 2           outputs at the mid-points of the edges
 *
 * The velocity is constant on an edge; the contact rule of a scheme turns the free velocity u' into the
 * velocity of the next edge. A scheme's step is: begin, find the active contacts, its rule, finish. */
#ifndef CAROM_SCHEME_MOREAU_1986_MOREAU_STEPPER_H
#define CAROM_SCHEME_MOREAU_1986_MOREAU_STEPPER_H

#include "carom/scheme.h"
#include "scheme/parts/contact_rows.h"
#include "scheme/parts/mass_factor.h"
#include "scheme/parts/sparse_normals.h"
#include "scheme/parts/step_report.h"

/* The first option of every scheme. */
enum {
    MOREAU_OPTION_AV
};

/* What differs between the schemes' equations; set by their set-ups. */
typedef struct moreau_equations {
    double av, restitution;
    bool force_anticipates,
        test_anticipates; /* at q + av h u and t + av h, as the rows are; else at the vertex */
    bool pulls;           /* impulses may pull */
    bool of_free;         /* the free velocity rebounds, not the one before the step */
    bool corrects;        /* violated contacts are moved back to gap 0 in each step */
} moreau_equations;

/* A position and its time: obstacles and forces that move are evaluated where they are at that time. */
typedef struct moreau_point {
    double t;
    const double *q;
} moreau_point;

typedef struct moreau_stepper {
    carom_stepper stepper; /* first: the handle of the caller */
    mass_factor mass;
    double t;            /* time of the vertex */
    double *q;           /* the vertex q_{i+1} */
    double *anticipated; /* q' = q + av h u_i */
    moreau_point vertex; /* t and q */
    moreau_point ahead;  /* t + av h and q'; the vertex when av is 0 */
    double *force;
    double *acceleration;    /* M^-1 force */
    bool acceleration_known; /* of a constant force, after the first step */
    double *u_free;          /* u' = u_i + h M^-1 force */
    double *u;               /* u_{i+1}; begins as u' */
    double *gap;
    int active_count;
    int *active; /* contacts whose gap is not positive */
    contact_rows rows;
    sparse_normals sparse; /* of a sparse model */
    double *impulse;       /* of this step, 3 per contact */
    unsigned char *regime;
    double *
        correction_work; /* of the violation correction, contacts x (contacts + 1); of a sparse model z and rates */
    int *violated;
    bool normals; /* requests no responses where sparse_normals serve */
    moreau_equations equations;
} moreau_stepper;

/* Memory, the mass matrix, the contacts and the first vertex. BAD_INPUT: a contact has what the scheme
 * does not treat. */
carom_status moreau_stepper_setup(moreau_stepper *moreau, bool normals, carom_error *error);

void moreau_stepper_free(carom_stepper *stepper);

/* Sets the points of the step, clears its impulses and computes the free velocity. */
carom_status moreau_begin(moreau_stepper *moreau, carom_error *error);

/* Fills the list of contacts with gap <= 0 at the point of the test. */
carom_status moreau_find_active(moreau_stepper *moreau, carom_error *error);

/* Evaluates `components` rows of a contact at `point`, and their responses. */
carom_status moreau_contact_rows(moreau_stepper *moreau, int contact, int components, moreau_point point,
                                 carom_error *error);

/* n.M^-1 n of a contact whose rows were evaluated. */
static inline double moreau_normal_response(const moreau_stepper *moreau, int contact)
{
    return contact_coupling(&moreau->rows, contact, 0, contact, 0);
}

/* A normal impulse that the velocity has already. */
static inline void moreau_record_normal_impulse(moreau_stepper *moreau, int contact, double impulse)
{
    moreau->impulse[CAROM_CONTACT_COMPONENTS * contact] = impulse;
    moreau->regime[contact] = CAROM_CONTACT_SLIP;
}

/* Adds a normal impulse to the velocity and to the record of the step. */
static inline void moreau_add_normal_impulse(moreau_stepper *moreau, int contact, double impulse)
{
    carom_row_add(contact_response(&moreau->rows, contact, 0), impulse, moreau->u);
    moreau_record_normal_impulse(moreau, contact, impulse);
}

/* Moves the vertex back to the admissible side, linearised, Moreau 1986 (10.8); the velocity stays. To be
 * called between the contact rule and moreau_finish. */
carom_status moreau_correct_violation(moreau_stepper *moreau, carom_error *error);

/* Writes the output of the step and moves to the next vertex. */
void moreau_finish(moreau_stepper *moreau);

/* What one step leaves for the next, of every scheme of the frame. */
void moreau_keep(carom_stepper *stepper, carom_snapshot *snapshot);

#endif
