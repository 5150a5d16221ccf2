/* For tests: loading model scripts from text, and one script that uses every statement. */
#ifndef CAROM_TEST_IO_LUA_SCRIPTS_H
#define CAROM_TEST_IO_LUA_SCRIPTS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"

static const char script_name[] = "model.lua";

/* Every statement, reducer and layer once. */
static const char complete_script[] =
    "experiment { title = 'complete', source = 'nowhere', doc = 'uses every statement' }\n"
    "local e  = param { 'e', 0.5, doc = 'restitution', unit = '-', min = 0, max = 1 }\n"
    "local mu = param('mu', 0.25, 'friction')\n"
    "local h  = param { 'h', 0.01, min = 1e-9 }\n"
    "local k  = param { 'k', 3, integer = true }\n"
    "local n  = setting { 'n', 3, integer = true, min = 1, max = 100, doc = 'springs' }\n"
    "local shape = setting { 'shape', 'flat', choices = { 'flat', 'steep' } }\n"
    "variant { 'bouncy', doc = 'more restitution', e = 0.9, n = 5 }\n"
    "variant { 'steep', shape = 'steep', family = { mu = { 0, 1 } } }\n"
    "variant { 'alone', family = false }\n"
    "family  { e = { 0.1, 0.2, 0.3 }, scheme = { 'inel', 'elast', 'moreau-jean' } }\n"
    "local x, y = coordinates('x', 'y')\n"
    "kinetic   (dot(x)^2 / 2)\n"
    "kinetic   (dot(y)^2 / 2)\n"
    "for i = 1, n do potential(k * (x - i)^2 / 2) end\n"
    "potential (9.81 * y)\n"
    "force     { x = -dot(x), [y] = 0.1 * time() }\n"
    "force     { y = 1 }\n"
    "local slope = shape == 'steep' and 2 or 0.5\n"
    "contact   { 'floor', gap = y - slope * x, slip = dot(x) + slope * dot(y), restitution = e, friction = "
    "mu }\n"
    "contact   { 'wall', gap = x + 10, slip = { dot(y) }, friction = { static = 0.5, dynamic = mu } }\n"
    "initial   { x = 0, [y] = 2 * k, [dot(x)] = 1, gap_tolerance = 1e-6 }\n"
    "integrate { scheme = 'moreau-jean', h = h, until_t = 2 * k, from_t = 0.5, theta = 0.5 }\n"
    "record    { height = y, energy = energy(), reach = max(x, y), distance = gap 'floor' }\n"
    "record    { push = impulse 'floor', rub = impulse('floor', 1) }\n"
    "measure   { last_height = y, top = maximum(y), low = minimum(y, { from = 1, to = 2 }), middle = "
    "mean(x),\n"
    "            size = rms(x), spread = deviation(x), turn = final(unwrap(atan2(y, x))) }\n"
    "measure   { a_now = at(x, 0.7), a_some = at(x, { 0.1, h, 0.3 }), a_many = at(y, every(h * 10)),\n"
    "            zeros = crossings(x), tops = peaks(y) }\n"
    "measure   { shocks = times(impact 'floor'), number = count(impact()), start = first(touching 'wall'),\n"
    "            stop = last(release 'floor'), part = fraction(sticking 'floor', { from = 1 }) }\n"
    "plot { 'simple', x = time(), y = y, xlabel = 'time', family = true }\n"
    "plot { 'pair', x = x, y = { y, dot(y), 2 * y } }\n"
    "plot { 'layers', title = 'layers', equal = true, xrange = { 0, 2 * k }, yrange = { -1, 1 },\n"
    "       line { x, y, label = 'path', style = 'dashed' }, points { x = x, y = y, every = h, numbered = "
    "true },\n"
    "       segments { x, y, x + 1, y + 1, from = 1, to = 2 }, outline { { 0, 0 }, { k, 1 }, label = 'edge' "
    "},\n"
    "       circle { 0, 1, 2 * k } }\n"
    "plot { 'panels', columns = 2, panel { title = 'one', line { x, y } },\n"
    "       panel { xlabel = 'x', points { y, x, style = 'cross' }, line { time(), x } } }\n"
    "plot { 'steep-only', only = { 'steep' }, x = x, y = y }\n"
    "print('loaded', n, x, k * 2)\n";

/* What a script that never ends may take; 0: the default. Tests of many such scripts take less. */
static long script_instructions;

static inline carom_status load_text(const char *text, carom_experiment **experiment, carom_error *error)
{
    const carom_load_request request = {
        .name = "test", .file = script_name, .text = text, .max_instructions = script_instructions};
    return carom_experiment_load(&request, experiment, error);
}

static inline carom_experiment *load_good(const carom_load_request *request)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_non_null(experiment);
    return experiment;
}

static inline carom_experiment *load_good_text(const char *text)
{
    const carom_load_request request = {.name = "test", .file = script_name, .text = text};
    return load_good(&request);
}

/* The experiment's values with its current parameters; the caller frees them. */
static inline double *values_of(const carom_experiment *experiment)
{
    double *work = calloc(carom_tape_work_size(experiment->values), sizeof *work);
    double *value = calloc((size_t)carom_tape_outputs(experiment->values) + 1, sizeof *value);
    carom_tape_bind(experiment->values, experiment->parameter, work);
    carom_tape_evaluate(experiment->values, work, &(carom_inputs){0}, value);
    free(work);
    return value;
}

/* The energy at one point, as rows of a run have it; NAN where the point is not a whole state. */
static inline double energy_at(const carom_experiment *experiment, const carom_inputs *inputs)
{
    carom_model_work *work = NULL;
    carom_error error = {0};
    if (!inputs->q || !inputs->u ||
        carom_model_work_create(experiment->model, experiment->parameter, &work, &error) != CAROM_OK)
        return NAN;
    const double energy = experiment->model->ops->energy(work, inputs->t, inputs->q, inputs->u);
    carom_model_work_free(work);
    return energy;
}

/* All columns of the record at one point; the caller frees them. */
static inline double *columns_of(const carom_experiment *experiment, const carom_inputs *given)
{
    const double observed = given->observed ? NAN : energy_at(experiment, given);
    carom_inputs at = *given;
    const carom_inputs *inputs = &at;
    if (!at.observed)
        at.observed = &observed;
    double *work = calloc(carom_tape_work_size(experiment->observe), sizeof *work);
    double *value = calloc((size_t)experiment->column_count + 1, sizeof *value);
    carom_tape_bind(experiment->observe, experiment->parameter, work);
    carom_tape_evaluate(experiment->observe, work, inputs, value);
    free(work);
    return value;
}

static inline int column_named(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->named_columns; i++)
        if (strcmp(experiment->column[i], name) == 0)
            return i;
    fail_msg("no column '%s'", name);
    return -1;
}

/* The text must be refused; its message must name the file, the line when it is > 0, and the two words. */
static inline void check_refused(const char *text, int line, const char *word, const char *cure)
{
    carom_experiment *experiment = (carom_experiment *)&line;
    carom_error error = {0};
    const carom_status status = load_text(text, &experiment, &error);
    if (status == CAROM_OK)
        carom_experiment_free(experiment);
    if (status != CAROM_BAD_INPUT)
        fail_msg("status %s of: %s", carom_status_word(status), text);
    assert_null(experiment);
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    char place[64];
    snprintf(place, sizeof place, line > 0 ? "%s:%d: " : "%s", script_name, line);
    const char *const wanted[] = {place, word, cure};
    for (int i = 0; i < 3; i++)
        if (wanted[i] && !strstr(error.text, wanted[i]))
            fail_msg("the message\n  %s\ndoes not hold '%s'; script:\n%s", error.text, wanted[i], text);
}

/* A script of studies that is refused, while it is read or when it computes. */
static inline void check_study_refused(const char *text, int line, const char *word, const char *cure)
{
    char all[4000];
    snprintf(all, sizeof all, "%s\nmeasure { one = 1 }\n", text);
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    carom_status status = load_text(all, &experiment, &error);
    if (status == CAROM_OK)
        status = carom_experiment_compute(experiment, (carom_progress){0}, &error);
    carom_experiment_free(experiment);
    if (status != CAROM_BAD_INPUT)
        fail_msg("status %s of: %s", carom_status_word(status), text);
    char place[64];
    snprintf(place, sizeof place, "%s:%d: ", script_name, line);
    const char *const wanted[] = {place, word, cure};
    for (int i = 0; i < 3; i++)
        if (wanted[i] && !strstr(error.text, wanted[i]))
            fail_msg("the message\n  %s\ndoes not hold '%s'; script:\n%s", error.text, wanted[i], text);
}

/* A script of studies that asserts things about its own numbers: it runs inside compute(...). */
static inline void check_computes(const char *before, const char *text)
{
    char all[8000];
    snprintf(all, sizeof all, "compute(function()\n%s%s\nend)\nmeasure { one = 1 }\n", before, text);
    carom_experiment *experiment = load_good_text(all);
    carom_error error = {0};
    if (carom_experiment_compute(experiment, (carom_progress){0}, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_experiment_free(experiment);
}

#endif
