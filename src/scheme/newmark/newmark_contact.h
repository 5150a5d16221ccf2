/* The data of newmark-contact, shared by its step and the derivatives of it. */
#ifndef CAROM_SCHEME_NEWMARK_NEWMARK_CONTACT_H
#define CAROM_SCHEME_NEWMARK_NEWMARK_CONTACT_H

#include "newmark_load.h"
#include "scheme/parts/contact_solver.h"

enum {
    NEWMARK_OPTION_BETA,
    NEWMARK_OPTION_LOAD,
    NEWMARK_OPTION_START,
    NEWMARK_OPTION_SOLVER,
    NEWMARK_OPTION_COUNT = NEWMARK_OPTION_SOLVER + SOLVER_OPTIONS
};

typedef struct newmark_contact {
    carom_stepper stepper; /* first */
    const carom_structure *structure;
    double beta, e;
    carom_band A;
    carom_solver *solver;
    carom_qp program;
    newmark_load load;
    double *u, *Su;           /* u^n, S u^n */
    double *u_next, *Su_next; /* u^{n+1}, S u^{n+1}; after the step they and those of u^n are exchanged */
    double *d;                /* u^n - u^{n-1} */
    double *d_next;
    double *vector, *y, *r; /* of the quadratic program, with r / (1 + e) */
    double *lower, *upper;  /* bounds of D y */
    double *product;        /* scratch: M d, C d */
    int touching, *touched; /* contacts that carry an impulse */
} newmark_contact;

extern const carom_tangent_ops newmark_tangent;

#endif
