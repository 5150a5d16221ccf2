/* Floquet multipliers of a monodromy matrix. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/periodic/multipliers.h"

void carom_monodromy_in_time(int n, double time, double *matrix)
{
    const ptrdiff_t size = 2 * (ptrdiff_t)n;
    for (ptrdiff_t i = 0; i < n; i++)
        for (ptrdiff_t k = 0; k < n; k++) {
            matrix[i * size + n + k] /= time;
            matrix[(n + i) * size + k] *= time;
        }
}

carom_status carom_multipliers(int n, const double *matrix, double *real, double *imaginary, double *largest,
                               carom_error *error)
{
    const size_t size = (size_t)n, entries = size * size;
    double *part = carom_new_array(2 * size + entries, sizeof *part), *copy = part ? part + 2 * size : NULL;
    if (!part)
        return carom_fail_memory(error);
    memcpy(copy, matrix, entries * sizeof *copy);
    const int info = carom_all_finite((int)entries, copy) ? carom_eigenvalues(n, copy, part, part + size) : 1;
    const bool found = info == 0;
    double modulus = 0.0;
    for (int i = 0; i < n && found; i++) {
        modulus = fmax(modulus, hypot(part[i], part[n + i]));
        if (real)
            real[i] = part[i];
        if (imaginary)
            imaginary[i] = part[n + i];
    }
    if (largest)
        *largest = found ? modulus : NAN;
    free(part);
    return found ? CAROM_OK
           : info < 0
               ? carom_fail_memory(error) /* LAPACK: the matrix is finite */
               : carom_fail(error, CAROM_FAILED, "no eigenvalues of the %d x %d matrix were found", n, n);
}
