/* Lemke's complementary pivoting (Lemke 1965; Cottle and Dantzig 1968) for copositive-plus W, which need not
 * be symmetric; positive semidefinite matrices are among them. An artificial unknown z0 covers the violated
 * rows,
 *
 *      w - W z - e z0 = q,   w, z, z0 >= 0,   e = (1, ..., 1),
 *
 * and the bases are followed that hold at most one of w_i, z_i for every i: what leaves is answered by its
 * complement. When z0 leaves, z is a solution. When nothing leaves, the path is a ray: for such W there is no
 * solution. Ties are broken by the lexicographic order of the rows of (q, B^-1), so no basis comes twice.
 *
 * The tableau has the columns w, z, z0, q, in units that make the diagonal of W one and q at most one. Its
 * rounding is removed at the end: z is solved for once more with the matrix itself. */
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "lcp_report.h"

/* Entries of a column below this share of its largest are rounding, no pivots. */
static const double pivot_share = 1e-11;
/* Differences below this share of a column are rounding: a tie. */
static const double tie_share = 1e-13;

typedef struct lemke {
    const carom_lcp *problem;
    int n, width;
    double *tableau; /* n x width, width = 2 n + 2; in the end the factor of the refinement */
    double *basis;   /* column that belongs to each row */
    double *scale;   /* z_i = scale_i times the unknown of the tableau */
    double *refined; /* z once more, its passive part, its residual */
    double *passive;
} lemke;

static size_t work_size(const carom_problem_shape *shape)
{
    const size_t n = (size_t)shape->size;
    return n * (2 * n + 2) + 6 * n;
}

static double *row_of(const lemke *path, int i)
{
    return path->tableau + (ptrdiff_t)i * path->width;
}

static int cover_of(const lemke *path)
{
    return 2 * path->n;
}

static int right_of(const lemke *path)
{
    return 2 * path->n + 1;
}

static double unit_of(const lemke *path, int i)
{
    const double diagonal = path->problem->matrix[(ptrdiff_t)i * path->n + i];
    return diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
}

static lemke set_up(const carom_lcp *problem, double *work)
{
    const ptrdiff_t n = problem->size;
    lemke path = {.problem = problem, .n = problem->size, .width = 2 * problem->size + 2, .tableau = work};
    path.basis = work + n * path.width;
    path.scale = path.basis + n;
    path.refined = path.scale + n;
    path.passive = path.refined + 3 * n;
    double largest = 0.0;
    for (int i = 0; i < path.n; i++) {
        path.scale[i] = unit_of(&path, i);
        largest = fmax(largest, fabs(path.scale[i] * problem->vector[i]));
    }
    for (int i = 0; i < path.n; i++) {
        double *row = row_of(&path, i);
        memset(row, 0, (size_t)path.width * sizeof *row);
        row[i] = 1.0;
        for (int j = 0; j < path.n; j++)
            row[n + j] = -path.scale[i] * problem->matrix[i * n + j] * path.scale[j];
        row[cover_of(&path)] = -1.0;
        row[right_of(&path)] = path.scale[i] * problem->vector[i] / largest;
        path.basis[i] = i;
    }
    for (int i = 0; i < path.n; i++)
        path.scale[i] *= largest;
    return path;
}

static double largest_of_column(const lemke *path, int column)
{
    double largest = 0.0;
    for (int i = 0; i < path->n; i++)
        largest = fmax(largest, fabs(row_of(path, i)[column]));
    return largest;
}

/* The sign of row_i / d_i - row_k / d_k in one column; 0 for a tie. */
static int compare(const lemke *path, int column, int entering, int i, int k)
{
    const double *a = row_of(path, i), *b = row_of(path, k);
    const double difference = a[column] * b[entering] - b[column] * a[entering];
    const double noise =
        tie_share * largest_of_column(path, column) * fmax(fabs(a[entering]), fabs(b[entering]));
    return difference > noise ? 1 : difference < -noise ? -1 : 0;
}

/* Does row i leave rather than row k? Among equal ratios z0 leaves first, otherwise the lexicographic order
 * decides. */
static bool is_before(const lemke *path, int entering, int i, int k)
{
    int order = compare(path, right_of(path), entering, i, k);
    if (order == 0 && (int)path->basis[k] == cover_of(path))
        return false;
    if (order == 0 && (int)path->basis[i] == cover_of(path))
        return true;
    for (int column = 0; order == 0 && column < path->n; column++)
        order = compare(path, column, entering, i, k);
    return order < 0;
}

/* The row whose unknown reaches zero first when the entering one grows; -1: none. */
static int leaving_row(const lemke *path, int entering)
{
    const double least = pivot_share * largest_of_column(path, entering);
    int leaving = -1;
    for (int i = 0; i < path->n; i++)
        if (row_of(path, i)[entering] > least && (leaving < 0 || is_before(path, entering, i, leaving)))
            leaving = i;
    return leaving;
}

/* The most violated row, among equals the last: the other rows become lexicographically positive. */
static int first_row(const lemke *path)
{
    int first = 0;
    for (int i = 1; i < path->n; i++)
        if (row_of(path, i)[right_of(path)] <= row_of(path, first)[right_of(path)])
            first = i;
    return first;
}

/* The column enters the basis at this row; what it takes the place of. */
static int exchange(lemke *path, int row, int column)
{
    double *chosen = row_of(path, row);
    const double pivot = chosen[column];
    const int leaving = (int)path->basis[row];
    for (int j = 0; j < path->width; j++)
        chosen[j] /= pivot;
    chosen[column] = 1.0;
    for (int i = 0; i < path->n; i++) {
        double *other = row_of(path, i);
        if (i == row || other[column] == 0.0)
            continue;
        carom_axpy(path->width, -other[column], chosen, other);
        other[column] = 0.0;
    }
    path->basis[row] = column;
    return leaving;
}

/* Follows the path to its end. */
static int follow(lemke *path, int limit)
{
    int leaving = exchange(path, first_row(path), cover_of(path)), pivots = 1;
    while (leaving != cover_of(path) && pivots < limit) {
        const int entering = leaving < path->n ? leaving + path->n : leaving - path->n;
        const int row = leaving_row(path, entering);
        if (row < 0)
            break;
        leaving = exchange(path, row, entering);
        pivots++;
    }
    return pivots;
}

/* The passive unknowns, in the order of their indices, and the z of the tableau. */
static int take_passive(const lemke *path, double *z)
{
    int count = 0;
    memset(z, 0, (size_t)path->n * sizeof *z);
    memset(path->refined, 0, (size_t)path->n * sizeof *path->refined);
    for (int i = 0; i < path->n; i++) {
        const int unknown = (int)path->basis[i] - path->n;
        if (unknown < 0 || unknown >= path->n)
            continue;
        z[unknown] = fmax(0.0, path->scale[unknown] * row_of(path, i)[right_of(path)]);
        path->refined[unknown] = 1.0;
    }
    for (int i = 0; i < path->n; i++)
        if (path->refined[i] != 0.0)
            path->passive[count++] = i;
    return count;
}

/* -(W z + q) in the passive rows */
static void passive_residual(const lemke *path, int count, double *residual)
{
    for (int k = 0; k < count; k++) {
        const ptrdiff_t i = (ptrdiff_t)path->passive[k];
        residual[k] = -carom_dot(path->n, path->problem->matrix + i * path->n, path->refined) -
                      path->problem->vector[i];
    }
}

/* W_PP z_P = -q_P by elimination and one correction. False when the matrix is singular. */
static bool refine(const lemke *path, int count)
{
    enum {
        ROUNDS = 2
    };
    double *factor = path->tableau, *residual = path->refined + path->n;
    int *pivot = (int *)(void *)(residual + path->n);
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++)
            factor[k * count + l] =
                path->problem->matrix[(ptrdiff_t)path->passive[k] * path->n + (ptrdiff_t)path->passive[l]];
    if (carom_lu_factor(count, factor, pivot) != 0)
        return false;
    memset(path->refined, 0, (size_t)path->n * sizeof *path->refined);
    for (int round = 0; round < ROUNDS; round++) {
        passive_residual(path, count, residual);
        carom_lu_solve(count, factor, pivot, residual);
        for (int k = 0; k < count; k++)
            path->refined[(ptrdiff_t)path->passive[k]] += residual[k];
    }
    for (int i = 0; i < path->n; i++)
        path->refined[i] = fmax(0.0, path->refined[i]);
    return true;
}

static bool some_row_is_violated(const carom_lcp *problem)
{
    for (int i = 0; i < problem->size; i++)
        if (!(problem->vector[i] >= 0.0))
            return true;
    return false;
}

static void solve(carom_solver *self, const carom_lcp *problem, double *z, carom_solve_report *report)
{
    if (!some_row_is_violated(problem)) {
        for (int i = 0; i < problem->size; i++)
            z[i] = 0.0;
        lcp_report(self, problem, z, 0, CAROM_SOLVE_STALLED, report);
        return;
    }
    lemke path = set_up(problem, self->work);
    const int limit = self->limits.max_iterations > 0 ? self->limits.max_iterations : 50 * path.n + 100;
    const int pivots = follow(&path, limit), count = take_passive(&path, z);
    if (refine(&path, count) && carom_lcp_error(problem, path.refined) <= carom_lcp_error(problem, z))
        memcpy(z, path.refined, (size_t)path.n * sizeof *z);
    lcp_report(self, problem, z, pivots, pivots < limit ? CAROM_SOLVE_STALLED : CAROM_SOLVE_ITERATIONS,
               report);
}

const carom_solver_ops carom_lcp_lemke = {
    .name = "lemke",
    .summary = "complementary pivoting, copositive-plus matrix that need not be symmetric",
    .kind = CAROM_PROBLEM_LCP,
    .tolerance = 1e-12,
    .work_size = work_size,
    .solve.lcp = solve,
};
