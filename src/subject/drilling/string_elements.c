/* Torsion by linear finite elements, modes, and reduction to the first of them. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "carom/linalg.h"
#include "carom/subject/drilling.h"

int carom_drill_nodes(const carom_drill_elements *elements)
{
    int nodes = 1;
    for (int i = 0; i < elements->sections; i++)
        nodes += elements->section[i].elements;
    return nodes;
}

/* Element of length l: k = G Ip / l [1 -1; -1 1], m = rho Ip l. */
void carom_drill_assemble(const carom_drill_elements *elements, double *mass, double *stiffness)
{
    const int n = carom_drill_nodes(elements);
    for (int i = 0; i < n * n; i++)
        mass[i] = stiffness[i] = 0.0;
    int node = 0;
    for (int s = 0; s < elements->sections; s++) {
        const carom_drill_section *section = &elements->section[s];
        const double l = section->length / section->elements;
        const double k = elements->shear_modulus * section->polar / l;
        const double m = elements->density * section->polar * l;
        const double own = elements->consistent ? m / 3.0 : m / 2.0,
                     other = elements->consistent ? m / 6.0 : 0.0;
        for (int e = 0; e < section->elements; e++, node++)
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++) {
                    const int place = (node + a) * n + node + b;
                    mass[place] += a == b ? own : other;
                    stiffness[place] += a == b ? k : -k;
                }
    }
    mass[n * n - 1] += elements->top_inertia;
}

const carom_drill_elements *carom_drill_demonstration(void)
{
    static const carom_drill_section section[] = {
        {1, 120.0, 4.2e-5}, {8, 389.0, 2.15e-6}, {8, 5740.0, 1.95e-5}};
    static const carom_drill_elements elements = {3, section, 79.3e9, 7850.0, 1778.125, false};
    return &elements;
}

static carom_status check_elements(const carom_drill_elements *e, double per_stiffness, carom_error *error)
{
    if (e->sections < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "a string of elements needs one section at least");
    if (!(e->shear_modulus > 0.0) || !(e->density > 0.0) || !(e->top_inertia >= 0.0) ||
        !(per_stiffness >= 0.0) || !isfinite(e->shear_modulus + e->density + e->top_inertia + per_stiffness))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "shear modulus %g and density %g must be positive, inertia of the top drive %g and "
                          "damping per stiffness %g not negative",
                          e->shear_modulus, e->density, e->top_inertia, per_stiffness);
    for (int i = 0; i < e->sections; i++) {
        const carom_drill_section *s = &e->section[i];
        if (s->elements < 1 || !(s->length > 0.0) || !(s->polar > 0.0) || !isfinite(s->length + s->polar))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "section %d: elements %d, length %g and Ip %g must be positive", i + 1,
                              s->elements, s->length, s->polar);
    }
    return CAROM_OK;
}

static void fill_string(int n, const double *mass, const double *stiffness, double per_stiffness,
                        const double *wall, carom_drill_string *string)
{
    for (int i = 0; i < n; i++) {
        string->inertia[i] = mass[i * n + i];
        string->wall[i] = wall[i];
    }
    for (int i = 0; i + 1 < n; i++) {
        const double k = -stiffness[i * n + i + 1];
        carom_drill_join(string, i, i + 1, k, per_stiffness * k);
    }
}

carom_status carom_drill_elements_string(const carom_drill_elements *elements, double per_stiffness,
                                         const double *wall, const carom_drill_law *bit,
                                         carom_drill_string **string, carom_error *error)
{
    *string = NULL;
    carom_status status = check_elements(elements, per_stiffness, error);
    const int n = status == CAROM_OK ? carom_drill_nodes(elements) : 1;
    if (status == CAROM_OK)
        status = carom_drill_string_create(n, string, error);
    if (status != CAROM_OK)
        return status;
    double *mass = carom_new_array(2 * (size_t)n * (size_t)n, sizeof *mass);
    if (mass) {
        carom_drill_elements lumped = *elements;
        lumped.consistent = false;
        carom_drill_assemble(&lumped, mass, mass + n * n);
        fill_string(n, mass, mass + n * n, per_stiffness, wall, *string);
        (*string)->bit = *bit;
        free(mass);
        return CAROM_OK;
    }
    carom_drill_string_free(*string);
    *string = NULL;
    return carom_fail_memory(error);
}

carom_status carom_drill_demonstration_string(carom_drill_string **string, carom_error *error)
{
    const carom_drill_law bit = {7700.0, 1700.0, carom_drill_decay(5.0)};
    double wall[18] = {0.0};
    for (int i = 1; i < 18; i++)
        wall[i] = i == 17 ? 4137.5 : 2083.984375;
    return carom_drill_elements_string(carom_drill_demonstration(), 1e-3, wall, &bit, string, error);
}

/* ---- modes ------------------------------------------------------------------------------------------ */

carom_status carom_drill_modes(int discs, const double *mass, const double *stiffness, double *hertz,
                               double *shape, carom_error *error)
{
    const int info = carom_generalized_eigen(discs, stiffness, mass, hertz, shape);
    if (info != 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "modes: the mass matrix must be positive definite and all entries numbers (LAPACK says %d)",
            info);
    for (int i = 0; i < discs; i++)
        hertz[i] = sqrt(fmax(hertz[i], 0.0)) / (2.0 * CAROM_PI); /* rigid rotation: 0 but for rounding */
    return CAROM_OK;
}

/* (5)-(7): M_r = I, K_r = diag(omega^2), D_r = T^T D T, and the response j w t_bit (K_r - w^2 + j w D_r)^-1
 * t_top by elimination; D_r need not be diagonal. */
static double complex solve_modal(int kept, double complex *a, double complex *x, const double *bit)
{
    for (int k = 0; k < kept; k++)
        for (int i = k + 1; i < kept; i++) {
            const double complex factor = a[i * kept + k] / a[k * kept + k];
            for (int j = k; j < kept; j++)
                a[i * kept + j] -= factor * a[k * kept + j];
            x[i] -= factor * x[k];
        }
    double complex sum = 0.0;
    for (int i = kept - 1; i >= 0; i--) {
        for (int j = i + 1; j < kept; j++)
            x[i] -= a[i * kept + j] * x[j];
        x[i] /= a[i * kept + i];
        sum += bit[i] * x[i];
    }
    return sum;
}

carom_status carom_drill_reduced_response(int discs, const double *mass, const double *damping,
                                          const double *stiffness, int kept, double hertz, double *magnitude,
                                          carom_error *error)
{
    const int n = discs;
    if (kept < 1 || kept > n || !(hertz > 0.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "a reduced model keeps 1 to %d modes and is asked at a frequency above 0; got %d, %g", n, kept,
            hertz);
    const size_t size = (size_t)n, modes = (size_t)kept;
    double *value = carom_new_array(size + size * size, sizeof *value), *shape = value ? value + n : NULL;
    double complex *a = carom_new_array(modes * modes + modes, sizeof *a);
    carom_status status = value && a ? CAROM_OK : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = carom_drill_modes(n, mass, stiffness, value, shape, error);
    if (status == CAROM_OK) {
        const double w = 2.0 * CAROM_PI * hertz;
        for (int p = 0; p < kept; p++)
            for (int q = 0; q < kept; q++) {
                double d = 0.0;
                for (int i = 0; i < n; i++)
                    for (int j = 0; j < n; j++)
                        d += shape[i * n + p] * damping[i * n + j] * shape[j * n + q];
                const double omega = 2.0 * CAROM_PI * value[p];
                a[p * kept + q] = (p == q ? omega * omega - w * w : 0.0) + I * w * d;
            }
        double complex *x = a + modes * modes;
        for (int p = 0; p < kept; p++)
            x[p] = I * w * shape[(n - 1) * n + p];
        *magnitude = cabs(solve_modal(kept, a, x, shape)); /* row of the bit: shape[0 * n + p] */
    }
    free(a);
    free(value);
    return status;
}
