#include "modal_eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/periodic/modes.h"

int modes_eigen(int n, const double *M, const double *K, double *omega, double *V)
{
    double *vector = carom_new_array((size_t)n * (size_t)n, sizeof *vector);
    if (!vector)
        return 3;
    const int info = carom_generalized_eigen(n, K, M, omega, vector);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            V[(ptrdiff_t)j * n + i] = vector[(ptrdiff_t)i * n + j];
    free(vector);
    if (info != 0)
        return info > n ? 1 : 3;
    for (int j = 0; j < n; j++) {
        if (!(omega[j] > 0.0))
            return 2;
        omega[j] = sqrt(omega[j]);
    }
    return 0;
}

int modes_multipliers(int n, const double *matrix, double *real, double *imaginary)
{
    const size_t size = (size_t)n * (size_t)n;
    if (!carom_all_finite(n * n, matrix))
        return 1;
    double *copy = carom_new_array(size, sizeof *copy);
    if (!copy)
        return 1;
    memcpy(copy, matrix, size * sizeof *copy);
    const int info = carom_eigenvalues(n, copy, real, imaginary);
    free(copy);
    return info;
}

carom_status carom_multipliers(int n, const double *matrix, double *real, double *imaginary, double *largest,
                               carom_error *error)
{
    double *part = carom_new_array(2 * (size_t)n, sizeof *part);
    if (!part)
        return carom_fail_memory(error);
    const int failed = modes_multipliers(n, matrix, part, part + n);
    double modulus = 0.0;
    for (int i = 0; i < n && failed == 0; i++) {
        modulus = fmax(modulus, hypot(part[i], part[n + i]));
        if (real)
            real[i] = part[i];
        if (imaginary)
            imaginary[i] = part[n + i];
    }
    if (largest)
        *largest = failed == 0 ? modulus : NAN;
    free(part);
    return failed == 0
               ? CAROM_OK
               : carom_fail(error, CAROM_FAILED, "no eigenvalues of the %d x %d matrix were found", n, n);
}
