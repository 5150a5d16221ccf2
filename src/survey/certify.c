/* How many digits of a measure stand: the same run with h, h/2 and h/4. With errors C h^p,
 *
 *   d1 = m(h) - m(h/2),   d2 = m(h/2) - m(h/4),   2^p = d1 / d2,   error of m(h) = d1 / (1 - 2^-p),
 *
 * where d1 / d2 lies between 2^(1/2) and 2^6; elsewhere the differences are no sequence that converges, and the error
 * is the larger distance of m(h) from the other two. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/survey.h"

static const double ratio_min = 1.4142135623730951, ratio_max = 64.0;
/* Differences as small as this, relative to the value, are rounding. */
static const double rounding = 1e-14;

carom_certified carom_certified_of(double coarse, double middle, double fine)
{
    carom_certified found = {.value = coarse, .error = NAN, .order = NAN};
    if (!isfinite(coarse) || !isfinite(middle) || !isfinite(fine))
        return found;
    const double first = coarse - middle, second = middle - fine, ratio = first / second;
    found.error = fmax(fabs(first), fabs(coarse - fine));
    if (found.error <= rounding * fabs(coarse))
        return found;
    if (!(ratio >= ratio_min && ratio <= ratio_max))
        return found;
    found.order = log2(ratio);
    found.error = fabs(first) / (1.0 - 1.0 / ratio);
    return found;
}

/* Steps between recorded outputs and the like stay as they are: only the measures count. */
static carom_status run_with(const carom_run_request *request, double h, carom_run_result *result,
                             carom_error *error)
{
    carom_run_request finer = *request;
    finer.h = h;
    finer.sample_count = 0;
    finer.recorder_count = 0;
    const carom_status status = carom_run(&finer, result, error);
    return status;
}

static carom_status take_measure(const carom_measured *coarse, const carom_measured *middle,
                                 const carom_measured *fine, carom_arena *arena, carom_certified_measure *out)
{
    *out = (carom_certified_measure){.is_array = coarse->is_array};
    if (coarse->count == 0)
        return CAROM_OK;
    out->entry = carom_arena_take(arena, (size_t)coarse->count, sizeof *out->entry);
    if (!out->entry)
        return CAROM_NO_MEMORY;
    out->count = coarse->count;
    const bool alike = middle->count == coarse->count && fine->count == coarse->count;
    for (int i = 0; i < coarse->count; i++)
        out->entry[i] = alike ? carom_certified_of(coarse->value[i], middle->value[i], fine->value[i])
                              : (carom_certified){.value = coarse->value[i], .error = NAN, .order = NAN};
    return CAROM_OK;
}

carom_status carom_certify(const carom_run_request *request, const carom_run_result *done,
                           carom_certification *out, carom_error *error)
{
    *out = (carom_certification){0};
    carom_run_result finer[2] = {{0}, {0}};
    carom_status status = CAROM_OK;
    for (int i = 0; i < 2 && status == CAROM_OK; i++)
        status = run_with(request, done->h / (i ? 4.0 : 2.0), &finer[i], error);
    out->arena = status == CAROM_OK ? carom_arena_create() : NULL;
    if (out->arena)
        out->measure = carom_arena_take(out->arena, (size_t)done->measure_count, sizeof *out->measure);
    if (status == CAROM_OK && !out->measure)
        status = carom_fail_memory(error);
    for (int i = 0; i < done->measure_count && status == CAROM_OK; i++)
        if (take_measure(&done->measure[i], &finer[0].measure[i], &finer[1].measure[i], out->arena,
                         &out->measure[i]) != CAROM_OK)
            status = carom_fail_memory(error);
    out->count = status == CAROM_OK ? done->measure_count : 0;
    for (int i = 0; i < 2; i++)
        carom_run_result_free(&finer[i]);
    return status;
}

void carom_certification_free(carom_certification *certification)
{
    carom_arena_free(certification->arena);
    *certification = (carom_certification){0};
}
