/* The Runge-Kutta pair of Dormand and Prince for contacts with frozen phases. */
#include "runge_kutta_pair.h"

#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "force.h"

void lzb_pair_prepare(lzb_pair *pair, lzb *s)
{
    const size_t contacts = (size_t)s->contacts;
    double *place = s->scratch;
    memset(pair, 0, sizeof *pair);
    memset(place, 0, 12 * contacts * sizeof *place);
    for (int i = 0; i < PAIR_STAGES; i++, place += contacts)
        pair->force[i] = place;
    double **const others[] = {&pair->impulse, &pair->sum, &pair->rate, &pair->x, &pair->d};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++, place += contacts)
        *others[i] = place;
    for (int j = 0; j < PAIR_STAGES; j++)
        for (int k = 0; k < PAIR_STAGES; k++) {
            for (int i = 0; i < PAIR_STAGES; i++)
                pair->twice[i][k] += carom_dormand_prince_stage[i][j] * carom_dormand_prince_stage[j][k];
            pair->twice_error[k] += carom_dormand_prince_error[j] * carom_dormand_prince_stage[j][k];
        }
}

static void find_forces(const lzb_pair *pair, const lzb *s, const double *x, double *force)
{
    const carom_contact_space *space = s->space;
    for (int i = 0; i < s->list.active; i++) {
        const int j = s->list.member[i];
        force[j] = pair->rate[j] > 0.0 ? lzb_force(x[j], space->stiffness[j], space->exponent[j]) : 0.0;
    }
}

void lzb_pair_start(lzb_pair *pair, const lzb *s)
{
    find_forces(pair, s, s->indentation, pair->force[0]);
}

/* sum = the first `count` forces with weights */
static void add_forces(lzb_pair *pair, const lzb *s, int count, const double *weight)
{
    for (int i = 0; i < s->list.active; i++) {
        const int j = s->list.member[i];
        double sum = 0.0;
        for (int k = 0; k < count; k++)
            sum += weight[k] * pair->force[k][j];
        pair->sum[j] = sum;
    }
}

/* The indentations of stage i, for the first `count` members. */
static void find_stage(lzb_pair *pair, const lzb *s, double h, int stage, int count)
{
    add_forces(pair, s, stage - 1, pair->twice[stage]);
    const double h_stage = h * carom_dormand_prince_time[stage], h2 = h * h;
    for (int i = 0; i < count; i++) {
        const int j = s->list.member[i];
        const double pushed = h2 * lzb_row(s->space, j, pair->sum);
        pair->x[j] = s->indentation[j] + pair->rate[j] * (h_stage * s->closing[j] - pushed);
    }
}

void lzb_pair_step(lzb_pair *pair, const lzb *s, double h)
{
    const int last = PAIR_STAGES - 1;
    for (int stage = 1; stage < last; stage++) {
        find_stage(pair, s, h, stage, s->list.active);
        find_forces(pair, s, pair->x, pair->force[stage]);
    }
    find_stage(pair, s, h, last, s->list.count);
    find_forces(pair, s, pair->x, pair->force[last]);
    add_forces(pair, s, last, carom_dormand_prince_stage[last]);
    for (int i = 0; i < s->list.active; i++)
        pair->impulse[s->list.member[i]] = h * pair->sum[s->list.member[i]];
    for (int i = 0; i < s->list.count; i++) {
        const int j = s->list.member[i];
        pair->d[j] = s->closing[j] - lzb_row(s->space, j, pair->impulse);
    }
}

double lzb_pair_error(lzb_pair *pair, const lzb *s, double h)
{
    double worst_d = 0.0, worst_x = 0.0;
    add_forces(pair, s, PAIR_STAGES, carom_dormand_prince_error);
    for (int i = 0; i < s->list.active; i++)
        worst_d = fmax(worst_d, fabs(lzb_row(s->space, s->list.member[i], pair->sum)));
    add_forces(pair, s, PAIR_STAGES, pair->twice_error);
    for (int i = 0; i < s->list.active; i++) {
        const int j = s->list.member[i];
        worst_x = fmax(worst_x, pair->rate[j] * fabs(lzb_row(s->space, j, pair->sum)) / s->duration[j]);
    }
    return fmax(h * worst_d, h * h * worst_x) / s->speed;
}

void lzb_pair_accept(lzb_pair *pair, lzb *s)
{
    double *const first = pair->force[0];
    pair->force[0] = pair->force[PAIR_STAGES - 1];
    pair->force[PAIR_STAGES - 1] = first;
    for (int i = 0; i < s->list.active; i++)
        s->result->impulse[s->list.member[i]] += pair->impulse[s->list.member[i]];
    for (int i = 0; i < s->list.count; i++) {
        const int j = s->list.member[i];
        s->closing[j] = pair->d[j];
        s->indentation[j] = pair->x[j];
    }
}

void lzb_pair_clear(lzb_pair *pair, const lzb *s)
{
    for (int i = 0; i < s->list.active; i++) {
        const int j = s->list.member[i];
        for (int k = 0; k < PAIR_STAGES; k++)
            pair->force[k][j] = 0.0;
        pair->impulse[j] = pair->sum[j] = 0.0;
    }
}
