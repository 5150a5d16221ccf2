/* The inside of an impact law: contact space, shared by all of them.
 *
 * The wrapper carom_impact_solve checks the data, builds the frame, lets the law choose the impulses, and
 * computes velocities, energies and flags from them by itself. */
#ifndef CAROM_LAW_IMPACT_IMPACT_LAW_H
#define CAROM_LAW_IMPACT_IMPACT_LAW_H

#include "carom/law.h"

/* One impact seen from its contacts. */
typedef struct impact_frame {
    const carom_impact *impact;
    const carom_impact_sizes *sizes; /* what the work was made for; no zeros. The impact may be smaller. */
    int contacts, coordinates;
    const double *gamma;       /* W^T v- + rate */
    const double *restitution; /* per contact */
    const double *stiffness, *exponent;
    /* G = W^T M^-1 W, symmetric, compressed by rows, columns ascending; every row has its diagonal entry. */
    const int *start, *column, *diagonal; /* diagonal: where entry (i, i) stands */
    const double *entry;
    /* M^-1 W by columns. */
    const int *response_start, *response_row;
    const double *response;
    const double *factor; /* Cholesky factor of a full mass matrix */
    double energy_before; /* kinetic */
    double speed;         /* max |gamma| */
} impact_frame;

/* A law chooses result->impulse (zeroed before) and fills its part of the result. result->velocity is work
 * space of the law until it returns; the wrapper fills it. `work` has as many doubles as work_size said. */
struct carom_impact_law_ops {
    const char *name, *summary;
    size_t (*work_size)(const carom_impact_sizes *sizes);
    /* What the law asks of the data beyond the common checks; NULL: nothing. */
    carom_status (*check)(const carom_impact *impact, carom_error *error);
    carom_status (*solve)(const impact_frame *frame, const carom_impact_options *options, double *work,
                          carom_impact_result *result, carom_error *error);
};

/* y = G p */
void impact_frame_multiply(const impact_frame *frame, const double *p, double *y);

/* v += M^-1 w_contact p */
static inline void impact_frame_push(const impact_frame *frame, int contact, double p, double *v)
{
    for (int k = frame->response_start[contact]; k < frame->response_start[contact + 1]; k++)
        v[frame->response_row[k]] += frame->response[k] * p;
}

/* w_contact . v + rate */
static inline double impact_frame_rate(const impact_frame *frame, int contact, const double *v)
{
    const carom_impact *impact = frame->impact;
    double sum = impact->rate ? impact->rate[contact] : 0.0;
    for (int k = impact->column_start[contact]; k < impact->column_start[contact + 1]; k++)
        sum += impact->value[k] * v[impact->row[k]];
    return sum;
}

/* dv = M^-1 W p; dv has a place per coordinate. */
void impact_frame_move(const impact_frame *frame, const double *p, double *dv);

/* y = base + W^T M^-1 W p; dv (coordinates) is left with M^-1 W p. Where impulses nearly balance, as in a
 * long chain, this is far more accurate than G p: the differences of neighbours are exact, and G has not been
 * rounded. */
void impact_frame_answer(const impact_frame *frame, const double *base, const double *p, double *dv,
                         double *y);

/* What the rounding of impulses alone may do to the velocity of a contact: large impulses that nearly balance
 * leave a small velocity. */
double impact_frame_rounding(const impact_frame *frame, int contact, const double *p);

/* ---- complementarity: 0 <= p _|_ G p + b >= 0 ----------------------------------------------------------
 *
 * Gives p = the multipliers of the projection of a contact velocity on gamma >= 0 in the metric of G^-1.
 * Returns the worst |min(p G_ii, G p + b)|, or infinity when there is no solution (p is zero then).
 * work: impact_lcp_work(sizes) doubles. */
size_t impact_lcp_work(const carom_impact_sizes *sizes);
double impact_lcp(const impact_frame *frame, const double *b, double *work, double *p);

/* What a residual of impact_lcp means, against the velocities of the impact and the rounding of p. */
carom_impact_word impact_lcp_word(const impact_frame *frame, const double *p, double residual);

/* The word for result->residual. Where there is no solution the impulses become zero, and the residual what b
 * asks for in vain. */
void impact_conclude(const impact_frame *frame, const double *b, carom_impact_result *result);

/* Most contacts that are worth matrices of contacts^2 where G is sparse. */
enum {
    IMPACT_DENSE = 500
};

/* impact_chain.c: G tridiagonal with couplings <= 0. Contacts in the order of the chain; time and memory
 * proportional to their number. */
typedef enum impact_chain_outcome {
    IMPACT_CHAIN_SOLVED,
    IMPACT_CHAIN_INFEASIBLE,
} impact_chain_outcome;
bool impact_chain_fits(const impact_frame *frame);
size_t impact_chain_work(const carom_impact_sizes *sizes);
impact_chain_outcome impact_chain_solve(const impact_frame *frame, const double *b, double *work, double *p);
/* Do the contacts of a chain depend on each other? work: a double per contact. */
bool impact_chain_redundant(const impact_frame *frame, double *work);

/* impact_gradient.c: any sparse G, projected conjugate gradients from p. Infinity: no solution. */
size_t impact_gradient_work(const carom_impact_sizes *sizes);
double impact_gradient_solve(const impact_frame *frame, const double *b, double tolerance, double *work,
                             double *p);

/* ---- redundant contacts: columns of W that depend on each other (impact_redundant.c) ------------------- */

/* Up to IMPACT_DENSE contacts, and chains of any length; false where it is not known. */
size_t impact_redundant_work(const carom_impact_sizes *sizes);
bool impact_is_redundant(const impact_frame *frame, double *work);

/* Replaces impulses by the smallest (Euclidean norm) that give the same velocity and are zero where
 * after > tolerance. False and nothing changed when the contacts with after <= tolerance do not depend on
 * each other, when they have one restitution, or when they are more than IMPACT_DENSE. */
bool impact_smallest_impulses(const impact_frame *frame, const double *after, double tolerance, double *work,
                              double *p);

#endif
