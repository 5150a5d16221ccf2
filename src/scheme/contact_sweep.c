#include "contact_sweep.h"

#include <math.h>

enum {
    SWEEPS_MAX = 10000,
    COMPONENTS = CAROM_CONTACT_COMPONENTS
};

/* Both relative to the largest velocity of the problem. */
static const double change_tolerance = 1e-13;
static const double error_tolerance = 1e-10;

bool contact_sweep_take(contact_sweep *sweep, carom_arena *arena, int capacity)
{
    const size_t count = (size_t)capacity, rows = COMPONENTS * count;
    sweep->W = carom_arena_take(arena, rows * rows, sizeof(double));
    sweep->u_free = carom_arena_take(arena, rows, sizeof(double));
    sweep->target = carom_arena_take(arena, count, sizeof(double));
    sweep->tangents = carom_arena_take(arena, count, sizeof(int));
    sweep->set = carom_arena_take(arena, count, sizeof *sweep->set);
    sweep->impulse = carom_arena_take(arena, rows, sizeof(double));
    sweep->branch = carom_arena_take(arena, count, 1);
    return sweep->W && sweep->u_free && sweep->target && sweep->tangents && sweep->set && sweep->impulse &&
           sweep->branch;
}

void contact_sweep_set_block(contact_sweep *sweep, int k, int l, const contact_rows *rows, int a, int b)
{
    const int width = COMPONENTS * sweep->count;
    for (int i = 0; i <= sweep->tangents[k]; i++)
        for (int j = 0; j <= sweep->tangents[l]; j++)
            sweep->W[(COMPONENTS * k + i) * width + COMPONENTS * l + j] =
                carom_dot(rows->dof, contact_row(rows, a, i), contact_response(rows, b, j));
}

/* The problem of contact k alone, with the impulses of the others as they are. */
static carom_friction_contact local_problem(const contact_sweep *sweep, int k)
{
    const int width = COMPONENTS * sweep->count;
    carom_friction_contact local = {
        .tangents = sweep->tangents[k], .target = sweep->target[k], .set = sweep->set[k]};
    for (int i = 0; i <= local.tangents; i++) {
        const double *row = sweep->W + (COMPONENTS * k + i) * width;
        double u = sweep->u_free[COMPONENTS * k + i];
        for (int l = 0; l < sweep->count; l++)
            for (int j = 0; l != k && j <= sweep->tangents[l]; j++)
                u += row[COMPONENTS * l + j] * sweep->impulse[COMPONENTS * l + j];
        local.u_free[i] = u;
        for (int j = 0; j <= local.tangents; j++)
            local.W[i][j] = row[COMPONENTS * k + j];
    }
    return local;
}

static carom_status solve_local(const carom_friction_contact *local, carom_friction_result *result,
                                carom_error *error)
{
    *result = (carom_friction_result){.branch = CAROM_CONTACT_OPEN};
    if (local->u_free[0] >= local->target)
        return CAROM_OK;
    if (local->tangents > 0)
        return carom_friction_contact_solve(local, result, error);
    result->impulse[0] = (local->target - local->u_free[0]) / local->W[0][0];
    result->branch = CAROM_CONTACT_SLIP;
    return CAROM_OK;
}

/* Takes over a new impulse; the largest change of the contact's relative velocity that it makes. */
static double replace_impulse(const carom_friction_contact *local, const double *next, double *impulse)
{
    double change = 0.0;
    for (int i = 0; i <= local->tangents; i++) {
        double du = 0.0;
        for (int j = 0; j <= local->tangents; j++)
            du += local->W[i][j] * (next[j] - impulse[j]);
        change = fmax(change, fabs(du));
    }
    for (int i = 0; i <= local->tangents; i++)
        impulse[i] = next[i];
    return change;
}

static carom_status sweep_once(contact_sweep *sweep, double *change, carom_error *error)
{
    *change = 0.0;
    for (int k = 0; k < sweep->count; k++) {
        carom_friction_contact local = local_problem(sweep, k);
        carom_friction_result result;
        carom_status status = solve_local(&local, &result, error);
        if (status != CAROM_OK) {
            sweep->failed_contact = k;
            return status;
        }
        *change = fmax(*change, replace_impulse(&local, result.impulse, sweep->impulse + COMPONENTS * k));
        sweep->branch[k] = (unsigned char)result.branch;
    }
    return CAROM_OK;
}

/* Distance of contact k from its law with the impulses of all contacts as they are. */
static double law_error(const contact_sweep *sweep, int k)
{
    carom_friction_contact local = local_problem(sweep, k);
    const double *impulse = sweep->impulse + COMPONENTS * k;
    if (sweep->branch[k] == CAROM_CONTACT_OPEN)
        return fmax(0.0, local.target - local.u_free[0]);
    if (local.tangents > 0)
        return carom_friction_contact_error(&local, impulse);
    return fabs(local.u_free[0] + local.W[0][0] * impulse[0] - local.target);
}

static double worst_law_error(const contact_sweep *sweep)
{
    double worst = 0.0;
    for (int k = 0; k < sweep->count; k++)
        worst = fmax(worst, law_error(sweep, k));
    return worst;
}

static double largest_velocity(const contact_sweep *sweep)
{
    double largest = 0.0;
    for (int k = 0; k < sweep->count; k++) {
        largest = fmax(largest, fabs(sweep->target[k]));
        for (int i = 0; i <= sweep->tangents[k]; i++)
            largest = fmax(largest, fabs(sweep->u_free[COMPONENTS * k + i]));
    }
    return largest > 0.0 ? largest : 1.0;
}

carom_status contact_sweep_solve(contact_sweep *sweep, carom_error *error)
{
    const double scale = largest_velocity(sweep);
    sweep->failed_contact = -1;
    for (sweep->sweeps = 1; sweep->sweeps <= SWEEPS_MAX; sweep->sweeps++) {
        double change = 0.0;
        carom_status status = sweep_once(sweep, &change, error);
        if (status != CAROM_OK)
            return status;
        /* One contact alone is solved by one sweep. */
        if (sweep->count > 1 && change > change_tolerance * scale)
            continue;
        sweep->error = worst_law_error(sweep) / scale;
        if (sweep->error <= error_tolerance)
            return CAROM_OK;
    }
    sweep->error = worst_law_error(sweep) / scale;
    return CAROM_FAILED;
}
