/* A of the discs above the bit is tridiagonal. With z = A_22^-1 (b_2 - push) and lean = A_22^-1 A_21, the bit
 * has
 *
 *   (A_11 - A_12 lean) W_1 + h r_1 = b_1 - A_12 z,   W_2 = z - lean W_1
 *
 * and the guess which discs stick is right if those that turn do so against their friction and those that
 * stick need no more than they have. */
#include "disc_elimination.h"

#include <math.h>

bool drill_disc_row_fits(int n, const double *A)
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            if ((j < i - 1 || j > i + 1) && A[i * n + j] != 0.0)
                return false;
    return n > 1;
}

/* L D L^T, and what follows for the bit. */
static void eliminate(drill_disc_row *c)
{
    const int m = c->rest;
    double before = 0.0, coupled = 0.0; /* pivot and coupling of the disc below */
    for (int i = 0; i < m; i++) {
        const bool turns = c->way[i] != 0;
        const double factor = i > 0 && turns ? coupled * before : 0.0;
        if (i > 0)
            c->factor[i - 1] = factor;
        before = turns ? 1.0 / (c->own[i] - factor * coupled) : 1.0;
        c->pivot[i] = before;
        coupled = turns ? c->next[i] : 0.0;
        c->push[i] = c->way[i] * c->limit[i];
        c->turns[i] = turns ? 1.0 : 0.0;
        c->lean[i] = (turns ? c->to_bit[i] : 0.0) - (i > 0 ? factor * c->lean[i - 1] : 0.0);
    }
    c->factor[m - 1] = 0.0;
    c->left = c->bit;
    for (int i = m - 1; i >= 0; i--) {
        c->lean[i] = c->lean[i] * c->pivot[i] - (i + 1 < m ? c->factor[i] * c->lean[i + 1] : 0.0);
        c->left -= c->to_bit[i] * c->lean[i];
    }
}

carom_status drill_disc_row_take(carom_arena *arena, int n, const double *A, double h, const double *wall,
                                 drill_disc_row *row, carom_error *error)
{
    const size_t m = (size_t)n - 1;
    double **array[] = {&row->own,   &row->next,   &row->to_bit, &row->limit, &row->push,
                        &row->turns, &row->factor, &row->pivot,  &row->lean};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        if (!(*array[i] = carom_arena_take(arena, m, sizeof(double))))
            return carom_fail_memory(error);
    if (!(row->way = carom_arena_take(arena, m, sizeof *row->way)))
        return carom_fail_memory(error);
    row->rest = n - 1;
    row->h = h;
    row->bit = A[0];
    for (int i = 1; i < n; i++) {
        row->own[i - 1] = A[i * n + i];
        row->next[i - 1] = i + 1 < n ? A[i * n + i + 1] : 0.0;
        row->to_bit[i - 1] = A[i * n];
        row->limit[i - 1] = h * wall[i];
    }
    eliminate(row);
    return CAROM_OK;
}

void drill_disc_row_follow(drill_disc_row *row, const double *W)
{
    bool changed = false;
    for (int i = 0; i < row->rest; i++) {
        const int way = (W[i + 1] > 0.0) - (W[i + 1] < 0.0);
        changed = changed || way != row->way[i];
        row->way[i] = way;
    }
    if (changed)
        eliminate(row);
}

/* z of the head of the file; returns b_1 - A_12 z. */
static double substitute(const drill_disc_row *c, const double *b, double *z)
{
    const int m = c->rest;
    double rest = b[0], last = 0.0;
    for (int i = 0; i < m; i++) {
        last = c->turns[i] * (b[i + 1] - c->push[i]) - (i > 0 ? c->factor[i - 1] * last : 0.0);
        z[i] = last;
    }
    last = 0.0;
    for (int i = m - 1; i >= 0; i--) {
        z[i] = last = z[i] * c->pivot[i] - c->factor[i] * last;
        rest -= c->to_bit[i] * last;
    }
    return rest;
}

/* What disc i + 2 needs to stick. */
static double load_on(const drill_disc_row *c, const double *b, const double *W, int i)
{
    const double below = i > 0 ? c->next[i - 1] * W[i] : 0.0,
                 above = i + 1 < c->rest ? c->next[i] * W[i + 2] : 0.0;
    return b[i + 1] - c->to_bit[i] * W[0] - below - above;
}

bool drill_disc_row_solve(const drill_disc_row *c, const double *b, const carom_drill_law *law, double *W,
                          double *r)
{
    double r_bit;
    if (!(c->left > c->h * law->vd * (law->Ts - law->Td)))
        return false; /* the bit alone has one solution, together with the others it may have several */
    const double rest = substitute(c, b, W + 1);
    W[0] = carom_drill_friction(c->left, c->h, rest, law, W[0], &r_bit);
    for (int i = 0; i < c->rest; i++)
        W[i + 1] -= c->lean[i] * W[0];
    for (int i = 0; i < c->rest; i++) {
        const bool right =
            c->way[i] != 0 ? W[i + 1] * c->way[i] > 0.0 : fabs(load_on(c, b, W, i)) <= c->limit[i];
        if (!right)
            return false;
    }
    for (int i = 0; r && i < c->rest; i++)
        r[i + 1] = (c->way[i] != 0 ? c->push[i] : load_on(c, b, W, i)) / c->h;
    if (r)
        r[0] = r_bit;
    return true;
}
