/* The inside of an impact law: contact space, shared by all of them.
 *
 * The wrapper carom_impact_solve checks the data, builds the frame, lets the law choose the impulses, and
 * computes velocities, energies and flags from them by itself. */
#ifndef LAW_IMPACT_LAW_H
#define LAW_IMPACT_LAW_H

#include "carom/law.h"

/* One impact seen from its contacts. */
typedef struct impact_frame {
    const carom_impact *impact;
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
    double energy_before; /* kinetic */
    double speed;         /* max |gamma| */
} impact_frame;

/* A law chooses result->impulse (zeroed before) and fills its part of the result. result->velocity is work
 * space of the law until it returns; the wrapper fills it. `work` has as many doubles as work_size said. */
struct carom_impact_law_ops {
    const char *name, *summary;
    size_t (*work_size)(const carom_impact_sizes *sizes);
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

/* p = the multipliers of the projection of a contact velocity on gamma >= 0 in the metric of G^-1:
 * 0 <= p _|_ G p + b >= 0. Returns the worst |min(p G_ii, G p + b)|, or infinity when there is no solution.
 * work: impact_lcp_work(sizes) doubles. */
size_t impact_lcp_work(const carom_impact_sizes *sizes);
double impact_lcp(const impact_frame *frame, const double *b, double *work, double *p);

#endif
