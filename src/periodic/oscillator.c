/* Linear oscillators in their modes: K phi = omega^2 M phi, V^T M V = I. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "oscillator_make.h"

double *linear_oscillator_array(carom_linear_oscillator *oscillator, size_t count)
{
    return carom_arena_take(oscillator->arena, count, sizeof(double));
}

carom_linear_oscillator *linear_oscillator_take(int size, int contacts, bool has_mass, carom_error *error)
{
    carom_linear_oscillator *o = carom_new_array(1, sizeof *o);
    if (o)
        o->arena = carom_arena_create();
    if (!o || !o->arena) {
        carom_linear_oscillator_free(o);
        carom_fail_memory(error);
        return NULL;
    }
    const size_t n = (size_t)size, m = (size_t)contacts;
    o->size = size;
    o->contacts = contacts;
    o->mass = has_mass ? linear_oscillator_array(o, n * n) : NULL;
    o->stiffness = linear_oscillator_array(o, n * n);
    o->frequency = linear_oscillator_array(o, n);
    o->mode = linear_oscillator_array(o, n * n);
    o->inverse = linear_oscillator_array(o, n * n);
    o->normal = linear_oscillator_array(o, m * n);
    o->gap = linear_oscillator_array(o, m);
    o->contact_mode = linear_oscillator_array(o, m * n);
    o->push = linear_oscillator_array(o, m * n);
    o->inverse_mass = linear_oscillator_array(o, m);
    if ((has_mass && !o->mass) || !o->stiffness || !o->frequency || !o->mode || !o->inverse || !o->normal ||
        !o->gap || !o->contact_mode || !o->push || !o->inverse_mass) {
        carom_linear_oscillator_free(o);
        carom_fail_memory(error);
        return NULL;
    }
    return o;
}

void carom_linear_oscillator_free(carom_linear_oscillator *oscillator)
{
    if (oscillator)
        carom_arena_free(oscillator->arena);
    free(oscillator);
}

/* ---- from matrices ------------------------------------------------------------------------------------ */

static carom_status check_contacts(const carom_linear_system *system, carom_error *error)
{
    for (int c = 0; c < system->contacts; c++) {
        const double *w = system->normal + (ptrdiff_t)c * system->size;
        if (!carom_all_finite(system->size, w) || !(carom_largest(system->size, w) > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact %d: its normal must have an entry that is not zero", c);
        if (!(system->gap[c] > 0.0) || !isfinite(system->gap[c]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact %d: gap %g must be positive; at gap 0 every motion scales, so its "
                              "energy is not determined",
                              c, system->gap[c]);
    }
    return CAROM_OK;
}

static carom_status check_symmetric(int n, const double *a, const char *name, carom_error *error)
{
    if (!carom_all_finite(n * n, a))
        return carom_fail(error, CAROM_BAD_INPUT, "the %s matrix has an entry that is not a number", name);
    const double scale = carom_largest(n * n, a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(a[(ptrdiff_t)i * n + j] - a[(ptrdiff_t)j * n + i]) > 1e-12 * scale)
                return carom_fail(error, CAROM_BAD_INPUT, "the %s matrix is not symmetric at (%d, %d)", name,
                                  i, j);
    return CAROM_OK;
}

static carom_status check(const carom_linear_system *system, carom_error *error)
{
    if (system->size < 1 || system->contacts < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an oscillator of size %d with %d contacts: at least 1 and 0", system->size,
                          system->contacts);
    carom_status status = check_symmetric(system->size, system->stiffness, "stiffness", error);
    if (status == CAROM_OK && system->mass)
        status = check_symmetric(system->size, system->mass, "mass", error);
    return status == CAROM_OK ? check_contacts(system, error) : status;
}

/* Eigenvalues become frequencies. */
static oscillator_fault find_modes(carom_linear_oscillator *o, double *detail)
{
    const int n = o->size;
    const int info = carom_generalized_eigen(n, o->stiffness, o->mass, o->frequency, o->mode);
    *detail = info;
    if (info != 0)
        return info > n ? OSCILLATOR_MASS : OSCILLATOR_MODES;
    for (int j = 0; j < n; j++) {
        *detail = o->frequency[j];
        if (!(o->frequency[j] > 0.0))
            return OSCILLATOR_STIFFNESS;
        o->frequency[j] = sqrt(o->frequency[j]);
    }
    return OSCILLATOR_GOOD;
}

/* V^T M */
static void invert_modes(carom_linear_oscillator *o)
{
    const int n = o->size;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            double sum = o->mass ? 0.0 : o->mode[(ptrdiff_t)i * n + j];
            for (int k = 0; o->mass && k < n; k++)
                sum += o->mode[(ptrdiff_t)k * n + j] * o->mass[(ptrdiff_t)k * n + i];
            o->inverse[(ptrdiff_t)j * n + i] = sum;
        }
}

/* b_c = V^T w_c and M^-1 w_c = V b_c */
static void project_contacts(carom_linear_oscillator *o)
{
    const int n = o->size;
    for (int c = 0; c < o->contacts; c++) {
        const double *w = o->normal + (ptrdiff_t)c * n;
        double *b = o->contact_mode + (ptrdiff_t)c * n;
        memset(b, 0, (size_t)n * sizeof *b);
        for (int i = 0; i < n; i++)
            carom_axpy(n, w[i], o->mode + (ptrdiff_t)i * n, b);
        o->inverse_mass[c] = carom_dot(n, b, b);
        for (int i = 0; i < n; i++)
            o->push[(ptrdiff_t)c * n + i] = o->mass ? carom_dot(n, o->mode + (ptrdiff_t)i * n, b) : w[i];
    }
}

static bool is_plain(const carom_linear_oscillator *o)
{
    if (o->mass || o->contacts != o->size)
        return false;
    for (int c = 0; c < o->contacts; c++)
        for (int i = 0; i < o->size; i++)
            if (o->normal[(ptrdiff_t)c * o->size + i] != (i == c ? 1.0 : 0.0))
                return false;
    return true;
}

oscillator_fault linear_oscillator_fill(carom_linear_oscillator *o, const carom_linear_system *system,
                                        double *detail)
{
    const size_t n = (size_t)system->size, m = (size_t)system->contacts;
    if (o->mass)
        memcpy(o->mass, system->mass, n * n * sizeof(double));
    memcpy(o->stiffness, system->stiffness, n * n * sizeof(double));
    if (m > 0) {
        memcpy(o->normal, system->normal, m * n * sizeof(double));
        memcpy(o->gap, system->gap, m * sizeof(double));
    }
    const oscillator_fault fault = find_modes(o, detail);
    if (fault != OSCILLATOR_GOOD)
        return fault;
    invert_modes(o);
    project_contacts(o);
    o->plain = is_plain(o);
    return OSCILLATOR_GOOD;
}

static carom_status fill(carom_linear_oscillator *o, const carom_linear_system *system, carom_error *error)
{
    double detail = 0.0;
    switch (linear_oscillator_fill(o, system, &detail)) {
    case OSCILLATOR_GOOD:
        break;
    case OSCILLATOR_MASS:
        return carom_fail(error, CAROM_BAD_INPUT, "the mass matrix is not positive definite");
    case OSCILLATOR_STIFFNESS:
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the stiffness matrix is not positive definite: a mode has omega^2 = %g", detail);
    case OSCILLATOR_MODES:
        return carom_fail(error, CAROM_FAILED, "the modes could not be computed (LAPACK says %.0f)", detail);
    }
    return CAROM_OK;
}

carom_status carom_linear_oscillator_set(carom_linear_oscillator *oscillator,
                                         const carom_linear_system *system, carom_error *error)
{
    if (oscillator->ring || system->size != oscillator->size || system->contacts != oscillator->contacts ||
        (system->mass != NULL) != (oscillator->mass != NULL))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "an oscillator of size %d with %d contacts is set to one of size %d with %d: create "
            "another",
            oscillator->size, oscillator->contacts, system->size, system->contacts);
    const carom_status status = check(system, error);
    return status == CAROM_OK ? fill(oscillator, system, error) : status;
}

carom_status carom_linear_oscillator_create(const carom_linear_system *system,
                                            carom_linear_oscillator **oscillator, carom_error *error)
{
    *oscillator = NULL;
    carom_status status = check(system, error);
    if (status != CAROM_OK)
        return status;
    carom_linear_oscillator *o =
        linear_oscillator_take(system->size, system->contacts, system->mass != NULL, error);
    if (!o)
        return CAROM_NO_MEMORY;
    status = fill(o, system, error);
    if (status != CAROM_OK) {
        carom_linear_oscillator_free(o);
        return status;
    }
    *oscillator = o;
    return CAROM_OK;
}
