#include <math.h>

#include "qp_solver.h"

/* The rounding of A x alone is some 1e-16 of max A_ii max |x|. For a stiff matrix that is more than 1e-8 of A
 * x: this share of it keeps the error of a solution that is exact to rounding below 1e-9. */
static const double rounding_share = 1e-6;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* At least |A_ij| |x_j| of any entry: those of a positive definite matrix are not larger than its diagonal.
 */
static double largest_term(const carom_band *A, const double *x)
{
    double diagonal = 0.0;
    for (int i = 0; i < A->size; i++)
        diagonal = larger(*carom_band_at(A, i, i), diagonal);
    return diagonal * carom_largest(A->size, x);
}

static double ratio(double part, double whole)
{
    return part == 0.0 ? 0.0 : part / whole;
}

static double stationarity(const carom_qp *problem, const double *x, const double *r, double *work)
{
    const int n = problem->size;
    carom_band_multiply(problem->matrix, x, work);
    const double forces = larger(carom_largest(n, work), carom_largest(n, problem->vector));
    const double terms = largest_term(problem->matrix, x);
    for (int i = 0; i < n; i++)
        work[i] -= problem->vector[i];
    for (int i = 0; i < problem->rows; i++)
        if (r[i] != 0.0)
            qp_add_row(problem, i, -r[i], work);
    return carom_all_finite(n, work) ? ratio(carom_largest(n, work), larger(forces, rounding_share * terms))
                                     : INFINITY;
}

/* |D_i|^2 / A_cc, c the column of the largest entry */
static double displacement_per_force(const carom_qp *problem, int row)
{
    const int column = qp_main_column(problem, row);
    double square = 0.0;
    for (int k = problem->row_start[row]; k < problem->row_start[row + 1]; k++)
        square += problem->entry[k] * problem->entry[k];
    return square / *carom_band_at(problem->matrix, column, column);
}

/* A row that pushes: |d - P(d - s r)|, and the size of s r for the scale. */
static double pushing_row_error(const carom_qp *problem, int row, double d, double r, double *moved)
{
    const double push = displacement_per_force(problem, row) * r, pushed = d - push;
    *moved = fabs(push);
    const double above = pushed < problem->lower[row] ? problem->lower[row] : pushed;
    return fabs(d - (above > problem->upper[row] ? problem->upper[row] : above));
}

static double rows_error(const carom_qp *problem, const double *x, const double *r)
{
    double worst = 0.0, largest = problem->row_size;
    for (int i = 0, k = 0; i < problem->rows; i++) {
        const double lower = problem->lower[i], upper = problem->upper[i];
        double d = 0.0, moved = 0.0;
        for (const int end = problem->row_start[i + 1]; k < end; k++)
            d += problem->entry[k] * x[problem->column[k]];
        double difference = larger(larger(lower - d, d - upper), 0.0);
        if (r[i] != 0.0)
            difference = pushing_row_error(problem, i, d, r[i], &moved);
        if (!(lower <= upper && difference < INFINITY) || isnan(d))
            return INFINITY;
        worst = larger(difference, worst);
        largest = larger(larger(fabs(d), moved), largest);
    }
    return ratio(worst, largest);
}

double carom_qp_error(const carom_qp *problem, const double *x, const double *r, double *work)
{
    return larger(rows_error(problem, x, r), stationarity(problem, x, r, work));
}
