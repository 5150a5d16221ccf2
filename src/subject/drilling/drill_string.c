/* Strings of discs: building, checks, the published setup, scaling, equilibrium. */
#include <math.h>
#include <stdlib.h>

#include "carom/linalg.h"
#include "carom/subject/drilling.h"

enum {
    MOST_DISCS = 200
};

carom_status carom_drill_string_create(int discs, carom_drill_string **string, carom_error *error)
{
    *string = NULL;
    if (discs < 1 || discs > MOST_DISCS)
        return carom_fail(error, CAROM_BAD_INPUT, "a drill string has 1 to %d discs; %d were asked for",
                          MOST_DISCS, discs);
    carom_drill_string *s = carom_new_array(1, sizeof *s);
    if (s)
        s->arena = carom_arena_create();
    if (!s || !s->arena) {
        carom_drill_string_free(s);
        return carom_fail_memory(error);
    }
    const size_t n = (size_t)discs;
    s->discs = discs;
    s->inertia = carom_arena_take(s->arena, n, sizeof(double));
    s->wall = carom_arena_take(s->arena, n, sizeof(double));
    s->damping = carom_arena_take(s->arena, carom_product(n, n), sizeof(double));
    s->stiffness = carom_arena_take(s->arena, carom_product(n, n), sizeof(double));
    if (!s->inertia || !s->wall || !s->damping || !s->stiffness) {
        carom_drill_string_free(s);
        return carom_fail_memory(error);
    }
    *string = s;
    return CAROM_OK;
}

void carom_drill_string_free(carom_drill_string *string)
{
    if (string)
        carom_arena_free(string->arena);
    free(string);
}

static void join(int n, double *matrix, int i, int j, double value)
{
    matrix[i * n + i] += value;
    matrix[j * n + j] += value;
    matrix[i * n + j] -= value;
    matrix[j * n + i] -= value;
}

void carom_drill_join(carom_drill_string *string, int i, int j, double stiffness, double damping)
{
    join(string->discs, string->stiffness, i, j, stiffness);
    join(string->discs, string->damping, i, j, damping);
}

/* ---- checks ----------------------------------------------------------------------------------------- */

static carom_status check_law(const carom_drill_law *law, carom_error *error)
{
    if (!isfinite(law->Ts) || !isfinite(law->Td) || !(law->Td >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "bit: Ts = %g and Td = %g must be finite and not negative",
                          law->Ts, law->Td);
    if (law->Ts < law->Td)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bit: the weakening law needs Ts >= Td; got Ts = %g, Td = %g", law->Ts, law->Td);
    if (!isfinite(law->vd) || law->vd < 0.0 || (law->vd == 0.0 && law->Ts > law->Td))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bit: the decay speed Nd must be positive, in rpm (vd = 30/(pi Nd) is %g)",
                          law->vd);
    return CAROM_OK;
}

static carom_status check_disc(const carom_drill_string *s, int i, carom_error *error)
{
    if (!(s->inertia[i] > 0.0) || !isfinite(s->inertia[i]))
        return carom_fail(error, CAROM_BAD_INPUT, "disc %d: inertia %g must be positive", i + 1,
                          s->inertia[i]);
    if (!(s->wall[i] >= 0.0) || !isfinite(s->wall[i]))
        return carom_fail(error, CAROM_BAD_INPUT, "disc %d: friction torque %g must not be negative", i + 1,
                          s->wall[i]);
    for (int j = 0; j < s->discs; j++) {
        const double k = -s->stiffness[i * s->discs + j], d = -s->damping[i * s->discs + j];
        if (i != j && (!(k >= 0.0) || !isfinite(k) || !(d >= 0.0) || !isfinite(d)))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "between discs %d and %d: stiffness %g and damping %g must not be negative",
                              i + 1, j + 1, k, d);
    }
    return CAROM_OK;
}

/* From disc 1 along springs, to all that can be reached. */
static int first_unconnected(const carom_drill_string *s, bool *reached)
{
    const int n = s->discs;
    reached[0] = true;
    for (int pass = 1; pass < n; pass++)
        for (int i = 0; i < n; i++)
            for (int j = 0; reached[i] && j < n; j++)
                if (s->stiffness[i * n + j] < 0.0)
                    reached[j] = true;
    for (int i = 0; i < n; i++)
        if (!reached[i])
            return i;
    return -1;
}

carom_status carom_drill_check(const carom_drill_string *string, carom_error *error)
{
    if (string->discs < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "a drill string of %d discs: it needs at least one",
                          string->discs);
    for (int i = 0; i < string->discs; i++)
        if (check_disc(string, i, error) != CAROM_OK)
            return CAROM_BAD_INPUT;
    for (int j = 0, top = string->discs - 1; j + 1 < top; j++)
        if (string->stiffness[top * string->discs + j] != 0.0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "disc %d, the top drive, has a spring to disc %d; it may have one to disc %d "
                              "only, in which the torque of the pipe is measured",
                              top + 1, j + 1, top);
    bool reached[MOST_DISCS] = {false};
    const int alone = first_unconnected(string, reached);
    if (alone >= 0)
        return carom_fail(error, CAROM_BAD_INPUT, "disc %d is not connected to the bit by springs",
                          alone + 1);
    return check_law(&string->bit, error);
}

/* ---- the setup -------------------------------------------------------------------------------------- */

carom_status carom_drill_setup(carom_drill_string **string, carom_error *error)
{
    static const double inertia[] = {0.064, 0.708, 0.708, 2.845}, wall[] = {0.0, 2.297, 3.038, 0.662};
    const carom_status status = carom_drill_string_create(4, string, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < 4; i++) {
        (*string)->inertia[i] = inertia[i];
        (*string)->wall[i] = wall[i];
    }
    carom_drill_join(*string, 0, 1, 0.630, 0.0);
    carom_drill_join(*string, 1, 2, 1.799, 0.0018);
    carom_drill_join(*string, 2, 3, 1.097, 0.0024);
    carom_drill_join(*string, 0, 3, 0.0, 0.0005);
    (*string)->bit = (carom_drill_law){1.232, 0.272, carom_drill_decay(0.5)};
    return CAROM_OK;
}

/* (15)-(17): M, D, K turn angles into torques; the decay speed is a speed. */
void carom_drill_scale(carom_drill_string *string, double torque, double angle)
{
    const int n = string->discs;
    for (int i = 0; i < n; i++) {
        string->inertia[i] *= torque / angle;
        string->wall[i] *= torque;
    }
    for (int i = 0; i < n * n; i++) {
        string->damping[i] *= torque / angle;
        string->stiffness[i] *= torque / angle;
    }
    string->bit.Ts *= torque;
    string->bit.Td *= torque;
    string->bit.vd /= angle;
}

/* ---- equilibrium ------------------------------------------------------------------------------------ */

/* K th = u e_n - friction with th_1 = 0: rows and columns 2..n, in which K is positive definite. All discs
 * turn alike, so that the dampers do nothing. */
carom_status carom_drill_equilibrium(const carom_drill_string *string, double weq, double *torque,
                                     double *angle, carom_error *error)
{
    const int n = string->discs, rest = n - 1;
    if (!(weq > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "an equilibrium needs a set point above 0; got %g rad/s",
                          weq);
    *torque = carom_drill_torque(&string->bit, weq);
    for (int i = 1; i < n; i++)
        *torque += string->wall[i];
    if (!angle)
        return CAROM_OK;
    double *K = carom_new_array(carom_product((size_t)(rest > 0 ? rest : 0), (size_t)(rest > 0 ? rest : 0)),
                                sizeof *K);
    if (!K)
        return carom_fail_memory(error);
    for (int i = 0; i < rest; i++) {
        for (int j = 0; j < rest; j++)
            K[i * rest + j] = string->stiffness[(i + 1) * n + j + 1];
        angle[i + 1] = (i == rest - 1 ? *torque : 0.0) - string->wall[i + 1];
    }
    angle[0] = 0.0;
    const int row = carom_cholesky_factor(rest, K);
    if (row == 0)
        carom_cholesky_solve(rest, K, angle + 1);
    free(K);
    if (row != 0)
        return carom_fail(error, CAROM_BAD_INPUT, "disc %d is not connected to the bit by springs", row + 1);
    return CAROM_OK;
}

static double top_entry(const carom_drill_string *s, const double *matrix)
{
    const int n = s->discs;
    return n > 1 ? -matrix[(n - 1) * n + n - 2] : 0.0;
}

double carom_drill_top_stiffness(const carom_drill_string *string)
{
    return top_entry(string, string->stiffness);
}

double carom_drill_top_damping(const carom_drill_string *string)
{
    return top_entry(string, string->damping);
}
