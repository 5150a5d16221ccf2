#include "pairs_sweep.h"
#include "pairs_local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double local_tolerance = 1e-14;

static bool take_rho(pairs_sweep *self)
{
    const pairs_rows *rows = self->rows;
    if ((size_t)rows->contacts > self->rho_room) {
        const size_t room = (size_t)rows->contacts + (size_t)rows->contacts / 2;
        double *larger = realloc(self->rho, carom_product(room, (1 + PAIRS_MOST_PARTS) * sizeof *larger));
        if (!larger)
            return false;
        self->rho = larger;
        self->rho_room = room;
    }
    for (int i = 0; i < rows->contacts; i++)
        pairs_law_rho(rows->d, rows->s, rows->w, rows->W + (ptrdiff_t)rows->w * rows->w * i,
                      self->rho + (ptrdiff_t)(1 + rows->parts) * i);
    return true;
}

bool pairs_sweep_take(pairs_sweep *self, const pairs_rows *rows)
{
    self->rows = rows;
    if (rows->d == 2)
        return true;
    if (rows->parts > 1)
        return take_rho(self);
    if ((size_t)rows->contacts > self->room) {
        const size_t room = (size_t)rows->contacts + (size_t)rows->contacts / 2;
        coulomb_local *larger = realloc(self->contact, carom_product(room, sizeof *larger));
        if (!larger)
            return false;
        self->contact = larger;
        self->room = room;
    }
    for (int i = 0; i < rows->contacts; i++)
        coulomb_local_prepare(&self->contact[i], rows->W + 9 * (ptrdiff_t)i, rows->mu[i]);
    return true;
}

void pairs_sweep_free(pairs_sweep *self)
{
    free(self->contact);
    free(self->rho);
    *self = (pairs_sweep){0};
}

/* One contact in the plane, FC(W, q, mu) with a symmetric W of 2 x 2: open, stick, slip to one side or the
 * other. False when there is nothing to solve with. */
static inline bool solve_plane(const double *W, double mu, const double q[2], double r[2])
{
    const double a = W[0], b = W[1], c = W[4], determinant = a * c - b * b;
    r[0] = r[1] = 0.0;
    if (q[0] >= 0.0)
        return true;
    if (!(a > 0.0))
        return false;
    if (mu == 0.0) {
        r[0] = -q[0] / a;
        return true;
    }
    /* times the determinant */
    const double normal = b * q[1] - c * q[0], tangent = b * q[0] - a * q[1];
    if (normal >= 0.0 && fabs(tangent) <= mu * normal && determinant > 0.0) {
        r[0] = normal / determinant;
        r[1] = tangent / determinant;
        return true;
    }
    const double side = tangent > 0.0 ? mu : -mu;
    for (int turn = 0; turn < 2; turn++) {
        const double t = turn == 0 ? side : -side, way = a + t * b;
        if (!(way > 0.0))
            continue;
        r[0] = -q[0] / way;
        r[1] = t * r[0];
        if ((q[1] + b * r[0] + c * r[1]) * t <= 0.0)
            return true;
    }
    return isfinite(r[0]) && r[0] > 0.0;
}

/* An answer that is not precise enough will do for one sweep, but not without inertia. */
PAIRS_INLINE bool solve_contact(pairs_sweep *self, int d, int s, int i, const double *q, double *next)
{
    const pairs_rows *rows = self->rows;
    if (d == 2)
        return solve_plane(rows->W + 9 * (ptrdiff_t)i, rows->mu[i], q, next);
    if (pairs_has_moments(d, s)) {
        const double *W = rows->W + (ptrdiff_t)d * d * i;
        return pairs_local_solve(d, s, W, rows->mu + (ptrdiff_t)rows->parts * i,
                                 self->rho + (ptrdiff_t)(1 + rows->parts) * i, q, next) ||
               W[0] > 0.0;
    }
    coulomb_local_counts counts = {0};
    return coulomb_local_solve(&self->contact[i], COULOMB_LOCAL_EXACT, local_tolerance, q, next, &counts) ||
           rows->W[9 * (ptrdiff_t)i] > 0.0;
}

bool pairs_sweep_alone(pairs_sweep *self, int contact, double *r)
{
    const pairs_rows *rows = self->rows;
    const double *q = rows->q + (ptrdiff_t)rows->d * contact;
    memset(r, 0, (size_t)rows->d * sizeof *r);
    return rows->d == 2       ? solve_contact(self, 2, 3, contact, q, r)
           : rows->parts == 1 ? solve_contact(self, 3, 6, contact, q, r)
           : rows->s == 3     ? solve_contact(self, 3, 3, contact, q, r)
                              : solve_contact(self, 6, 6, contact, q, r);
}

PAIRS_INLINE double sweep_contact(pairs_sweep *self, int d, int s, int i, double *r, double *v)
{
    const pairs_rows *rows = self->rows;
    const int w = d == 2 ? 3 : d;
    const double *W = rows->W + (ptrdiff_t)w * w * i;
    double *va = v + (ptrdiff_t)s * rows->body[i][0], *vb = v + (ptrdiff_t)s * rows->body[i][1];
    double *ri = r + (ptrdiff_t)d * i, next[PAIRS_MOST], q[PAIRS_MOST];
    for (int k = 0; k < d; k++) {
        next[k] = ri[k];
        q[k] = rows->q[d * i + k];
        for (int j = 0; j < d; j++)
            q[k] -= W[w * k + j] * ri[j];
    }
    pairs_add_velocity(d, s, rows->J + (ptrdiff_t)2 * d * s * i, va, vb, q);
    const bool solved = solve_contact(self, d, s, i, q, next);
    double change = 0.0;
    for (int k = 0; k < d; k++)
        change += (next[k] - ri[k]) * (next[k] - ri[k]);
    if (!solved || !isfinite(change) || change == 0.0)
        return 0.0;
    for (int k = 0; k < d; k++) {
        const double before = ri[k];
        ri[k] = next[k];
        next[k] -= before;
    }
    pairs_add_motion(d, s, rows->A + (ptrdiff_t)2 * d * s * i, next, va, vb);
    return change;
}

PAIRS_INLINE double sweep_all(pairs_sweep *self, int d, int s, bool backwards, double *r, double *v)
{
    const int n = self->rows->contacts;
    double change = 0.0;
    for (int k = 0; k < n; k++)
        change += sweep_contact(self, d, s, backwards ? n - 1 - k : k, r, v);
    return change;
}

double pairs_sweep_once(pairs_sweep *self, bool backwards, double *r, double *v)
{
    const pairs_rows *rows = self->rows;
    const double change = rows->d == 2       ? sweep_all(self, 2, 3, backwards, r, v)
                          : rows->parts == 1 ? sweep_all(self, 3, 6, backwards, r, v)
                          : rows->s == 3     ? sweep_all(self, 3, 3, backwards, r, v)
                                             : sweep_all(self, 6, 6, backwards, r, v);
    if (rows->joints)
        pairs_joints_obey(rows->joints, v);
    return change;
}
