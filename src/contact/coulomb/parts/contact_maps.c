#include "contact_maps.h"

#include <math.h>
#include <string.h>

/* ---- rho ------------------------------------------------------------------------------------------ */

/* Eigenvalues of [[a, b], [b, d]]. */
static void eigenvalues_of_two(double a, double b, double d, double *low, double *high)
{
    const double middle = (a + d) / 2, radius = hypot((a - d) / 2, b);
    *low = middle - radius;
    *high = middle + radius;
}

/* The root of the largest eigenvalue of W^T W, from the trigonometric solution of its cubic. */
static double spectral_norm(const double *w)
{
    double s[6] = {0}; /* 00 11 22 01 02 12 */
    for (int k = 0; k < 3; k++) {
        const double *row = w + 3 * (ptrdiff_t)k;
        s[0] += row[0] * row[0];
        s[1] += row[1] * row[1];
        s[2] += row[2] * row[2];
        s[3] += row[0] * row[1];
        s[4] += row[0] * row[2];
        s[5] += row[1] * row[2];
    }
    const double mean = (s[0] + s[1] + s[2]) / 3;
    const double a = s[0] - mean, b = s[1] - mean, c = s[2] - mean;
    const double p = sqrt((a * a + b * b + c * c + 2 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])) / 6);
    if (!(p > 1e-15 * mean))
        return sqrt(mean);
    const double half_determinant =
        (a * (b * c - s[5] * s[5]) - s[3] * (s[3] * c - s[5] * s[4]) + s[4] * (s[3] * s[5] - b * s[4])) / 2;
    const double cosine = fmax(-1.0, fmin(1.0, half_determinant / (p * p * p)));
    return sqrt(mean + 2 * p * cos(acos(cosine) / 3));
}

static double positive_or_one(double value)
{
    return isfinite(value) && value > 0.0 ? value : 1.0;
}

coulomb_rho coulomb_rho_of(coulomb_rho_rule rule, const double block[9])
{
    if (rule == COULOMB_RHO_ONE)
        return (coulomb_rho){1.0, 1.0};
    if (rule == COULOMB_RHO_110) {
        const double rho = positive_or_one(1.0 / spectral_norm(block));
        return (coulomb_rho){rho, rho};
    }
    double low, high;
    eigenvalues_of_two(block[4], (block[5] + block[7]) / 2, block[8], &low, &high);
    const double tangent = rule == COULOMB_RHO_111 ? 1.0 / high : low / (high * high);
    return (coulomb_rho){positive_or_one(1.0 / block[0]), positive_or_one(tangent)};
}

/* ---- natural map ------------------------------------------------------------------------------------ */

static void set_diagonal(double *m, double value)
{
    memset(m, 0, 9 * sizeof *m);
    m[0] = m[4] = m[8] = value;
}

/* The direction of the slip; any direction without slip. */
static void slip_direction(const double u[3], double s[2])
{
    const double slip = hypot(u[1], u[2]);
    s[0] = slip > 0.0 ? u[1] / slip : 1.0;
    s[1] = slip > 0.0 ? u[2] / slip : 0.0;
}

/* Derivative of the projection on K where it lands on the boundary, (151). */
static void boundary_derivative(double mu, const double z[3], double t, double D[9])
{
    const double n[2] = {z[1] / t, z[2] / t}, k = 1.0 / (1.0 + mu * mu), w = (z[0] + mu * t) / t;
    D[0] = k;
    for (int i = 0; i < 2; i++) {
        D[1 + i] = D[3 * (i + 1)] = k * mu * n[i];
        for (int j = 0; j < 2; j++)
            D[3 * (i + 1) + 1 + j] = k * mu * (mu * n[i] * n[j] + w * ((i == j ? 1.0 : 0.0) - n[i] * n[j]));
    }
}

/* B = I - D, A = rho D E, E the derivative of u + (mu |u_T|, 0, 0). */
static void natural_derivatives(double mu, double rho, const double u[3], const double D[9], double *A,
                                double *B)
{
    double s[2];
    slip_direction(u, s);
    for (int i = 0; i < 3; i++) {
        const double *d = D + 3 * (ptrdiff_t)i;
        double *a = A + 3 * (ptrdiff_t)i, *b = B + 3 * (ptrdiff_t)i;
        a[0] = rho * d[0];
        a[1] = rho * (d[1] + d[0] * mu * s[0]);
        a[2] = rho * (d[2] + d[0] * mu * s[1]);
        for (int j = 0; j < 3; j++)
            b[j] = (i == j ? 1.0 : 0.0) - d[j];
    }
}

void coulomb_natural_map(double mu, coulomb_rho rhos, const double u[3], const double r[3], double G[3],
                         double *A, double *B)
{
    const double rho = fmin(rhos.normal, rhos.tangent);
    const double uh[3] = {u[0] + mu * hypot(u[1], u[2]), u[1], u[2]};
    const double z[3] = {r[0] - rho * uh[0], r[1] - rho * uh[1], r[2] - rho * uh[2]};
    const double t = hypot(z[1], z[2]);
    double D[9];
    if (z[0] >= 0.0 && t <= mu * z[0]) {
        for (int i = 0; i < 3; i++)
            G[i] = rho * uh[i];
        set_diagonal(D, 1.0);
    } else if (mu * t <= -z[0]) {
        memcpy(G, r, 3 * sizeof *G);
        set_diagonal(D, 0.0);
    } else {
        const double a = (z[0] + mu * t) / (1.0 + mu * mu);
        G[0] = r[0] - a;
        G[1] = r[1] - mu * a * z[1] / t;
        G[2] = r[2] - mu * a * z[2] / t;
        boundary_derivative(mu, z, t, D);
    }
    if (A)
        natural_derivatives(mu, rho, u, D, A, B);
}

/* ---- Alart and Curnier, Jean and Moreau ----------------------------------------------------------- */

/* Rows of a contact that slips, (160)-(166): G_T = r_T - mu c y_T / |y_T|, with c = y_N where `coupled`, else
 * r_N. */
static void slip_rows(double mu, coulomb_rho rho, double c, const double y[2], bool coupled, double *A,
                      double *B)
{
    const double size = hypot(y[0], y[1]), n[2] = {y[0] / size, y[1] / size};
    for (int i = 0; i < 2; i++) {
        double *a = A + 3 * (ptrdiff_t)(i + 1), *b = B + 3 * (ptrdiff_t)(i + 1);
        a[0] = coupled ? mu * rho.normal * n[i] : 0.0;
        b[0] = -mu * n[i];
        for (int j = 0; j < 2; j++) {
            const double turn = mu * c * ((i == j ? 1.0 : 0.0) - n[i] * n[j]) / size;
            a[1 + j] = rho.tangent * turn;
            b[1 + j] = (i == j ? 1.0 : 0.0) - turn;
        }
    }
}

static void disk_map(double mu, coulomb_rho rho, const double u[3], const double r[3], bool coupled,
                     double G[3], double *A, double *B)
{
    const double yn = r[0] - rho.normal * u[0];
    const double y[2] = {r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]}, size = hypot(y[0], y[1]);
    const double c = coupled ? yn : r[0];
    const bool closed = yn > 0.0, sticks = size <= mu * fmax(0.0, c), slips = !sticks && c > 0.0;
    G[0] = closed ? rho.normal * u[0] : r[0];
    for (int i = 0; i < 2; i++)
        G[1 + i] = sticks ? rho.tangent * u[1 + i] : r[1 + i] - (slips ? mu * c * (y[i] / size) : 0.0);
    if (!A)
        return;
    set_diagonal(A, sticks ? rho.tangent : 0.0);
    set_diagonal(B, sticks ? 0.0 : 1.0);
    A[0] = closed ? rho.normal : 0.0;
    B[0] = closed ? 0.0 : 1.0;
    if (slips)
        slip_rows(mu, rho, c, y, coupled, A, B);
}

void coulomb_alart_curnier(double mu, coulomb_rho rho, const double u[3], const double r[3], double G[3],
                           double *A, double *B)
{
    disk_map(mu, rho, u, r, true, G, A, B);
}

void coulomb_jean_moreau(double mu, coulomb_rho rho, const double u[3], const double r[3], double G[3],
                         double *A, double *B)
{
    disk_map(mu, rho, u, r, false, G, A, B);
}

/* ---- Fischer and Burmeister ------------------------------------------------------------------------- */

/* s = (x.x + y.y)^(1/2) in the algebra of the cone with mu = 1, (69)-(74). */
typedef struct jordan_root {
    double s[3];
    double determinant; /* of s: the root of the product of the spectral values of s^2 */
    double low, high;   /* spectral values of s^2 */
} jordan_root;

/* The algebra is that of symmetric 2 x 2 matrices X = [[x_N + x_1, x_2], [x_2, x_N - x_1]], and the
 * determinant of X^2 + Y^2 is the sum of the squares of all minors of [X; Y] (Cauchy and Binet): no
 * cancellation where the smaller spectral value vanishes. */
static double determinant_of_sum(const double x[3], const double y[3])
{
    const double row[4][2] = {
        {x[0] + x[1], x[2]}, {x[2], x[0] - x[1]}, {y[0] + y[1], y[2]}, {y[2], y[0] - y[1]}};
    double sum = 0.0;
    for (int i = 0; i < 4; i++)
        for (int j = i + 1; j < 4; j++) {
            const double minor = row[i][0] * row[j][1] - row[i][1] * row[j][0];
            sum += minor * minor;
        }
    return sum;
}

static jordan_root root_of_sum(const double x[3], const double y[3])
{
    const double z[3] = {carom_dot(3, x, x) + carom_dot(3, y, y), 2 * (x[0] * x[1] + y[0] * y[1]),
                         2 * (x[0] * x[2] + y[0] * y[2])};
    jordan_root root = {.high = z[0] + hypot(z[1], z[2])};
    if (!(root.high > 0.0))
        return root;
    const double product = determinant_of_sum(x, y);
    root.low = product / root.high;
    root.determinant = sqrt(product);
    root.s[0] = sqrt((z[0] + root.determinant) / 2);
    root.s[1] = z[1] / (2 * root.s[0]);
    root.s[2] = z[2] / (2 * root.s[0]);
    return root;
}

/* out = I - Arr(s)^-1 Arr(v), Arr(v) = [[v_N, v_T'], [v_T, v_N I]]. */
static void arrow_derivative(const jordan_root *root, const double v[3], double out[9])
{
    const double *s = root->s, d = root->determinant;
    const double inverse[9] = {s[0] / d,
                               -s[1] / d,
                               -s[2] / d,
                               -s[1] / d,
                               (1 + s[1] * s[1] / d) / s[0],
                               s[1] * s[2] / d / s[0],
                               -s[2] / d,
                               s[1] * s[2] / d / s[0],
                               (1 + s[2] * s[2] / d) / s[0]};
    for (int i = 0; i < 3; i++) {
        const double *row = inverse + 3 * (ptrdiff_t)i;
        double *to = out + 3 * (ptrdiff_t)i;
        to[0] = -carom_dot(3, row, v);
        to[1] = -(row[0] * v[1] + row[1] * v[0]);
        to[2] = -(row[0] * v[2] + row[2] * v[0]);
        to[i] += 1.0;
    }
}

/* dG/dx and dG/dy. Where s is on the boundary of the cone, those of a point beside it. */
static void jordan_derivatives(const double x[3], const double y[3], const jordan_root *root, double dx[9],
                               double dy[9])
{
    if (!(root->high > 0.0)) {
        set_diagonal(dx, 1.0 - sqrt(0.5));
        set_diagonal(dy, 1.0 - sqrt(0.5));
        return;
    }
    const double beside = root->low > 1e-14 * root->high ? 0.0 : 1e-7 * sqrt(root->high);
    const double xs[3] = {x[0] + beside, x[1], x[2]}, ys[3] = {y[0] + beside, y[1], y[2]};
    const jordan_root at = beside > 0.0 ? root_of_sum(xs, ys) : *root;
    arrow_derivative(&at, xs, dx);
    arrow_derivative(&at, ys, dy);
}

void coulomb_fischer_burmeister(double mu, coulomb_rho rho, const double u[3], const double r[3], double G[3],
                                double *A, double *B)
{
    if (!(mu > 0.0)) {
        coulomb_alart_curnier(mu, rho, u, r, G, A, B);
        return;
    }
    const double x[3] = {mu * r[0], r[1], r[2]}, y[3] = {u[0] / mu + hypot(u[1], u[2]), u[1], u[2]};
    const jordan_root root = root_of_sum(x, y);
    for (int i = 0; i < 3; i++)
        G[i] = x[i] + y[i] - root.s[i];
    if (!A)
        return;
    double s[2];
    jordan_derivatives(x, y, &root, B, A);
    slip_direction(u, s);
    for (int i = 0; i < 3; i++) {
        double *a = A + 3 * (ptrdiff_t)i;
        B[3 * i] *= mu;
        a[1] += a[0] * s[0];
        a[2] += a[0] * s[1];
        a[0] /= mu;
    }
}

/* ---- reactions eliminated ---------------------------------------------------------------------------------------- */

/* S^-1 times A and G, by elimination with exchange of rows; the columns are those of [A G]. */
static void eliminate(double S[3][3], double right[3][4])
{
    for (int k = 0; k < 3; k++) {
        int pivot = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(S[i][k]) > fabs(S[pivot][k]))
                pivot = i;
        for (int j = 0; j < 3; j++) {
            const double keep = S[k][j];
            S[k][j] = S[pivot][j];
            S[pivot][j] = keep;
        }
        for (int j = 0; j < 4; j++) {
            const double keep = right[k][j];
            right[k][j] = right[pivot][j];
            right[pivot][j] = keep;
        }
        for (int i = 0; i < 3; i++) {
            const double factor = i == k ? 0.0 : S[i][k] / S[k][k];
            for (int j = 0; j < 3; j++)
                S[i][j] -= factor * S[k][j];
            for (int j = 0; j < 4; j++)
                right[i][j] -= factor * right[k][j];
        }
    }
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 4; j++)
            right[k][j] /= S[k][k];
}

void coulomb_eliminate_reaction(double alpha, const double G[3], const double A[9], const double B[9],
                                double D[9], double g[3])
{
    double S[3][3], right[3][4];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            S[i][j] = B[3 * i + j] + A[3 * i + j] / alpha;
            right[i][j] = A[3 * i + j];
        }
        right[i][3] = G[i];
    }
    eliminate(S, right);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            D[3 * i + j] = right[i][j];
        g[i] = right[i][3];
    }
}
