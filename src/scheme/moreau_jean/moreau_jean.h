/* The data of the moreau-jean scheme, shared by its time discretisation and its contact problems. */
#ifndef CAROM_SCHEME_MOREAU_JEAN_MOREAU_JEAN_H
#define CAROM_SCHEME_MOREAU_JEAN_MOREAU_JEAN_H

#include "carom/scheme.h"
#include "jean_sparse.h"
#include "scheme/parts/chosen_impact.h"
#include "scheme/parts/contact_rows.h"
#include "scheme/parts/friction_assembly.h"
#include "scheme/parts/joint_system.h"
#include "scheme/parts/newton_matrix.h"
#include "scheme/parts/normal_lcp.h"
#include "scheme/parts/step_report.h"

/* Iterates of velocity that agree, relative to one and the largest velocity. */
static const double moreau_jean_newton_tolerance = 1e-12;

/* What Newton's method takes from the steps before to begin with. */
typedef struct jean_past {
    int smooth; /* steps in a row, up to now, that had the contacts of this one and no law of impact */
    double *v, *v_earlier; /* velocities one and two steps before the one with which this step begins */
    int active_count;
    int *active;
} jean_past;

typedef struct moreau_jean {
    carom_stepper stepper;    /* first: the handle of the caller */
    struct body_step *bodies; /* of a model with bodies: all that follows is not used then */
    double theta, prediction;
    double slow;      /* speed below which nothing moves, where tolerances are relative to the speed */
    double looseness; /* >= 1: iterates need not agree more closely than contact problems are solved */
    double t;         /* end of the step */
    double *q, *v;    /* iterate at the end of the step */
    double *v_new; /* next iterate, with contacts; of a sparse model with joints more: jean_sparse_joints.c */
    double *v_free;      /* next iterate without contact impulses; likewise */
    double *v_free_last; /* the one before */
    double *v_cycle;     /* an iterate near the last allowed one, to say why it did not converge */
    double *q_mid;
    jean_past past;
    double *force_old, *force_new;
    bool force_known; /* force_old is that of the state already */
    bool is_sparse;   /* the model is, and so is the step: what is n x n or contacts x contacts is not used */
    jean_sparse sparse;
    double *mass, *by_q, *by_u;
    bool mass_diagonal;
    bool newton_diagonal; /* mass and derivatives of the force have no entries beside the diagonal */
    newton_matrix newton;
    bool jacobian_known;   /* by_q and by_u are those of the iterate: they came with the force */
    bool constant_newton;  /* the Newton matrix depends on parameters only */
    bool newton_symmetric; /* without taking its symmetric part */
    bool for_contacts;     /* the symmetric part was taken */
    bool affine;           /* force and Newton matrix make the first iterate exact, but for contact rows */
    bool rows_constant;    /* rows of all active contacts and of joints do not depend on the iterate */
    double *gap;
    double *target; /* per contact: normal velocity after an impact */
    double
        *response; /* ... and what a unit impulse along its normal does to it, of rows that were evaluated */
    int active_count;
    int *active;
    bool may_fix_rows; /* where the iteration does not settle */
    bool always_fix_rows;
    bool rows_fixed;   /* in this step: rows of contacts are those at q_rows, whatever the iterate is */
    bool rows_found;   /* and have been evaluated there */
    double *q_rows;    /* the predicted position */
    bool problem_told; /* that of this step, to who listens */
    bool unsolved;     /* the contact problem solved last missed its tolerance */
    bool clean;        /* impulses and regimes of the state are zero */
    bool friction;     /* an active contact has friction */
    contact_rows rows;
    normal_lcp lcp;             /* without friction */
    friction_assembly assembly; /* with friction */
    chosen_impact chosen;       /* in place of Newton's law */
    bool oblique;               /* Moreau's law in all components, with friction */
    bool restitution_known;     /* in this step: */
    double restitution;         /* the one of that law */
    joint_system joints;        /* with the Newton matrix */
    double joint_share;         /* of the rows at the start of the step in those along which joints act */
    double *joint_row_old;      /* joints x dof: the rows at the start of the step */
    double *joint_turn;         /* what their turning during the step adds to the free velocity */
    double *joint_free;         /* per joint: impulse of the iterate without contacts */
    double *joint_coupling;     /* 3 x joints per contact: impulses of the joints for a unit impulse */
    double *joint_now;          /* impulses of the iterate */
    double *joint_impulse;      /* of the step that led to the state */
    bool projection;            /* of the position, after each step */
    joint_system projector;     /* with the mass matrix */
    newton_matrix projector_mass;
} moreau_jean;

/* Position after the share of the step's motion: q for 1, q_m for theta. */
static inline void moreau_jean_move(const moreau_jean *self, double share, double *q)
{
    const double h = self->stepper.h, theta = self->theta;
    const double *q_old = self->stepper.state.q, *v_old = self->stepper.state.v, *v = self->v;
    for (int i = 0; i < self->stepper.dof; i++)
        q[i] = q_old[i] + share * (h * ((1.0 - theta) * v_old[i] + theta * v[i]));
}

/* ---- jean_set_up.c, jean_bodies.c: functions of carom_scheme_ops, and the set-up where the model has bodies ---- */

carom_status moreau_jean_accepts(const carom_model *model, carom_error *error);
carom_status moreau_jean_setup(carom_stepper *stepper, carom_error *error);
void moreau_jean_free(carom_stepper *stepper);
void moreau_jean_keep(carom_stepper *stepper, carom_snapshot *snapshot);
carom_status moreau_jean_set_up_bodies(moreau_jean *self, carom_error *error);

/* jean_tangent.c: derivatives of steps. */
extern const carom_tangent_ops moreau_jean_tangent;

/* jean_lanes.c: several motions side by side. */
extern const struct carom_lane_ops moreau_jean_lanes;

/* ---- the step ------------------------------------------------------------------------------------- */

/* self->mass, or the entries of it, at (t, q). */
void moreau_jean_mass(moreau_jean *self, double t, const double *q);

/* After a matrix of Newton's method that did not serve: whether the mass matrix alone has factors. Then a smaller step
 * has them, too. */
bool moreau_jean_mass_is_regular(moreau_jean *self);

/* The frame of an active contact at the iterate, or once at the predicted position; what does not change is evaluated
 * once. */
carom_status moreau_jean_frame(moreau_jean *self, int contact, carom_error *error);

/* Solves the contact problem for v_free with the rows at q: v_new and the impulses. */
carom_status moreau_jean_contacts(moreau_jean *self, carom_error *error);

/* Impulse of the k-th active contact in the problem solved last. */
static inline double moreau_jean_impulse(const moreau_jean *self, int k, int component)
{
    if (self->is_sparse)
        return self->sparse.impulse[CAROM_CONTACT_COMPONENTS * k + component];
    if (self->friction)
        return self->assembly.impulse[CAROM_CONTACT_COMPONENTS * k + component];
    return component == 0 ? self->lcp.z[k] : 0.0;
}

/* The first component of a contact that is an impulse: of a friction force the normal one is h. */
static inline int moreau_jean_first_component(const carom_contact_info *info)
{
    return info->friction_force ? 1 : 0;
}

/* Copies impulses and regimes of the contact problem solved last to the state. */
void moreau_jean_record_contacts(moreau_jean *self);

/* jean_oblique.c: whether the law is Moreau's for a model with friction; what it asks of the normals of active contacts, and
 * of their slips after friction_assembly_fill. */
bool moreau_jean_is_oblique(const carom_stepper *stepper, const char *law);
void moreau_jean_oblique_targets(moreau_jean *self);
void moreau_jean_oblique_slips(moreau_jean *self);

/* jean_problem.c: the first contact problem of a step for who listens (carom_problem_listener), and whether the model has such. */
bool moreau_jean_tells_problems(const moreau_jean *self);
carom_status moreau_jean_tell_problem(moreau_jean *self, carom_error *error);

/* ---- sparse models ------------------------------------------------------------------------------- */

/* True when the step has a sparse form: round cones, no solver that was asked for by name, with joints no law of impact
 * that was. */
bool moreau_jean_takes_sparse(const moreau_jean *self);
/* BAD_INPUT where the full step that is taken else would be too large. */
carom_status moreau_jean_check_full(const moreau_jean *self, carom_error *error);
/* Memory; false when it is short. */
bool moreau_jean_sparse_take(moreau_jean *self);
void moreau_jean_sparse_free(moreau_jean *self);
/* The entries of M at (t, q). */
void moreau_jean_sparse_mass(moreau_jean *self, double t, const double *q);
/* Fills sparse.newton at the iterate, symmetric where there are contacts. */
void moreau_jean_sparse_newton(moreau_jean *self);
bool moreau_jean_sparse_mass_is_regular(moreau_jean *self);
/* x -= M (v - v_old) */
void moreau_jean_sparse_take_momentum(const moreau_jean *self, const double *v, const double *v_old,
                                      double *x);
/* moreau_jean_contacts in the space of velocities. */
carom_status moreau_jean_sparse_contacts(moreau_jean *self, carom_error *error);

/* jean_sparse_joints.c: what the functions below do for a sparse model. v_free is the momentum that the step adds before,
 * the velocity after. */
bool moreau_jean_sparse_joints_take(moreau_jean *self);
void moreau_jean_sparse_begin_joints(moreau_jean *self);
carom_status moreau_jean_sparse_joints(moreau_jean *self, carom_error *error);
void moreau_jean_sparse_sum_joints(moreau_jean *self);
/* Adds what the turning of joints' rows makes of their impulses to the values of sparse.newton. */
void moreau_jean_sparse_stiffen(moreau_jean *self);
/* How closely the next contact problem is solved, after the velocity has changed by so much. */
void moreau_jean_sparse_come_closer(moreau_jean *self, double change);
joint_violation moreau_jean_sparse_violation(moreau_jean *self, const double *q, const double *v);
carom_status moreau_jean_sparse_project(moreau_jean *self, joint_violation *left, bool *done,
                                        carom_error *error);
/* An active contact whose gap the joints leave no motion; -1: there is none. */
int moreau_jean_find_held(moreau_jean *self);
/* FAILED: the joints hold this contact. */
carom_status moreau_jean_fail_held(const moreau_jean *self, int contact, carom_error *error);

/* ---- joints -------------------------------------------------------------------------------------- */

/* Memory; false when it is short. */
bool moreau_jean_joints_take(moreau_jean *self);

/* The rows at the start of the step, where joints act along them. */
void moreau_jean_begin_joints(moreau_jean *self);

/* Gives v_free the impulses of the joints with the rows at q: G v_free + g_t = 0. */
carom_status moreau_jean_joints(moreau_jean *self, carom_error *error);

/* The response of a contact's row, with the impulses that the joints answer. False when joints leave it none:
 * the row is a combination of theirs. */
bool moreau_jean_joints_answer(moreau_jean *self, int contact, int component);

/* The impulses of the joints in the iterate, from those of its contacts. */
void moreau_jean_sum_joints(moreau_jean *self);

/* ", and joint 'a' is left with a rate of ...": of an iterate that did not converge. */
void moreau_jean_describe_joints(moreau_jean *self, char *text, size_t size);

/* The position at the end of the step, put back on the joints: q. */
carom_status moreau_jean_project(moreau_jean *self, carom_error *error);

#endif
