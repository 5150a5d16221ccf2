/* Linear systems against one constraint, in modal coordinates. */
#include <math.h>
#include <string.h>

#include "impulse_motion.h"
#include "periodic/oscillator_make.h"

void carom_mode_chain(int dof, double mass, double stiffness, double *mass_matrix, double *stiffness_matrix,
                      double *direction)
{
    const size_t n = (size_t)dof;
    memset(mass_matrix, 0, n * n * sizeof *mass_matrix);
    memset(stiffness_matrix, 0, n * n * sizeof *stiffness_matrix);
    for (size_t i = 0; i < n; i++) {
        mass_matrix[i * n + i] = mass;
        stiffness_matrix[i * n + i] = i + 1 < n ? 2.0 * stiffness : stiffness;
        if (i + 1 < n)
            stiffness_matrix[i * n + i + 1] = stiffness_matrix[(i + 1) * n + i] = -stiffness;
        direction[i] = i + 1 < n ? 0.0 : -1.0;
    }
}

static bool is_symmetric(int n, const double *matrix)
{
    const double size = carom_largest(n * n, matrix);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(matrix[i * n + j] - matrix[j * n + i]) > 1e-12 * size)
                return false;
    return true;
}

static carom_status check(const carom_mode_system *system, carom_error *error)
{
    const int n = system->dof;
    if (n < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "a system needs at least one degree of freedom (got %d)",
                          n);
    if (!carom_all_finite(n * n, system->mass) || !is_symmetric(n, system->mass))
        return carom_fail(error, CAROM_BAD_INPUT, "the mass matrix is not symmetric with finite entries");
    if (!carom_all_finite(n * n, system->stiffness) || !is_symmetric(n, system->stiffness))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the stiffness matrix is not symmetric with finite entries");
    if (!carom_all_finite(n, system->direction) || !(carom_largest(n, system->direction) > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the direction w of the gap w.u + g0 is zero: nothing is constrained");
    if (system->clearance == 0.0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the clearance g0 is 0: motions scale with g0, and this is the limit of infinite "
                          "energy of those with g0 > 0; choose g0 = 1");
    if (!(system->clearance > 0.0) || !isfinite(system->clearance))
        return carom_fail(error, CAROM_BAD_INPUT, "the clearance g0 must be positive (got %g)",
                          system->clearance);
    return CAROM_OK;
}

static carom_status fill(const carom_linear_system *system, carom_mode_basis *basis, carom_error *error)
{
    double detail = 0.0;
    switch (linear_oscillator_fill(basis, system, &detail)) {
    case OSCILLATOR_GOOD:
        break;
    case OSCILLATOR_MASS:
        return carom_fail(error, CAROM_BAD_INPUT, "the mass matrix is not positive definite");
    case OSCILLATOR_STIFFNESS:
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the stiffness matrix is not positive definite: the structure can move freely");
    case OSCILLATOR_MODES:
        return carom_fail(error, CAROM_FAILED, "the linear modes were not found");
    }
    return CAROM_OK;
}

carom_status carom_mode_basis_create(const carom_mode_system *given, carom_mode_basis **basis,
                                     carom_error *error)
{
    *basis = NULL;
    carom_status status = check(given, error);
    if (status != CAROM_OK)
        return status;
    const carom_linear_system system = {.size = given->dof,
                                        .mass = given->mass,
                                        .stiffness = given->stiffness,
                                        .contacts = 1,
                                        .normal = given->direction,
                                        .gap = &given->clearance};
    carom_mode_basis *made = linear_oscillator_take(system.size, 1, true, error);
    if (!made)
        return CAROM_NO_MEMORY;
    status = fill(&system, made, error);
    if (status != CAROM_OK)
        carom_linear_oscillator_free(made);
    else
        *basis = made;
    return status;
}

void carom_mode_basis_free(carom_mode_basis *basis)
{
    carom_linear_oscillator_free(basis);
}

bool modes_seen(const carom_mode_basis *basis, int j)
{
    const double b = basis->contact_mode[j];
    return b * b > 1e-26 * basis->inverse_mass[0];
}

double modes_highest(const carom_mode_basis *basis)
{
    for (int j = basis->size - 1; j > 0; j--)
        if (modes_seen(basis, j))
            return basis->frequency[j];
    return basis->frequency[0];
}

double modes_time(const carom_mode_basis *basis)
{
    double stiffness = 0.0;
    for (int j = 0; j < basis->size; j++) {
        const double rate = basis->contact_mode[j] * basis->frequency[j];
        stiffness += rate * rate;
    }
    return sqrt(basis->inverse_mass[0] / stiffness);
}

int modes_resonant(const carom_mode_basis *basis, double period)
{
    for (int j = 0; j < basis->size; j++) {
        const double half_angle = 0.5 * basis->frequency[j] * period;
        if (modes_seen(basis, j) && fabs(sin(half_angle)) < 1e-11 * (1.0 + half_angle))
            return j;
    }
    return -1;
}

double carom_mode_grazing_energy(const carom_mode_basis *basis, int j)
{
    if (!modes_seen(basis, j))
        return INFINITY;
    const double speed = basis->frequency[j] * basis->gap[0] / basis->contact_mode[j];
    return 0.5 * speed * speed;
}

/* t within [0, T). */
static double within(double t, double period)
{
    const double s = t - period * floor(t / period);
    return s < period ? s : 0.0;
}

double modes_gap_response(const carom_mode_basis *basis, double period, double t)
{
    const double s = within(t, period) - 0.5 * period;
    double sum = 0.0;
    for (int j = 0; j < basis->size; j++) {
        const double om = basis->frequency[j], b = basis->contact_mode[j];
        if (modes_seen(basis, j))
            sum += b * b * cos(om * s) / (2.0 * om * sin(0.5 * om * period));
    }
    return sum;
}

double modes_rate_response(const carom_mode_basis *basis, double period, double t)
{
    const double inside = within(t, period), s = inside - 0.5 * period;
    if (inside == 0.0)
        return 0.0;
    double sum = 0.0;
    for (int j = 0; j < basis->size; j++) {
        const double om = basis->frequency[j], b = basis->contact_mode[j];
        if (modes_seen(basis, j))
            sum -= b * b * sin(om * s) / (2.0 * sin(0.5 * om * period));
    }
    return sum;
}
