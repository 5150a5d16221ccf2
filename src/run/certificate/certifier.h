/* What the parts of a certificate share: its figures so far, and each part's entry. */
#ifndef CAROM_RUN_CERTIFICATE_CERTIFIER_H
#define CAROM_RUN_CERTIFICATE_CERTIFIER_H

#include "carom/run.h"
#include "run/certificate.h"

/* Share of the energy that was moved: one impact that gained more is a doubt. */
#define CERTIFIER_GAIN_DOUBT 1e-3
/* Share of the displacement: a joint that is off by more is a doubt. */
#define CERTIFIER_DRIFT_DOUBT 1e-3

struct certifier {
    carom_model_work *work;
    const carom_model *model;
    carom_row_layout layout;
    carom_certificate found;
    long steps;
    /* The step at whose end there is the next look at the kinetic energy, at the power, at changes of the velocity, at
     * joints; and the first of them. */
    long next_kinetic, next_power, next_changes, next_joints, next_look;
    long power_every;
    double power, power_time;            /* at its last look, */
    double power_before, power_interval; /* and at the one before, NAN: none since it jumped */
    double power_size;                   /* largest */
    bool pushed;                         /* a contact carried an impulse in the last step */
    /* The step at which something wants a look, whatever its output is: next_look while the contacts are calm, that is open,
     * and none of them fell by half its gap in the last step. */
    long calm_until;
    int watched;    /* contacts at which a run looks; none where the scheme does it itself */
    bool own;       /* the scheme looks itself at what touches */
    bool obstacles; /* there are contacts that are not friction forces */
    bool straight;  /* gaps of a structure are affine on the way of a step: none is passed inside it */
    long older_of;  /* older_gap is that before the step of this number */
    bool works;     /* they are found from the outputs */
    bool
        located; /* the scheme looks for impacts between outputs itself; the way between them is not straight */
    bool one_direction; /* contacts are friction forces of one direction in a frame that rests, */
    bool slides;        /* and the scheme gives their rows */
    /* The step at which something wants a look besides the work of such forces, while they act; 0: they do not. */
    long slide_until;
    int dipping;               /* contacts whose dip is not 0 */
    double *load, *load_place; /* of a structure without damping, and its position, at the last look */
    double *scratch;           /* of the power, and of the mass matrix */
    double *mean, *carrier;    /* velocities */
    const double *u0,
        *u1;       /* at both ends of the step, with those of a frame that moves: works are of their mean */
    double *place; /* a position between two outputs */
    double *gap;   /* there */
    double *older_gap; /* at the output before the last one */
    /* Per contact: its largest gap; its deepest violation and when that was; the size of the gap's gradient, and the depth at
     * which that was found. */
    double *largest_gap, *deepest, *deepest_time, *gradient, *gradient_depth;
    double *dip; /* per contact: how deep its gap went since it fell below 0 without any impulse; 0: not */
    carom_contact_frame frame;
    double *constraint, *constraint_rate; /* joints, then contacts */
    bool joints_rest;                     /* no joint depends on time */
    double *rate_before;                  /* per joint, at the output before */
    double *joint_row; /* entries of the gradients of all joints; NULL: the model does not give them */
    double *drift, *drift_time, drift_seen; /* per joint: its largest violation, and when; of all of them */
    int *
        pushes; /* per contact: its steps in a row with an impulse that grows steadily, up to STEPS_TO_STAY */
    double start_time, *start, *start_velocity;
    /* Per velocity: the position that it moves, -1: none; the axis of space along which a body goes, -1: of no body. */
    int *position, *axis;
    bool drifts;                     /* the mean motion has a noticeable part of the kinetic energy */
    double *v_frame;                 /* mean velocity since the start, at the last look: see scales.c */
    double *start_frame;             /* velocity at the start, of the same form */
    double *relative;                /* scratch, dof numbers */
    double kinetic;                  /* largest, relative to v_frame or start_frame */
    double step_energy, step_length; /* what the forces give to what is at rest in one step, and how far */
    double moved; /* sum of |works| of forces, and of contacts relative to their partners */
    /* Sums over time of a^2, a (t - t0) and (t - t0)^2, a = q - q0; their weight, and the last look at them. */
    double *way_square, *way_time, time_square, sampled, sample_time;
    double reach;                    /* largest a */
    double noise_length, noise_time; /* a shorter dip is rounding; the look at which this was found */
    double *lost, *told; /* per velocity: what rounding took of steps, and the way of these steps */
    double gap_length;   /* largest gap, as a length */
    double violation;    /* deepest violation, as a length, and its contact; -1: none */
    int violated;
    double position_size; /* largest coordinate at the end, which rounds gaps */
    double own_length;    /* of the smallest body, where there are bodies */
    double spell;      /* work of contacts in the steps in a row that have some, without that of partners */
    double spell_time; /* their first, and the contact that was pushed hardest there */
    int spell_contact;
    double gain, gain_time; /* the largest gain in a spell */
    char gain_contact[160];
    long gains; /* spells that gained more than what is a doubt */
    double solver_error;
    double jump,
        jump_time; /* the furthest that a contact moved a coordinate beyond what its velocities say */
    int jump_contact;
    double *inertia; /* per coordinate, at the start: what its velocity weighs */
    /* Sums of v - v(0), of its squares, and of the squares of changes in a step; how many, and up to which step. */
    double *velocities, *speeds, *changes;
    long changes_seen, changes_until;
};

/* Names of contacts outlive the scheme that gave them. */
void certifier_set_name(char to[160], const char *name);

/* ---- works ---- */

/* Power of the model's forces at an output. */
double certifier_power(certifier *self, const double *row);

/* The work of the forces since the last look. */
void certifier_add_force_work(certifier *self, const double *row);

/* Works of forces and contacts in a step; pushed: a contact carries an impulse. */
void certifier_add_works(certifier *self, const carom_stepper *stepper, const double *before,
                         const double *row, bool pushed);

/* row . (u0 + u1) / 2 */
static inline double certifier_mean_rate(const carom_row *row, const double *u0, const double *u1)
{
    const double *value = row->value;
    const int *column = row->column, count = row->count;
    double sum = 0.0;
    if (column)
        for (int i = 0; i < count; i++)
            sum += value[i] * (u0[column[i]] + u1[column[i]]);
    else
        for (int i = 0; i < count; i++)
            sum += value[i] * (u0[i] + u1[i]);
    return 0.5 * sum;
}

/* Contacts are open again, or the run ends. */
void certifier_end_spell(certifier *self);

/* Drift and work of the joints; state: NULL at the start. */
void certifier_look_at_joints(certifier *self, const carom_state *state, const double *row);

/* The largest violation of a joint, as a length; row: the last output. */
void certifier_find_drift(certifier *self, const double *row);

/* ---- gaps ---- */

/* What the first output shows. */
void certifier_look_at_first_gaps(certifier *self, const double *row);

/* Those of the output before `before`, where steps were passed over. */
void certifier_find_older_gaps(certifier *self, const double *before);

/* Whether all contacts at which the run looks are open. */
bool certifier_are_many_open(const certifier *self, const carom_state *state, const double *row);
static inline bool certifier_are_open(const certifier *self, const carom_state *state, const double *row)
{
    if (self->watched > 2)
        return certifier_are_many_open(self, state, row);
    const double *gap = row + self->layout.gap;
    for (int i = 0; i < self->watched; i++)
        if (state->regime[i] != CAROM_CONTACT_OPEN || !(gap[i] > 0.0))
            return false;
    return true;
}

/* Penetration and crossings in a step. Says whether a contact carries an impulse. */
bool certifier_look_at_gaps(certifier *self, const carom_state *state, const double *before,
                            const double *row);

/* The deepest violation of any contact as a length, and the largest gap of a contact that was violated. */
void certifier_find_penetration(certifier *self, const double *row);

void certifier_keep_gaps(certifier *self, const double *before);

/* ---- scales ---- */

/* Returns false if allocation fails. */
bool certifier_take_scales(certifier *self, carom_arena *arena);

/* Returns false if allocation fails. */
bool certifier_start_scales(certifier *self, const double *row);

/* Largest gap of each contact. */
void certifier_look_at_gap_scale(certifier *self, const double *row);

/* Energies and displacements. h: the step; 0: the scheme has steps of its own. */
void certifier_look_at_scales(certifier *self, const double *row, double h);

/* The energy that was moved, so far; and with a share of what forces give in one step. */
double certifier_energy_moved(const certifier *self);
double certifier_energy_scale(const certifier *self);

/* sqrt(8) times the root mean square of q - q0 - v_frame (t - t0), of the coordinate that has most: the range of an
 * oscillation. */
double certifier_displacement(const certifier *self);

/* The same, and a share of what forces move in one step. */
double certifier_length_scale(const certifier *self);

/* Velocities and their changes in a step. */
void certifier_add_changes(certifier *self, const double *before, const double *row);

/* ---- doubts ---- */

/* What of the figures is a doubt. The stepper may be NULL. */
void certifier_note_doubts(const certifier *self, const carom_stepper *stepper,
                           const carom_run_result *result, carom_certificate *found);

#endif
