/* All that sticks -> Newton's method from the last r, and from there -> the parts one after the other, which is slow where
 * they couple and comes to an end where Newton's method goes round in circles. */
#include "pairs_local.h"

#include "contact/coulomb/local_contact.h"

enum {
    NEWTON_STEPS = 25,
    PASSES = 200,
    DISC_STEPS = 60
};
/* |G| over |r| */
static const double tolerance = 1e-14;

PAIRS_INLINE void find_velocity(int d, const double *W, const double *q, const double *r, double *u)
{
    for (int k = 0; k < d; k++)
        u[k] = q[k] + carom_dot(d, W + (ptrdiff_t)d * k, r);
}

PAIRS_INLINE bool is_solved(int d, int s, const double *coefficient, const double *rho, const double *u,
                            const double *r)
{
    const double size = carom_dot(d, r, r);
    return size > 0.0 && pairs_law_distance(d, s, coefficient, rho, u, r) <= tolerance * tolerance * size;
}

/* x := matrix^-1 x, by elimination with exchanges of rows; the matrix is spoiled. False when it is singular. */
PAIRS_INLINE bool eliminate(int d, double *matrix, double *x)
{
    for (int k = 0; k < d; k++) {
        int chosen = k;
        for (int i = k + 1; i < d; i++)
            if (fabs(matrix[d * i + k]) > fabs(matrix[d * chosen + k]))
                chosen = i;
        if (!(fabs(matrix[d * chosen + k]) > 0.0))
            return false;
        for (int j = k; chosen != k && j < d; j++) {
            const double other = matrix[d * chosen + j];
            matrix[d * chosen + j] = matrix[d * k + j];
            matrix[d * k + j] = other;
        }
        const double right = x[chosen];
        x[chosen] = x[k];
        x[k] = right;
        for (int i = k + 1; i < d; i++) {
            const double factor = matrix[d * i + k] / matrix[d * k + k];
            for (int j = k + 1; j < d; j++)
                matrix[d * i + j] -= factor * matrix[d * k + j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = d - 1; i >= 0; i--) {
        for (int j = i + 1; j < d; j++)
            x[i] -= matrix[d * i + j] * x[j];
        x[i] /= matrix[(d + 1) * i];
    }
    return true;
}

/* W r = -q, within the cone. */
PAIRS_INLINE bool solve_stick(int d, int s, const double *W, const double *coefficient, const double *q,
                              double *r)
{
    double matrix[PAIRS_MOST * PAIRS_MOST], x[PAIRS_MOST] = {0.0};
    memcpy(matrix, W, (size_t)(d * d) * sizeof *W);
    for (int k = 0; k < d; k++)
        x[k] = -q[k];
    if (!eliminate(d, matrix, x) || !(x[0] >= 0.0))
        return false;
    for (int part = 0; part < pairs_parts(d, s); part++)
        if (!(pairs_part_length(pairs_part_size(s, part), x + pairs_part_start(s, part)) <=
              coefficient[part] * x[0]))
            return false;
    memcpy(r, x, (size_t)d * sizeof *r);
    return true;
}

/* Rows of a part in B + A W, and -G there. */
PAIRS_INLINE void fill_part(int d, int at, int n, double mu, double rho, double rho_N, const double *W,
                            const double *u, const double *r, double *matrix, double *right)
{
    const double y_N = r[0] - rho_N * u[0];
    double y[2] = {0.0, 0.0};
    for (int k = 0; k < n; k++)
        y[k] = r[at + k] - rho * u[at + k];
    const double size = pairs_part_length(n, y), t = size > 0.0 ? mu * y_N / size : 0.0;
    const double e[2] = {size > 0.0 ? y[0] / size : 0.0, size > 0.0 ? y[1] / size : 0.0};
    for (int k = 0; k < n; k++) {
        double *row = matrix + (ptrdiff_t)d * (at + k);
        memset(row, 0, (size_t)d * sizeof *row);
        if (mu > 0.0 && size <= mu * y_N) {
            carom_axpy(d, rho, W + (ptrdiff_t)d * (at + k), row);
            right[at + k] = -rho * u[at + k];
            continue;
        }
        /* I - mu e (1, 0, ...) + mu rho_N e W_N - t P (I - rho W_part) */
        row[at + k] = 1.0;
        row[0] -= mu * e[k];
        carom_axpy(d, mu * rho_N * e[k], W, row);
        for (int j = 0; n == 2 && j < n; j++) {
            const double tP = t * ((k == j ? 1.0 : 0.0) - e[k] * e[j]);
            row[at + j] -= tP;
            carom_axpy(d, tP * rho, W + (ptrdiff_t)d * (at + j), row);
        }
        right[at + k] = -(r[at + k] - mu * y_N * e[k]);
    }
}

PAIRS_INLINE bool solve_newton(int d, int s, const double *W, const double *coefficient, const double *rho,
                               const double *q, double *r)
{
    double u[PAIRS_MOST] = {0.0}, matrix[PAIRS_MOST * PAIRS_MOST], step[PAIRS_MOST];
    find_velocity(d, W, q, r, u);
    for (int count = 0; count < NEWTON_STEPS; count++) {
        if (!(r[0] - rho[0] * u[0] > 0.0)) { /* it is closed: from zero it is, as q_N < 0 */
            memset(r, 0, (size_t)d * sizeof *r);
            find_velocity(d, W, q, r, u);
        }
        memset(matrix, 0, (size_t)d * sizeof *matrix);
        carom_axpy(d, rho[0], W, matrix);
        step[0] = -rho[0] * u[0];
        for (int part = 0; part < pairs_parts(d, s); part++)
            fill_part(d, pairs_part_start(s, part), pairs_part_size(s, part), coefficient[part],
                      rho[1 + part], rho[0], W, u, r, matrix, step);
        if (!eliminate(d, matrix, step))
            return false;
        carom_axpy(d, 1.0, step, r);
        find_velocity(d, W, q, r, u);
        if (!carom_all_finite(d, r))
            return false;
        if (is_solved(d, s, coefficient, rho, u, r))
            return true;
    }
    return false;
}

/* ---- one part after the other ------------------------------------------------------------------------------ */

/* The slip with its normal: FC of one contact. */
static void solve_slip(int d, int s, const double *W, double mu, const double *q, double *r)
{
    const int n = s == 3 ? 2 : 3;
    double block[9] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0}, own[3] = {0.0, 0.0, 0.0},
           next[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < n; i++) {
        own[i] = q[i] + carom_dot(d - n, W + (ptrdiff_t)d * i + n, r + n);
        next[i] = r[i];
        for (int j = 0; j < n; j++)
            block[3 * i + j] = W[d * i + j];
    }
    coulomb_local contact;
    coulomb_local_counts counts = {0};
    coulomb_local_prepare(&contact, block, mu);
    coulomb_local_solve(&contact, COULOMB_LOCAL_EXACT, tolerance, own, next, &counts);
    if (carom_all_finite(3, next))
        memcpy(r, next, (size_t)n * sizeof *r);
}

/* m = -(W + x I)^-1 q */
static void answer_of_disc(const double W[4], double x, const double q[2], double m[2])
{
    const double a = W[0] + x, c = W[3] + x, b = 0.5 * (W[1] + W[2]), determinant = a * c - b * b;
    m[0] = -(c * q[0] - b * q[1]) / determinant;
    m[1] = -(a * q[1] - b * q[0]) / determinant;
}

/* A moment of two numbers in a disc, against its spin W m + q: within, or -(W + x I)^-1 q at its rim with x > 0, by
 * bisection. */
static void solve_disc(const double W[4], double radius, const double q[2], double m[2])
{
    const double size = pairs_part_length(2, q);
    m[0] = m[1] = 0.0;
    if (!(radius > 0.0) || !(size > 0.0))
        return;
    if (W[0] * W[3] - W[1] * W[2] > 0.0) {
        answer_of_disc(W, 0.0, q, m);
        if (pairs_part_length(2, m) <= radius)
            return;
    }
    double low = 0.0, high = size / radius; /* there |m| <= radius */
    for (int step = 0; step < DISC_STEPS; step++) {
        const double middle = 0.5 * (low + high);
        answer_of_disc(W, middle, q, m);
        if (pairs_part_length(2, m) > radius)
            low = middle;
        else
            high = middle;
    }
    answer_of_disc(W, high, q, m);
}

static void solve_moment(int d, int at, int n, const double *W, double most, const double *q, double *r)
{
    double own[2] = {0.0, 0.0}, block[4] = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < n; i++) {
        own[i] = q[at + i] + carom_dot(d, W + (ptrdiff_t)d * (at + i), r);
        for (int j = 0; j < n; j++) {
            block[2 * i + j] = W[d * (at + i) + at + j];
            own[i] -= block[2 * i + j] * r[at + j];
        }
    }
    if (n == 2)
        solve_disc(block, most, own, r + at);
    else
        r[at] = block[0] > 0.0 ? fmax(-most, fmin(most, -own[0] / block[0])) : 0.0;
}

bool pairs_local_by_parts(int d, int s, const double *W, const double *coefficient, const double *rho,
                          const double *q, double *r)
{
    double u[PAIRS_MOST] = {0.0};
    for (int pass = 0; pass < PASSES; pass++) {
        solve_slip(d, s, W, coefficient[0], q, r);
        for (int part = 1; part < pairs_parts(d, s); part++)
            solve_moment(d, pairs_part_start(s, part), pairs_part_size(s, part), W, coefficient[part] * r[0],
                         q, r);
        find_velocity(d, W, q, r, u);
        if (is_solved(d, s, coefficient, rho, u, r))
            return true;
    }
    return false;
}

PAIRS_INLINE bool solve(int d, int s, const double *W, const double *coefficient, const double *rho,
                        const double *q, double *r)
{
    double next[PAIRS_MOST] = {0.0};
    if (q[0] >= 0.0) {
        memset(r, 0, (size_t)d * sizeof *r);
        return true;
    }
    if (!(W[0] > 0.0))
        return false;
    if (solve_stick(d, s, W, coefficient, q, r))
        return true;
    memcpy(next, r, (size_t)d * sizeof *next);
    bool solved = solve_newton(d, s, W, coefficient, rho, q, next);
    if (!solved) {
        memset(next, 0, sizeof next);
        solved = solve_newton(d, s, W, coefficient, rho, q, next);
    }
    if (!solved) {
        memset(next, 0, sizeof next);
        solved = pairs_local_by_parts(d, s, W, coefficient, rho, q, next);
    }
    memcpy(r, next, (size_t)d * sizeof *r);
    return solved;
}

bool pairs_local_solve(int d, int s, const double *W, const double *coefficient, const double *rho,
                       const double *q, double *r)
{
    (void)s; /* is d */
    return d == 3 ? solve(3, 3, W, coefficient, rho, q, r) : solve(6, 6, W, coefficient, rho, q, r);
}
