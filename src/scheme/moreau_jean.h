/* The data of the moreau-jean scheme, shared by its time discretisation and its contact problems. */
#ifndef SCHEME_MOREAU_JEAN_H
#define SCHEME_MOREAU_JEAN_H

#include "carom/scheme.h"
#include "chosen_impact.h"
#include "contact_rows.h"
#include "friction_assembly.h"
#include "newton_matrix.h"
#include "normal_lcp.h"

typedef struct moreau_jean {
    carom_stepper stepper; /* first: the handle of the caller */
    carom_arena *arena;    /* owns everything, this struct included */
    carom_model_work *work;
    const carom_model *model;
    carom_model_ops model_ops;
    int dof, contacts;
    double t0, h, theta, prediction;
    double t;            /* end of the step */
    double *q, *v;       /* iterate at the end of the step */
    double *v_new;       /* next iterate, with contacts */
    double *v_free;      /* next iterate without contact impulses */
    double *v_free_last; /* the one before */
    double *q_mid;
    double *force_old, *force_new;
    bool force_known; /* force_old is that of the state already */
    double *mass, *by_q, *by_u;
    bool mass_diagonal;
    newton_matrix newton;
    bool constant_newton;  /* the Newton matrix depends on parameters only */
    bool newton_symmetric; /* without taking its symmetric part */
    bool for_contacts;     /* the symmetric part was taken */
    bool affine;           /* force and Newton matrix make the first iterate exact, but for contact rows */
    bool rows_constant;    /* rows of all active contacts depend on parameters only */
    double *gap;
    double *target; /* per contact: normal velocity after an impact */
    int active_count;
    int *active;
    bool clean;    /* impulses and branches of the state are zero */
    bool friction; /* an active contact has friction */
    contact_rows rows;
    normal_lcp lcp;             /* without friction */
    friction_assembly assembly; /* with friction */
    chosen_impact chosen;       /* in place of Newton's law */
} moreau_jean;

/* Solves the contact problem for v_free with the rows at q: v_new and the impulses. */
carom_status moreau_jean_contacts(moreau_jean *self, carom_error *error);

/* Copies impulses and branches of the contact problem solved last to the state. */
void moreau_jean_record_contacts(moreau_jean *self);

#endif
