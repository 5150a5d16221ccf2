/* Linear systems against one constraint, in modal coordinates. */
#include <math.h>
#include <string.h>

#include "impulse_motion.h"
#include "modal_eigen.h"

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

static carom_status fill(const carom_mode_system *system, carom_mode_basis *basis, carom_error *error)
{
    const int n = system->dof;
    switch (modes_eigen(n, system->mass, system->stiffness, basis->omega, basis->shape)) {
    case 0:
        break;
    case 1:
        return carom_fail(error, CAROM_BAD_INPUT, "the mass matrix is not positive definite");
    case 2:
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the stiffness matrix is not positive definite: the structure can move freely");
    default:
        return carom_fail(error, CAROM_FAILED, "the linear modes were not found");
    }
    for (int j = 0; j < n; j++)
        basis->participation[j] = carom_dot(n, system->direction, basis->shape + (ptrdiff_t)j * n);
    basis->reach = carom_dot(n, basis->participation, basis->participation);
    return CAROM_OK;
}

carom_status carom_mode_basis_create(const carom_mode_system *system, carom_mode_basis **basis,
                                     carom_error *error)
{
    *basis = NULL;
    carom_status status = check(system, error);
    if (status != CAROM_OK)
        return status;
    const size_t n = (size_t)system->dof;
    carom_arena *arena = carom_arena_create();
    carom_mode_basis *made = arena ? carom_arena_take(arena, 1, sizeof *made) : NULL;
    if (made) {
        *made = (carom_mode_basis){.arena = arena, .dof = system->dof, .clearance = system->clearance};
        made->omega = carom_arena_take(arena, n, sizeof(double));
        made->shape = carom_arena_take(arena, n * n, sizeof(double));
        made->participation = carom_arena_take(arena, n, sizeof(double));
    }
    if (!made || !made->omega || !made->shape || !made->participation) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    status = fill(system, made, error);
    if (status != CAROM_OK)
        carom_arena_free(arena);
    else
        *basis = made;
    return status;
}

void carom_mode_basis_free(carom_mode_basis *basis)
{
    if (basis)
        carom_arena_free(basis->arena);
}

bool modes_seen(const carom_mode_basis *basis, int j)
{
    const double b = basis->participation[j];
    return b * b > 1e-26 * basis->reach;
}

double modes_highest(const carom_mode_basis *basis)
{
    for (int j = basis->dof - 1; j > 0; j--)
        if (modes_seen(basis, j))
            return basis->omega[j];
    return basis->omega[0];
}

int modes_resonant(const carom_mode_basis *basis, double period)
{
    for (int j = 0; j < basis->dof; j++) {
        const double half_turns = 0.5 * basis->omega[j] * period;
        if (modes_seen(basis, j) && fabs(sin(half_turns)) < 1e-11 * (1.0 + half_turns))
            return j;
    }
    return -1;
}

double carom_mode_grazing_energy(const carom_mode_basis *basis, int j)
{
    if (!modes_seen(basis, j))
        return INFINITY;
    const double speed = basis->omega[j] * basis->clearance / basis->participation[j];
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
    for (int j = 0; j < basis->dof; j++) {
        const double om = basis->omega[j], b = basis->participation[j];
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
    for (int j = 0; j < basis->dof; j++) {
        const double om = basis->omega[j], b = basis->participation[j];
        if (modes_seen(basis, j))
            sum -= b * b * sin(om * s) / (2.0 * sin(0.5 * om * period));
    }
    return sum;
}
