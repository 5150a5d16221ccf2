/* A linear model under harmonic forces as one linear system without time,
 *
 *   z = (q, u, 1, cos w_1 t, sin w_1 t, ...),   z' = B z,   gap_i = row_i . z,
 *
 * whose motion over a step is exact: z(t + s) = exp(s B) z. A closed contact adds its force lambda(z), which keeps gap'' = 0, so
 * that each set of closed contacts is a system of its own; there are those with none and with one. Over a step of at most h,
 * with x = s/h in [0, 1], everything is a short power series in x: h is chosen such that it ends at rounding. */
#ifndef CAROM_SCHEME_EVENT_DRIVEN_LINEAR_SYSTEM_H
#define CAROM_SCHEME_EVENT_DRIVEN_LINEAR_SYSTEM_H

#include "carom/model/forcing.h"
#include "carom/scheme.h"

enum {
    LINEAR_DOF_MAX = 16,
    LINEAR_CONTACTS_MAX = 16,
    LINEAR_TERMS = 20 /* of the series: orders 0 to 19 */
};

/* Of one set of closed contacts. */
typedef struct linear_part {
    bool made;
    double *generator; /* size x size: h B */
    double *step;      /* size x size: exp(h B) */
    /* Per contact: its gap, where it is open, or its force, as power series of x: size x LINEAR_TERMS numbers, which z multiplies. */
    double *series;
    double *
        bend; /* contacts x size: per contact and entry of z the largest |second derivative| of its series on [0, 1] */
    double *motion; /* 2 dof x size x LINEAR_TERMS: q and u themselves as series */
} linear_part;

typedef struct linear_system {
    int dof, contacts, size, waves; /* waves: frequencies that are not 0 */
    double *frequency;              /* waves */
    double h;
    double length; /* unit of positions */
    double *gap, *rate,
        *acceleration;       /* contacts x size: rows of gap, gap' and gap'' without contact forces */
    double *response;        /* contacts x dof: M^-1 n */
    double *coupling;        /* contacts x contacts: n_i M^-1 n_k */
    double *restitution;     /* per contact */
    double *generator;       /* size x size: B without contact forces */
    linear_part *part;       /* contacts + 1: part[0] none is closed, part[i + 1] contact i */
    double *power, *product; /* size x size: room */
    double *term;            /* 2 size: room */
} linear_system;

/* Takes all memory and makes the part without closed contacts; `length` is the model's, `longest` the longest step that will be asked for. BAD_INPUT: the
 * model is not such a one, or a number is not finite. */
carom_status linear_system_make(linear_system *self, carom_arena *arena, carom_model_work *work,
                                double length, double longest, carom_error *error);
/* The part with this contact closed, -1: none; made when it is first asked for. */
const linear_part *linear_system_part(linear_system *self, int closed);

/* The waves of z at a time. */
void linear_system_set_waves(const linear_system *self, double t, double *z);
/* z := exp(x h B) z, 0 <= x <= 1; the waves are left for linear_system_set_waves unless x is 1. */
void linear_system_move(linear_system *self, const linear_part *part, double x, double *z);
/* The series of a contact at z. */
void linear_system_series(const linear_system *self, const linear_part *part, int contact, const double *z,
                          double series[LINEAR_TERMS]);
/* True when the series of a contact surely has no root in (0, end]: its first terms, and a bound of the others, are enough to tell. */
bool linear_system_is_clear(const linear_system *self, const linear_part *part, int contact, const double *z,
                            double end);
static inline double linear_row_dot(const linear_system *self, const double *rows, int contact,
                                    const double *z)
{
    return carom_dot(self->size, rows + (ptrdiff_t)contact * self->size, z);
}

/* The first x in (0, end], end <= 1, at which a series with a positive first term falls to zero, `terms` terms; false: there is none.
 * Nothing is overlooked: steps are so short that the curvature cannot bring the series to zero on the way. */
bool linear_first_root(const double *series, int terms, double end, double *x);

#endif
