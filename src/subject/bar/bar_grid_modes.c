/* Periodic motions of the bar on a grid: fixed vectors of the map of one period. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bar_grid_modes.h"
#include "carom/linalg.h"

/* ---- fixed end: a signed permutation ------------------------------------------------------------------ */

/* Sends numbers through the map: `label` gets, for every place, +-(1 + the place that its wave came from). */
static void take_labels(bar_period_map *map, double *label)
{
    for (int i = 0; i < 2 * map->rings.cells; i++)
        label[i] = i + 1.0;
    bar_period_map_apply(map, label, label, NULL);
}

/* wave := amplitude on the cycle of `first`, so that the map keeps it; false when only 0 is kept. */
static bool fill_cycle(const double *label, int first, double amplitude, double *wave)
{
    double value = amplitude;
    int place = first;
    do {
        wave[place] = value;
        if (label[place] < 0.0)
            value = -value;
        place = (int)fabs(label[place]) - 1;
    } while (place != first);
    if (value == amplitude)
        return true;
    do {
        wave[place] = 0.0;
        place = (int)fabs(label[place]) - 1;
    } while (place != first);
    return false;
}

static carom_status permute(bar_period_map *map, const double *weight, double *wave,
                            carom_bar_grid_mode *mode, carom_error *error)
{
    const int size = 2 * map->rings.cells;
    double *label = carom_new_array((size_t)size, sizeof *label);
    if (!label)
        return carom_fail_memory(error);
    take_labels(map, label);
    /* A period moves all waves by the same number of places round the row. */
    mode->cycles = carom_greatest_common_divisor(size, map->free_steps + map->closed_steps);
    for (int k = 0; k < mode->cycles; k++) {
        /* the sign of a cycle does not depend on its amplitude, which may be 0 */
        const bool kept = fill_cycle(label, k, 1.0, wave);
        mode->freedom += kept;
        if (kept && weight)
            fill_cycle(label, k, weight[k], wave);
    }
    free(label);
    return CAROM_OK;
}

/* ---- spring: a null vector -------------------------------------------------------------------------- */

static void take_matrix(bar_period_map *map, int size, double *column, double *matrix)
{
    for (int k = 0; k < size; k++) {
        for (int i = 0; i < size; i++)
            column[i] = i == k;
        bar_period_map_apply(map, column, column, NULL);
        for (int i = 0; i < size; i++)
            matrix[(size_t)i * (size_t)size + (size_t)k] = column[i];
    }
}

/* B is orthogonal, so that (B - I)^T (B - I) = 2 I - B - B^T: as many eigenvalues 0 as fixed vectors. */
static int count_fixed(int size, const double *matrix, double *symmetric, double *value)
{
    const size_t n = (size_t)size;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            symmetric[i * n + j] = (i == j ? 2.0 : 0.0) - matrix[i * n + j] - matrix[j * n + i];
    if (carom_symmetric_eigenvalues(size, symmetric, value) != 0)
        return -1;
    int count = 0;
    while (count < size && value[count] < 1e-11)
        count++;
    return count;
}

/* Inverse iteration beside the eigenvalue 1. */
static bool iterate(int size, double *matrix, int *pivot, double *wave)
{
    const size_t n = (size_t)size;
    for (size_t i = 0; i < n; i++) {
        matrix[i * n + i] -= 1.0 + 1e-8;
        wave[i] = 1.0 + 0.1 * sin((double)i);
    }
    if (carom_lu_factor(size, matrix, pivot) != 0)
        return false;
    for (int k = 0; k < 4; k++) {
        carom_lu_solve(size, matrix, pivot, wave);
        const double largest = carom_largest(size, wave);
        for (size_t i = 0; i < n; i++)
            wave[i] /= largest;
    }
    return carom_all_finite(size, wave);
}

static carom_status find_null_vector(bar_period_map *map, double *wave, carom_bar_grid_mode *mode,
                                     carom_error *error)
{
    const int size = bar_period_map_size(map);
    const size_t n = (size_t)size;
    double *work = carom_new_array(2 * n * n + n, sizeof *work);
    int *pivot = carom_new_array(n, sizeof *pivot);
    carom_status status = CAROM_OK;
    if (!work || !pivot) {
        status = carom_fail_memory(error);
    } else {
        double *matrix = work, *symmetric = work + n * n, *value = symmetric + n * n;
        take_matrix(map, size, value, matrix);
        mode->freedom = count_fixed(size, matrix, symmetric, value);
        if (mode->freedom < 0 || (mode->freedom > 0 && !iterate(size, matrix, pivot, wave)))
            status = carom_fail(error, CAROM_FAILED, "bar grid mode: eigenvectors of the period not found");
    }
    free(work);
    free(pivot);
    return status;
}

/* ---- the motion ------------------------------------------------------------------------------------- */

static carom_status check_request(const carom_bar *bar, const carom_bar_grid_request *request,
                                  carom_error *error)
{
    if (carom_bar_check(bar, error))
        return CAROM_BAD_INPUT;
    if (bar->gap <= 0.0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "bar grid mode: gap is %g, but must be positive; a gap of 0 is the limit of infinite "
            "energy",
            bar->gap);
    if (request->cells < 2 || request->cells > 1000000)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar grid mode: %d cells, but at least 2 are needed and at most 1000000 are taken",
                          request->cells);
    if (request->free_steps < 1 || request->closed_steps < 1 || request->free_steps > 100000000 ||
        request->closed_steps > 100000000)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "bar grid mode: %d steps in flight and %d in contact, but both must be positive and "
            "at most 100000000",
            request->free_steps, request->closed_steps);
    if (request->left == CAROM_BAR_FREE ||
        (request->left == CAROM_BAR_SPRING && !(request->spring > 0.0 && isfinite(request->spring))))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "bar grid mode: the left end must be fixed or held by a spring > 0: a free bar flies "
            "away");
    if (request->left == CAROM_BAR_SPRING && request->cells > 1000)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar grid mode: %d cells, but at most 1000 with a spring, whose matrix is full",
                          request->cells);
    return CAROM_OK;
}

/* The end has to be at the wall when it leaves it. */
static carom_status scale(const bar_period_map *map, double *wave, const carom_bar_grid_mode *mode,
                          carom_error *error)
{
    const int size = bar_period_map_size(map);
    if (mode->freedom == 0)
        return carom_fail(
            error, CAROM_FAILED,
            "bar grid mode: with %d steps in flight and %d in contact only rest is periodic; try "
            "another number of steps",
            map->free_steps, map->closed_steps);
    const double end = bar_period_map_end(map, wave), unit = map->bar.length / map->bar.young;
    if (fabs(end) <= 1e-9 * unit * carom_largest(size, wave) || !isfinite(end))
        return carom_fail(error, CAROM_FAILED,
                          "bar grid mode: with %d steps in flight and %d in contact the end would leave the "
                          "wall at displacement 0; energy would be infinite",
                          map->free_steps, map->closed_steps);
    for (int i = 0; i < size; i++)
        wave[i] *= map->bar.gap / end;
    return CAROM_OK;
}

/* Runs one period: the end may not pass the wall in flight, and the wall may not pull. */
static void judge(bar_period_map *map, const double *wave, double *after, carom_bar_grid_mode *mode)
{
    const int size = bar_period_map_size(map);
    const double gap = map->bar.gap, largest = carom_largest(size, wave), step = map->left.step;
    const double slack = 1e-9 * (gap + largest * map->bar.length / map->bar.young);
    bar_period_watch watch;
    bar_period_map_apply(map, wave, after, &watch);
    mode->residual = 0.0;
    for (int i = 0; i < size; i++)
        mode->residual = fmax(mode->residual, fabs(after[i] - wave[i]) / largest);
    if (watch.highest > gap + slack)
        snprintf(mode->reason, sizeof mode->reason,
                 "the end would be %g behind the wall at t = %g, in flight", watch.highest - gap,
                 (double)watch.highest_step * step);
    else if (fabs(watch.arrival - gap) > slack)
        snprintf(mode->reason, sizeof mode->reason,
                 "the end would be %g before the wall at t = %g, when contact has to begin",
                 gap - watch.arrival, map->free_steps * step);
    else if (watch.largest_pull > 1e-9 * largest)
        snprintf(mode->reason, sizeof mode->reason,
                 "the wall would have to pull: stress %g at t = %g, in contact", watch.largest_pull,
                 (double)watch.pull_step * step);
    mode->admissible = mode->reason[0] == '\0';
}

static void take_fields(const bar_period_map *map, const double *wave, carom_bar_grid_mode *mode)
{
    const int cells = map->rings.cells;
    const double dx = map->bar.length / cells;
    mode->displacement[0] = map->left_scale > 0.0 ? wave[2 * cells] / map->left_scale : 0.0;
    for (int j = 0; j < cells; j++) {
        const double left = wave[cells - 1 - j], right = wave[cells + j];
        mode->displacement[j + 1] = mode->displacement[j] + dx * (left + right) / (2.0 * map->bar.young);
        mode->velocity[j] = (left - right) / (2.0 * map->left.impedance);
    }
}

static carom_status find(bar_period_map *map, const double *weight, double *wave, double *after,
                         carom_bar_grid_mode *mode, carom_error *error)
{
    carom_status status = map->left_scale > 0.0 ? find_null_vector(map, wave, mode, error)
                                                : permute(map, weight, wave, mode, error);
    if (!status)
        status = scale(map, wave, mode, error);
    if (status)
        return status;
    judge(map, wave, after, mode);
    take_fields(map, wave, mode);
    mode->period = (map->free_steps + map->closed_steps) * map->left.step;
    mode->energy = bar_period_map_energy(map, wave);
    return CAROM_OK;
}

carom_status carom_bar_grid_mode_find(const carom_bar *bar, const carom_bar_grid_request *request,
                                      carom_bar_grid_mode *mode, carom_error *error)
{
    *mode = (carom_bar_grid_mode){.cells = request->cells};
    if (check_request(bar, request, error))
        return CAROM_BAD_INPUT;
    const size_t cells = (size_t)request->cells;
    bar_period_map map;
    const bool taken = bar_period_map_create(&map, bar, request);
    double *wave = carom_new_array(2 * (2 * cells + 1), sizeof *wave);
    mode->displacement = carom_new_array(cells + 1, sizeof *mode->displacement);
    mode->velocity = carom_new_array(cells, sizeof *mode->velocity);
    carom_status status;
    if (!taken || !wave || !mode->displacement || !mode->velocity)
        status = carom_fail_memory(error);
    else
        status = find(&map, request->weight, wave, wave + 2 * cells + 1, mode, error);
    bar_period_map_free(&map);
    free(wave);
    if (status)
        carom_bar_grid_mode_free(mode);
    return status;
}

void carom_bar_grid_mode_free(carom_bar_grid_mode *mode)
{
    free(mode->displacement);
    free(mode->velocity);
    *mode = (carom_bar_grid_mode){0};
}
