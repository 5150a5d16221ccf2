/* The direction of a branch that begins where the matrix of the equations is singular. */
#include <math.h>
#include <stdlib.h>

#include "carom/linalg.h"
#include "follower.h"

carom_status branch_find_kernel(const carom_arclength_problem *problem, const double *x, double p,
                                double *kernel, carom_error *error)
{
    const size_t size = (size_t)problem->size;
    const int n = problem->size;
    double *matrix = carom_new_array(carom_product(size, size) + 2 * size, sizeof *matrix);
    int *pivot = carom_new_array(size, sizeof *pivot);
    carom_random random = {.state = 7};
    carom_status status = matrix && pivot ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK && (!problem->jacobian(problem->context, x, p, matrix, matrix + size * size) ||
                               carom_lu_factor(n, matrix, pivot) != 0))
        status = carom_fail(error, CAROM_FAILED,
                            "the direction of the other branch at parameter %.9g is not found", p);
    for (int i = 0; i < n; i++)
        kernel[i] = carom_random_uniform(&random, -1.0, 1.0) * problem->scale[i];
    for (int pass = 0; pass < 4 && status == CAROM_OK; pass++) {
        carom_lu_solve(n, matrix, pivot, kernel);
        double length = 0.0;
        for (int i = 0; i < n; i++)
            length = fmax(length, fabs(kernel[i]) / problem->scale[i]);
        for (int i = 0; i < n; i++)
            kernel[i] /= length;
    }
    if (status == CAROM_OK && !carom_all_finite(n, kernel))
        status = carom_fail(error, CAROM_FAILED,
                            "the direction of the other branch at parameter %.9g is not found", p);
    free(matrix);
    free(pivot);
    return status;
}
