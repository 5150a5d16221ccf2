/* How many poles of an orbit lie between two values of a parameter.
 *
 * The sign of the determinant misses two zeros in one step. The symmetric matrix of the Green function at the
 * instants of impact misses none: with theta_j = omega_j T / 2 mode j adds to it, for contacts of equal and
 * of different phase, cot(theta_j) / (2 omega_j) and 1 / (2 omega_j sin(theta_j)) times b_j b_j^T, that is
 *
 *   cot(theta_j / 2) on b_j+ and -tan(theta_j / 2) on b_j-,  over 4 omega_j,
 *
 * b_j+ = the entries of contacts that strike, b_j- = the same with the other sign at T/2. Both decrease when
 * T or omega_j grows, so the eigenvalues decrease too. They pass zero downwards at a pole of the orbit, and
 * at a resonance (theta_j = k pi) as many as the vectors of that frequency span fall to -infinity and come
 * back from +infinity:
 *
 *   poles = negative eigenvalues at the end - at the beginning + eigenvalues that came back */
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "pattern_branch.h"

static const double same_frequency = 1e-9, dependent = 1e-9;

bool branch_poles_take(carom_arena *arena, const carom_linear_oscillator *o, branch_poles *poles)
{
    const size_t n = (size_t)o->size, m = (size_t)o->contacts;
    *poles = (branch_poles){.matrix = carom_arena_take(arena, carom_product(m, m), sizeof(double)),
                            .value = carom_arena_take(arena, m, sizeof(double)),
                            .near = carom_arena_take(arena, n, sizeof(double)),
                            .far = carom_arena_take(arena, n, sizeof(double)),
                            .contact = carom_arena_take(arena, m, sizeof(int)),
                            .counted = carom_arena_take(arena, n, sizeof(bool)),
                            .rotations = {carom_arena_take(arena, n, sizeof(double)),
                                          carom_arena_take(arena, n, sizeof(double))}};
    return poles->matrix && poles->value && poles->near && poles->far && poles->contact && poles->counted &&
           poles->rotations[0] && poles->rotations[1];
}

void branch_poles_pattern(branch_poles *poles, int contacts, const carom_phase *pattern)
{
    poles->pattern = pattern;
    poles->size = 0;
    for (int c = 0; c < contacts; c++)
        if (pattern[c] != CAROM_PHASE_NEVER)
            poles->contact[poles->size++] = c;
}

static const double *modes_of(const carom_linear_oscillator *o, const branch_poles *poles, int k)
{
    return o->contact_mode + (ptrdiff_t)poles->contact[k] * o->size;
}

void branch_poles_rotate(branch_poles *poles, const carom_linear_oscillator *o, double period, int at)
{
    for (int j = 0; j < o->size; j++)
        poles->rotations[at][j] = 0.5 * o->frequency[j] * period / CAROM_PI;
}

bool branch_poles_look(branch_poles *poles, const carom_linear_oscillator *o, double period, int at)
{
    const int m = poles->size;
    branch_poles_rotate(poles, o, period, at);
    for (int j = 0; j < o->size; j++) {
        const double omega = o->frequency[j], theta = 0.5 * omega * period;
        double sine = sin(theta);
        if (fabs(sine) < 1e-14)
            sine = copysign(1e-14, sine);
        poles->near[j] = cos(theta) / (omega * sine);
        poles->far[j] = 1.0 / (omega * sine);
    }
    for (int k = 0; k < m; k++)
        for (int l = 0; l <= k; l++) {
            const double *a = modes_of(o, poles, k), *b = modes_of(o, poles, l);
            const bool together = poles->pattern[poles->contact[k]] == poles->pattern[poles->contact[l]];
            const double *mode = together ? poles->near : poles->far;
            double sum = 0.0;
            for (int j = 0; j < o->size; j++)
                sum += a[j] * b[j] * mode[j];
            poles->matrix[(ptrdiff_t)k * m + l] = sum;
        }
    if (carom_symmetric_eigenvalues(m, poles->matrix, poles->value) != 0)
        return false;
    poles->negative[at] = 0;
    for (int k = 0; k < m; k++)
        poles->negative[at] += poles->value[k] < 0.0;
    return true;
}

/* Vector b_j of the k-th resonance, made orthogonal to `count` unit vectors before it, which stand in the
 * rows of the matrix. True when something is left of it, which becomes the next of them. */
static bool add_direction(const branch_poles *poles, const carom_linear_oscillator *o, int j,
                          bool alternating, int count)
{
    const int m = poles->size;
    double *direction = poles->matrix + (ptrdiff_t)count * m;
    for (int k = 0; k < m; k++) {
        const bool half = poles->pattern[poles->contact[k]] == CAROM_PHASE_HALF;
        direction[k] = (alternating && half ? -1.0 : 1.0) * modes_of(o, poles, k)[j];
    }
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < count; i++) {
            const double *unit = poles->matrix + (ptrdiff_t)i * m;
            carom_axpy(m, -carom_dot(m, unit, direction), unit, direction);
        }
    double size = 0.0; /* of b_j: 1 / sqrt of a mass */
    for (int k = 0; k < m; k++)
        size = fmax(size, o->inverse_mass[poles->contact[k]]);
    const double length = sqrt(carom_dot(m, direction, direction));
    const bool is_new = length > dependent * sqrt(size);
    for (int k = 0; is_new && k < m; k++)
        direction[k] /= length;
    return is_new;
}

/* Modes with the frequency of mode j, all of which pass the k-th resonance together. */
static int rank_of_resonance(const branch_poles *poles, const carom_linear_oscillator *o, int j, double k)
{
    int rank = 0;
    for (int i = j; i < o->size; i++) {
        const double *low = poles->rotations[0], *high = poles->rotations[1];
        if (fabs(low[i] - low[j]) > same_frequency || fabs(high[i] - high[j]) > same_frequency)
            continue;
        poles->counted[i] = true;
        if (rank < poles->size && add_direction(poles, o, i, fmod(k, 2.0) != 0.0, rank))
            rank++;
    }
    return rank;
}

int branch_poles_between(branch_poles *poles, const carom_linear_oscillator *o, bool upwards)
{
    const int from = upwards ? 0 : 1, to = 1 - from;
    int count = poles->negative[to] - poles->negative[from];
    memset(poles->counted, 0, (size_t)o->size * sizeof *poles->counted);
    for (int j = 0; j < o->size; j++) {
        if (poles->counted[j])
            continue;
        const double last = floor(fmax(poles->rotations[0][j], poles->rotations[1][j]));
        for (double k = floor(fmin(poles->rotations[0][j], poles->rotations[1][j])) + 1.0; k <= last;
             k += 1.0)
            count += rank_of_resonance(poles, o, j, k);
    }
    return count;
}
