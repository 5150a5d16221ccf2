/* Redundant contacts: columns of W that depend on each other, so that different impulses give one velocity.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "impact_law.h"

static int most_contacts(const carom_impact_sizes *sizes)
{
    return sizes->contacts < IMPACT_DENSE ? sizes->contacts : IMPACT_DENSE;
}

size_t impact_redundant_work(const carom_impact_sizes *sizes)
{
    const int most = most_contacts(sizes);
    const carom_problem_shape shape = {.size = most};
    const size_t count = (size_t)most, active_set = carom_lcp_active_set.work_size(&shape),
                 lemke = carom_lcp_lemke.work_size(&shape);
    const size_t smallest = count * count + 5 * count + (active_set > lemke ? active_set : lemke);
    const size_t chain = (size_t)sizes->contacts;
    return smallest > chain ? smallest : chain;
}

/* ---- rank ---------------------------------------------------------------------------------------------- */

/* A choice of contacts: their numbers and, per contact of the impact, the place among them or -1, kept as
 * doubles in the work space. */
typedef struct contact_choice {
    const carom_contact_space *space;
    int count;
    const double *number, *place;
} contact_choice;

static double diagonal(const contact_choice *choice, int k)
{
    const carom_contact_space *space = choice->space;
    return space->entry[space->diagonal[(int)choice->number[k]]];
}

/* Row k of G among the chosen contacts, scaled to a unit diagonal. */
static void scaled_row(const contact_choice *choice, int k, double *row)
{
    const carom_contact_space *space = choice->space;
    const int contact = (int)choice->number[k];
    memset(row, 0, (size_t)choice->count * sizeof *row);
    for (int e = space->start[contact]; e < space->start[contact + 1]; e++) {
        const int other = (int)choice->place[space->column[e]];
        if (other >= 0)
            row[other] = space->entry[e] / sqrt(diagonal(choice, k) * diagonal(choice, other));
    }
}

/* Cholesky factor of the scaled G with the largest pivot first, G = F F^T: column k of F stands at
 * factor + k count. Ends where the pivots are rounding; returns how many there were, the rank.
 * left, row: a double per chosen contact. */
static int factor_pivoted(const contact_choice *choice, double *factor, double *left, double *row)
{
    const int count = choice->count;
    const double least = 16.0 * count * DBL_EPSILON;
    for (int i = 0; i < count; i++)
        left[i] = 1.0;
    for (int rank = 0; rank < count; rank++) {
        int pivot = 0;
        for (int i = 1; i < count; i++)
            if (left[i] > left[pivot])
                pivot = i;
        if (!(left[pivot] > least))
            return rank;
        double *column = factor + (ptrdiff_t)rank * count;
        scaled_row(choice, pivot, row);
        for (int k = 0; k < rank; k++)
            carom_axpy(count, -factor[(ptrdiff_t)k * count + pivot], factor + (ptrdiff_t)k * count, row);
        const double root = sqrt(left[pivot]);
        for (int i = 0; i < count; i++) {
            column[i] = row[i] / root;
            left[i] -= column[i] * column[i];
        }
        left[pivot] = 0.0;
    }
    return count;
}

bool impact_is_redundant(const carom_contact_space *space, double *work)
{
    const ptrdiff_t count = space->contacts;
    if (space->contacts > space->coordinates)
        return true;
    if (impact_chain_fits(space))
        return impact_chain_redundant(space, work);
    if (space->contacts > IMPACT_DENSE)
        return false;
    double *number = work, *left = work + count, *row = left + count, *factor = row + count;
    for (int i = 0; i < space->contacts; i++)
        number[i] = i;
    const contact_choice all = {.space = space, .count = space->contacts, .number = number, .place = number};
    return factor_pivoted(&all, factor, left, row) < space->contacts;
}

/* ---- the smallest impulses ----------------------------------------------------------------------------- */

/* Columns of `basis` (each count long) become orthonormal. Two passes leave rounding only. */
static void orthonormalise(int count, int columns, double *basis)
{
    for (int k = 0; k < columns; k++) {
        double *column = basis + (ptrdiff_t)k * count;
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < k; j++) {
                const double *other = basis + (ptrdiff_t)j * count;
                carom_axpy(count, -carom_dot(count, other, column), other, column);
            }
        const double length = sqrt(carom_dot(count, column, column));
        for (int i = 0; i < count; i++)
            column[i] /= length;
    }
}

/* Contacts that may carry impulses; false when they all have one restitution. place: per contact. */
static bool choose(const carom_contact_space *space, const double *after, double tolerance, double *number,
                   double *place, int *count)
{
    bool differ = false;
    *count = 0;
    for (int i = 0; i < space->contacts; i++) {
        place[i] = -1.0;
        if (after[i] > tolerance)
            continue;
        place[i] = *count;
        number[(*count)++] = i;
        differ = differ || space->restitution[i] != space->restitution[(int)number[0]];
    }
    return differ;
}

/* null = I - U U^T, the projector on impulses that change no velocity; p becomes U U^T p. moved: work. */
static void split(int count, int rank, const double *basis, double *null, double *moved, double *p)
{
    memset(null, 0, (size_t)count * (size_t)count * sizeof *null);
    for (int i = 0; i < count; i++)
        null[(ptrdiff_t)i * count + i] = 1.0;
    for (int k = 0; k < rank; k++) {
        const double *column = basis + (ptrdiff_t)k * count;
        for (int i = 0; i < count; i++)
            carom_axpy(count, -column[i], column, null + (ptrdiff_t)i * count);
    }
    for (int i = 0; i < count; i++)
        moved[i] = p[i] - carom_dot(count, null + (ptrdiff_t)i * count, p);
    memcpy(p, moved, (size_t)count * sizeof *p);
}

static bool solve_by(const carom_solver_ops *ops, const carom_lcp *problem, double *work, double *mu)
{
    const double tolerance = 1e-12;
    carom_solver solver =
        carom_solver_in(ops, &(carom_problem_shape){.size = problem->size}, tolerance, work);
    return carom_solver_lcp(&solver, problem, mu).status == CAROM_OK;
}

/* The smallest x >= 0 with U U^T x = r is x = r + N mu, 0 <= mu _|_ r + N mu >= 0, N = I - U U^T: the
 * condition for a minimum of |x|^2 / 2. p: r, then x. */
static bool minimise(int count, const double *null, double *p, double *mu, double *work)
{
    const carom_lcp problem = {.size = count, .matrix = null, .vector = p};
    memset(mu, 0, (size_t)count * sizeof *mu);
    if (!solve_by(&carom_lcp_active_set, &problem, work, mu) &&
        !solve_by(&carom_lcp_lemke, &problem, work, mu))
        return false;
    for (int i = 0; i < count; i++)
        work[i] = fmax(0.0, p[i] + carom_dot(count, null + (ptrdiff_t)i * count, mu));
    memcpy(p, work, (size_t)count * sizeof *p);
    return true;
}

bool impact_smallest_impulses(const carom_contact_space *space, const double *after, double tolerance,
                              double *work, double *p)
{
    if (space->contacts > IMPACT_DENSE)
        return false;
    const ptrdiff_t contacts = space->contacts;
    double *number = work, *place = number + contacts, *chosen = place + contacts, *mu = chosen + contacts,
           *null = mu + contacts, *basis = null + contacts * contacts;
    int count = 0;
    if (!choose(space, after, tolerance, number, place, &count))
        return false;
    const contact_choice choice = {.space = space, .count = count, .number = number, .place = place};
    const int rank = factor_pivoted(&choice, basis, chosen, mu);
    if (rank == count)
        return false;
    for (int k = 0; k < rank; k++) /* the range of G itself, not of the scaled one */
        for (int i = 0; i < count; i++)
            basis[(ptrdiff_t)k * count + i] *= sqrt(diagonal(&choice, i));
    orthonormalise(count, rank, basis);
    for (int i = 0; i < count; i++)
        chosen[i] = p[(int)number[i]];
    split(count, rank, basis, null, mu, chosen);
    if (!minimise(count, null, chosen, mu, basis))
        return false;
    for (int i = 0; i < count; i++)
        p[(int)number[i]] = chosen[i];
    return true;
}
