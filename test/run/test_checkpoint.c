/* A run that goes on from a checkpoint has the same bits as one that never stopped: rows, events, measures, counters; for every
 * experiment of the project, with every scheme that takes its model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"

enum {
    STEPS = 100,
    STOPS = 2,
    DOF_MAX = 24 /* larger models are left to their own tests */
};

static const long stop_after[STOPS] = {1, 61};

typedef struct kept {
    unsigned char *bytes;
    size_t count;
    int resumed;
} kept;

static carom_status save(void *context, const void *bytes, size_t count, carom_error *error)
{
    kept *last = context;
    (void)error;
    free(last->bytes);
    last->bytes = malloc(count);
    assert_non_null(last->bytes);
    memcpy(last->bytes, bytes, count);
    last->count = count;
    return CAROM_OK;
}

static carom_status note_resumed(void *context, carom_error *error)
{
    (void)error;
    ((kept *)context)->resumed++;
    return CAROM_OK;
}

static bool same_number(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_measures(const carom_run_result *a, const carom_run_result *b)
{
    for (int i = 0; i < a->measure_count; i++) {
        const carom_measured *x = &a->measure[i], *y = &b->measure[i];
        if (x->count != y->count ||
            (x->count > 0 && memcmp(x->value, y->value, (size_t)x->count * sizeof(double)) != 0))
            return false;
    }
    return true;
}

static bool same_certificates(const carom_certificate *a, const carom_certificate *b)
{
    return same_number(a->forces, b->forces) && same_number(a->contacts, b->contacts) &&
           same_number(a->joints, b->joints) && same_number(a->scheme, b->scheme) &&
           same_number(a->energy_scale, b->energy_scale) && a->trusted == b->trusted &&
           a->doubts == b->doubts && memcmp(a->doubt, b->doubt, sizeof a->doubt) == 0;
}

static bool same_events(const carom_run_result *a, const carom_run_result *b)
{
    if (a->event_count != b->event_count)
        return false;
    for (size_t i = 0; i < a->event_count; i++) {
        const carom_event *x = &a->event[i], *y = &b->event[i];
        const bool bodies = x->contact < 0;
        if (!same_number(x->t, y->t) || x->kind != y->kind || x->contact != y->contact ||
            (bodies && (x->body[0] != y->body[0] || x->body[1] != y->body[1])) ||
            !same_number(x->rate_before, y->rate_before) || !same_number(x->rate_after, y->rate_after) ||
            !same_number(x->impulse, y->impulse) || !same_number(x->energy_before, y->energy_before) ||
            !same_number(x->energy_after, y->energy_after))
            return false;
    }
    return true;
}

static const char *difference(const carom_run_result *a, const carom_run_result *b)
{
    const size_t row = (size_t)a->layout.width * sizeof(double);
    if (a->status != b->status || a->steps != b->steps || strcmp(a->message, b->message) != 0)
        return "how it ended";
    if (memcmp(a->initial, b->initial, row) != 0 || memcmp(a->final, b->final, row) != 0)
        return "the first or the last row";
    if (a->impacts != b->impacts || !same_number(a->max_penetration, b->max_penetration) ||
        !same_number(a->max_step_gain, b->max_step_gain))
        return "impacts, penetration or gain";
    if (a->counts.steps != b->counts.steps || a->counts.solver_iterations != b->counts.solver_iterations ||
        a->counts.adhesive_impulses != b->counts.adhesive_impulses ||
        !same_number(a->counts.worst_solver_error, b->counts.worst_solver_error))
        return "counts";
    if (a->warnings.count != b->warnings.count ||
        memcmp(a->warnings.text, b->warnings.text, sizeof a->warnings.text) != 0)
        return "warnings";
    if (a->sample_count > 0 && memcmp(a->sample, b->sample, (size_t)a->sample_count * row) != 0)
        return "samples";
    if (!same_certificates(&a->certificate, &b->certificate))
        return "certificates";
    if (!same_events(a, b))
        return "events";
    return same_measures(a, b) ? NULL : "measures";
}

/* Rows of the unbroken run from `first` on are those that came after the stop. */
static const char *row_difference(const carom_series *whole, const carom_series *rest)
{
    const size_t width = (size_t)whole->layout.width;
    if (rest->count > whole->count)
        return "more rows";
    const double *tail = whole->rows + (whole->count - rest->count) * width;
    for (size_t i = 0; i < rest->count * width; i++)
        if (!same_number(tail[i], rest->rows[i]))
            return "rows";
    return NULL;
}

typedef struct outcomes {
    int resumed, begun_anew;
} outcomes;

static void stop_and_go_on(const carom_run_request *whole_request, long steps, const carom_run_result *whole,
                           const carom_series *whole_rows, const char *what, outcomes *tally)
{
    carom_run_request request = *whole_request;
    kept last = {0};
    carom_checkpoint checkpoint = {.context = &last, .seconds = 1e9, .save = save, .resumed = note_resumed};
    carom_run_result result;
    carom_error error = {0};
    carom_series rows = {.layout = whole_rows->layout};
    request.recorder_count = 0;
    request.max_steps = steps;
    request.checkpoint = &checkpoint;
    const carom_status stopped = carom_run(&request, &result, &error);
    carom_run_result_free(&result);
    if (stopped == CAROM_OK) {
        const carom_recorder recorder = carom_series_recorder(&rows);
        checkpoint.save = NULL;
        checkpoint.bytes = last.bytes;
        checkpoint.count = last.count;
        request.max_steps = whole_request->max_steps;
        request.recorder_count = 1;
        request.recorder = &recorder;
        carom_run(&request, &result, &error);
        const char *different = difference(whole, &result);
        different = different ? different : row_difference(whole_rows, &rows);
        if (different)
            fail_msg("%s, stopped after %ld steps: %s differ", what, steps, different);
        tally->resumed += last.resumed;
        tally->begun_anew += !last.resumed;
        assert_int_equal(result.steps_resumed,
                         last.resumed ? (steps < whole->steps ? steps : whole->steps) : 0);
        carom_run_result_free(&result);
        carom_series_free(&rows);
    }
    free(last.bytes);
}

static void check_scheme(const carom_experiment *experiment, const carom_scheme_ops *scheme, outcomes *tally)
{
    double sample[] = {0.0, 0.0};
    carom_run_request request = {.experiment = experiment,
                                 .scheme = scheme->name,
                                 .max_steps = STEPS,
                                 .record_every = 3,
                                 .events = true};
    double t0, until;
    carom_error error = {0};
    if (carom_scheme_accepts(scheme, experiment->model, &error) != CAROM_OK ||
        carom_run_times(&request, &t0, &until, &error) != CAROM_OK)
        return;
    sample[0] = t0 + 0.01 * (until - t0);
    request.sample_count = 2;
    request.sample_time = sample;
    carom_series rows = {.layout = carom_row_layout_of(experiment)};
    const carom_recorder recorder = carom_series_recorder(&rows);
    carom_run_result whole;
    request.recorder_count = 1;
    request.recorder = &recorder;
    char what[300];
    snprintf(what, sizeof what, "%s with %s", experiment->name, scheme->name);
    const carom_status status = carom_run(&request, &whole, &error);
    /* Slow ones only where a scheme has no others. */
    const bool slow = tally->resumed > 0 && whole.wall_seconds > 0.1;
    for (int i = 0; !slow && (status == CAROM_OK || status == CAROM_FAILED) && i < STOPS; i++)
        if (stop_after[i] < whole.steps)
            stop_and_go_on(&request, stop_after[i], &whole, &rows, what, tally);
    carom_run_result_free(&whole);
    carom_series_free(&rows);
}

/* Schemes that say how they are kept do go on. */
static void check_experiment(const char *file, outcomes tallies[], int *structures)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.file = file}, &experiment, &error) != CAROM_OK)
        return;
    const bool structure = !experiment->study && experiment->model->ops->structure;
    *structures += structure;
    if (!experiment->study && experiment->study_count == 0 &&
        (structure ? *structures == 1 : experiment->model->dof <= DOF_MAX))
        for (size_t i = 0; i < carom_scheme_count(); i++)
            check_scheme(experiment, carom_scheme_at(i), &tallies[i]);
    carom_experiment_free(experiment);
}

static void every_experiment_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    glob_t files;
    outcomes tallies[64] = {0};
    int structures = 0; /* one beam is enough */
    assert_int_equal(glob(CAROM_SOURCE_DIR "/experiments/*/*.lua", 0, NULL, &files), 0);
    assert_true(carom_scheme_count() <= 64);
    for (size_t i = 0; i < files.gl_pathc; i++)
        check_experiment(files.gl_pathv[i], tallies, &structures);
    globfree(&files);
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        print_message("%s: %d go on, %d begin anew\n", scheme->name, tallies[i].resumed,
                      tallies[i].begun_anew);
        if (scheme->keep)
            assert_true(tallies[i].resumed > 0);
    }
}

/* ---- wide matrices ------------------------------------------------------------------------------------ */

/* A net of masses between walls: its matrices are no bands, and pivots of their factors depend on those before. */
static const char net[] = "local side, varied, rubs = 18, setting { 'varied', 0 }, setting { 'rubs', 0 }\n"
                          "local w, s, T, V, start = {}, {}, 0, 0, {}\n"
                          "for i = 1, side * side do\n"
                          "  w[i] = coordinates('w' .. i)\n"
                          "  T = T + (1 + varied * w[i]^2) * dot(w[i])^2 / 2\n"
                          "  V = V + w[i]^2\n"
                          "  start[dot(w[i])] = math.sin(7 * i)\n"
                          "  local function link(j)\n"
                          "    V = V + 20 * (w[i] - w[j])^2 + 3000 * (w[i] - w[j])^4\n"
                          "    if varied > 0 then T = T + dot(w[i]) * dot(w[j]) / 8 end\n"
                          "  end\n"
                          "  if i > side then link(i - side) end\n"
                          "  if i % side ~= 1 then link(i - 1) end\n"
                          "  if rubs > 0 and i > 1 then contact { 'wall' .. i, gap = w[i] + 0.02, slip = "
                          "dot(w[i - 1]), friction = 0.3 }\n"
                          "  else contact { 'wall' .. i, gap = w[i] + 0.02 } end\n"
                          "end\n"
                          "kinetic(T) potential(V) initial(start)\n"
                          "integrate { scheme = 'moreau-jean', h = 2e-3, until_t = 0.2 }\n";

static void check_net(const char *scheme, const char *varied, const char *rubs)
{
    char name[2][8] = {"varied", "rubs"}, value[2][8];
    snprintf(value[0], sizeof value[0], "%s", varied);
    snprintf(value[1], sizeof value[1], "%s", rubs);
    const carom_override set[] = {{name[0], value[0]}, {name[1], value[1]}};
    const carom_load_request load = {.file = "net.lua", .text = net, .override_count = 2, .override = set};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&load, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    outcomes tally = {0};
    check_scheme(experiment, carom_scheme_find(scheme, &error), &tally);
    print_message("a net with %s: %d go on, %d begin anew\n", scheme, tally.resumed, tally.begun_anew);
    assert_int_equal(tally.begun_anew, 0);
    assert_true(tally.resumed > 0);
    carom_experiment_free(experiment);
}

static void wide_matrices_go_on_with_the_same_bits(void **state)
{
    (void)state;
    check_net("moreau-jean", "0", "0");
    check_net("moreau-jean", "0.5", "0");
    check_net("moreau-jean", "0", "1");
    check_net("moreau-friction", "0", "1");
    check_net("inel", "0", "0");
    check_net("sweeping", "0.5", "0");
    check_net("paoli-schatzman", "0.5", "0");
    check_net("generalized-alpha", "0", "0");
    check_net("generalized-alpha", "0.5", "0");
}

/* ---- bodies ------------------------------------------------------------------------------------------- */

/* Discs that rest, roll, slide and fall upon each other, and one that hangs: pairs that touch at a stop go on touching. */
static const char discs[] =
    "world { gravity = { 0, -9.81 } }\n"
    "pair { friction = 0.4, restitution = 0.2 }\n"
    "local floor = fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
    "for i = 1, 5 do\n"
    "  body { 'low' .. i, shape = disc { 0.05 }, density = 1000, at = { 0.11 * i, 0.05 }, velocity = { 0.1 * "
    "i, 0 } }\n"
    "  body { 'high' .. i, shape = disc { 0.03 }, density = 1000, at = { 0.11 * i + 0.02, 0.2 } }\n"
    "end\n"
    "local bob = body { 'bob', shape = box { 0.02, 0.3 }, density = 1000, at = { 1.0, 0.2 } }\n"
    "hinge { 'pin', floor, bob, at = { 1.0, 0.34 } }\n"
    "integrate { h = 2e-3, until_t = 0.2 }\n"
    "measure { hits = count(impact()), ends = count(release()), rests = count(sticking()) }\n";

static void events_of_bodies_go_on(void **state)
{
    (void)state;
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_load_request load = {.file = "discs.lua", .text = discs};
    if (carom_experiment_load(&load, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    outcomes tally = {0};
    check_scheme(experiment, carom_scheme_find("moreau-jean", &error), &tally);
    assert_int_equal(tally.resumed, STOPS);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_bodies_go_on),
        cmocka_unit_test(wide_matrices_go_on_with_the_same_bits),
        cmocka_unit_test(every_experiment_goes_on_with_the_same_bits),
    };
    carom_run_reproducibly();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
