#include "converge_reference.h"

#include <math.h>
#include <string.h>

/* ---- what is compared ------------------------------------------------------------------------------- */

/* Index of a named column, -1 when there is none; prefix and name are its two halves. */
static int find_column(const carom_experiment *experiment, const char *prefix, const char *name)
{
    const size_t length = strlen(prefix);
    for (int i = 0; i < experiment->named_columns; i++)
        if (strncmp(experiment->column[i], prefix, length) == 0 &&
            strcmp(experiment->column[i] + length, name) == 0)
            return i;
    return -1;
}

static carom_status fail_unknown_quantity(const carom_experiment *experiment, const char *name,
                                          carom_error *error)
{
    if (experiment->named_columns == 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "unknown quantity '%s': this model records none; write record { %s = ... }", name,
                          name);
    carom_text list = {0};
    for (int i = 0; i < experiment->named_columns; i++)
        carom_text_append(&list, "%s%s", i ? ", " : "", experiment->column[i]);
    carom_status status = list.failed
                              ? carom_fail_memory(error)
                              : carom_fail(error, CAROM_BAD_INPUT,
                                           "unknown quantity '%s'; the model records: %s", name, list.bytes);
    carom_text_free(&list);
    return status;
}

static carom_status fail_no_exact_motion(const carom_experiment *experiment, carom_error *error)
{
    const char *first = experiment->model->coordinate[0];
    return carom_fail(error, CAROM_BAD_INPUT,
                      "no exact motion to compare with: write record { exact_%s = ... } with the exact "
                      "coordinate '%s' as an expression of time() and parameters (exact_v_%s: its velocity)",
                      first, first, first);
}

static void add_value(compared_values *compared, int source, int curve)
{
    compared->source[compared->count] = source;
    compared->curve[compared->count] = curve;
    compared->count++;
}

static carom_status add_quantities(const carom_convergence_request *request, const carom_row_layout *layout,
                                   compared_values *compared, carom_error *error)
{
    for (int i = 0; i < request->quantity_count; i++) {
        int column = find_column(request->experiment, "", request->quantity[i]);
        if (column < 0)
            return fail_unknown_quantity(request->experiment, request->quantity[i], error);
        add_value(compared, layout->column + column, CAROM_CURVE_QUANTITY + i);
    }
    return CAROM_OK;
}

static carom_status find_exact_values(const carom_convergence_request *request,
                                      const carom_row_layout *layout, compared_values *compared,
                                      carom_error *error)
{
    const carom_experiment *experiment = request->experiment;
    const carom_model *model = experiment->model;
    const int first_velocity = layout->positions, first_quantity = first_velocity + layout->dof;
    int positions = 0;
    for (int i = 0; i < compared->count; i++) {
        const bool is_velocity = compared->curve[i] == CAROM_CURVE_V;
        const bool is_quantity = compared->curve[i] >= CAROM_CURVE_QUANTITY;
        const char *name = is_quantity   ? request->quantity[i - first_quantity]
                           : is_velocity ? carom_model_velocity_name(model, i - first_velocity)
                                         : model->coordinate[i];
        const int column = find_column(experiment, is_velocity ? "exact_v_" : "exact_", name);
        if (column < 0 && is_quantity)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "no exact value of quantity '%s': write record { exact_%s = ... }", name, name);
        compared->exact[i] = column < 0 ? -1 : layout->column + column;
        positions += column >= 0 && compared->curve[i] == CAROM_CURVE_Q;
    }
    return positions > 0 ? CAROM_OK : fail_no_exact_motion(experiment, error);
}

carom_status compared_values_create(const carom_convergence_request *request, carom_arena *arena,
                                    compared_values *compared, carom_error *error)
{
    const carom_row_layout layout = carom_row_layout_of(request->experiment);
    const size_t most = (size_t)layout.positions + (size_t)layout.dof + (size_t)request->quantity_count;
    *compared = (compared_values){.source = carom_arena_take(arena, most, sizeof(int)),
                                  .curve = carom_arena_take(arena, most, sizeof(int))};
    int *exact = carom_arena_take(arena, most, sizeof *exact);
    if (!compared->source || !compared->curve || !exact)
        return carom_fail_memory(error);
    for (int k = 0; k < layout.positions; k++)
        add_value(compared, layout.q + k, CAROM_CURVE_Q);
    for (int k = 0; k < layout.dof; k++)
        add_value(compared, layout.v + k, CAROM_CURVE_V);
    carom_status status = add_quantities(request, &layout, compared, error);
    if (status != CAROM_OK || request->reference != CAROM_REFERENCE_EXACT)
        return status;
    compared->exact = exact;
    return find_exact_values(request, &layout, compared, error);
}

/* ---- step of a reference run --------------------------------------------------------------------- */

enum {
    FINER = 16,     /* a fine reference has this many steps in the smallest h */
    FINER_MOST = 64 /* or up to this many where that divides every h */
};

static const double whole_tolerance = 1e-9, ratio_limit = 1e9;

/* h / part when that is a whole number, otherwise 0. */
static int whole_ratio(double h, double part)
{
    const double ratio = h / part, whole = round(ratio);
    const bool is_whole =
        whole >= 1.0 && whole <= ratio_limit && fabs(ratio - whole) <= whole_tolerance * whole;
    return is_whole ? (int)whole : 0;
}

/* How many steps `part` the outputs of all h have in common; 0 when it does not divide all. */
static int common_steps(int h_count, const double *h, double part)
{
    int common = 0;
    for (int i = 0; i < h_count; i++) {
        const int ratio = whole_ratio(h[i], part);
        if (ratio == 0)
            return 0;
        common = carom_greatest_common_divisor(ratio, common);
    }
    return common;
}

reference_step reference_step_choose(int h_count, const double *h, double wanted)
{
    const double smallest = h[h_count - 1];
    double step = isnan(wanted) ? smallest / FINER : wanted;
    int common = common_steps(h_count, h, step);
    for (int finer = FINER + 1; isnan(wanted) && common == 0 && finer <= FINER_MOST; finer++) {
        common = common_steps(h_count, h, smallest / finer);
        if (common > 0)
            step = smallest / finer;
    }
    return (reference_step){.h = step, .record_every = common > 0 ? common : 1};
}

/* ---- reference run ------------------------------------------------------------------------------- */

bool reference_run_create(const compared_values *compared, carom_arena *arena, reference_run *reference)
{
    const int width = 1 + compared->count;
    *reference = (reference_run){.compared = compared,
                                 .series = {.layout = {.width = width}},
                                 .row = carom_arena_take(arena, (size_t)width, sizeof(double))};
    return reference->row != NULL;
}

static carom_status keep_row(void *context, const double *row, carom_error *error)
{
    reference_run *reference = context;
    const compared_values *compared = reference->compared;
    reference->row[0] = row[0];
    for (int i = 0; i < compared->count; i++)
        reference->row[1 + i] = row[compared->source[i]];
    const carom_recorder recorder = carom_series_recorder(&reference->series);
    return recorder.row(recorder.context, reference->row, error);
}

carom_recorder reference_run_recorder(reference_run *reference)
{
    return (carom_recorder){.context = reference, .row = keep_row};
}

void reference_run_free(reference_run *reference)
{
    carom_series_free(&reference->series);
}

/* ---- errors ---------------------------------------------------------------------------------------- */

static const double rounding_level = 1e-13;

bool error_meter_create(const compared_values *compared, const reference_run *reference, int curve_count,
                        carom_arena *arena, error_meter *meter)
{
    const size_t curves = (size_t)curve_count;
    *meter = (error_meter){.compared = compared,
                           .reference = reference,
                           .curve_count = curve_count,
                           .error = carom_arena_take(arena, curves, sizeof(double)),
                           .size = carom_arena_take(arena, curves, sizeof(double)),
                           .known = carom_arena_take(arena, curves, sizeof(bool)),
                           .expected = carom_arena_take(arena, (size_t)compared->count, sizeof(double))};
    if (!meter->error || !meter->size || !meter->known || !meter->expected)
        return false;
    for (int i = 0; i < compared->count; i++)
        if (!compared->exact || compared->exact[i] >= 0)
            meter->known[compared->curve[i]] = true;
    return true;
}

void error_meter_begin(error_meter *meter, double h, double until)
{
    meter->same_time = 1e-9 * h;
    meter->until = until + meter->same_time;
    meter->place = 0;
    meter->outputs = 0;
    meter->is_interpolated = false;
    memset(meter->error, 0, (size_t)meter->curve_count * sizeof *meter->error);
    memset(meter->size, 0, (size_t)meter->curve_count * sizeof *meter->size);
}

/* The reference's values at time t, linear between its outputs; false when it does not reach that far. */
static bool expect_from_run(error_meter *meter, double t)
{
    const carom_series *series = &meter->reference->series;
    while (meter->place + 1 < series->count &&
           carom_series_row(series, meter->place + 1)[0] <= t + meter->same_time)
        meter->place++;
    if (meter->place >= series->count)
        return false;
    const double *row = carom_series_row(series, meter->place);
    const double late = t - row[0];
    const size_t count = (size_t)meter->compared->count;
    if (fabs(late) <= meter->same_time) {
        memcpy(meter->expected, row + 1, count * sizeof *meter->expected);
        return true;
    }
    if (late < 0.0 || meter->place + 1 >= series->count)
        return false;
    const double *next = row + series->layout.width;
    const double part = late / (next[0] - row[0]);
    for (size_t i = 0; i < count; i++)
        meter->expected[i] = row[1 + i] + part * (next[1 + i] - row[1 + i]);
    meter->is_interpolated = true;
    return true;
}

/* The larger one; what is not a number stays so. */
static double larger(double a, double b)
{
    return isnan(b) || b > a ? b : a;
}

static void add_error(error_meter *meter, int curve, double value, double expected)
{
    const double difference = fabs(value - expected);
    meter->size[curve] = fmax(meter->size[curve], fmax(fabs(value), fabs(expected)));
    if (curve != CAROM_CURVE_V)
        meter->error[curve] = larger(meter->error[curve], difference);
    else if (meter->outputs > 0)
        meter->error[curve] += difference;
}

static carom_status compare_row(void *context, const double *row, carom_error *error)
{
    (void)error;
    error_meter *meter = context;
    const compared_values *compared = meter->compared;
    if (row[0] > meter->until || (!compared->exact && !expect_from_run(meter, row[0])))
        return CAROM_OK;
    for (int i = 0; i < compared->count; i++) {
        if (compared->exact && compared->exact[i] < 0)
            continue;
        const double expected = compared->exact ? row[compared->exact[i]] : meter->expected[i];
        add_error(meter, compared->curve[i], row[compared->source[i]], expected);
    }
    meter->outputs++;
    return CAROM_OK;
}

carom_recorder error_meter_recorder(error_meter *meter)
{
    return (carom_recorder){.context = meter, .row = compare_row};
}

double error_meter_error(const error_meter *meter, int curve)
{
    if (!meter->known[curve] || meter->outputs < 2)
        return NAN;
    const double error = meter->error[curve];
    return curve == CAROM_CURVE_V ? error / (double)(meter->outputs - 1) : error;
}

bool error_meter_at_rounding(const error_meter *meter, int curve)
{
    return error_meter_error(meter, curve) <= rounding_level * meter->size[curve];
}
