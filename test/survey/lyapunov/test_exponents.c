/* Exponents of several motions, and motions that go on from a checkpoint: the same bits as without. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "carom/survey/exponents.h"

static const char oscillator[] = "local x = coordinates 'x'\n"
                                 "local w, e, c = param('w', 2.8), param('e', 0.8), param('c', 0.05)\n"
                                 "mass(1)\n"
                                 "potential(x^2 / 2)\n"
                                 "force { x = cos(w * time()) - c * dot(x) }\n"
                                 "contact { 'wall', gap = x, restitution = e }\n"
                                 "initial { x = 0.5 }\n"
                                 "integrate { scheme = 'event-driven', h = 0.05, until_t = 10 }\n";

static carom_experiment *load(void)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_load_request request = {.name = "model", .file = "model.lua", .text = oscillator};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static void assert_same(const carom_lyapunov *a, const carom_lyapunov *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->point_count, b->point_count);
    assert_int_equal(a->impacts, b->impacts);
    assert_memory_equal(a->exponent, b->exponent, (size_t)a->count * sizeof(double));
    assert_memory_equal(a->spread, b->spread, (size_t)a->count * sizeof(double));
    assert_memory_equal(&a->sum, &b->sum, sizeof a->sum);
    assert_memory_equal(&a->divergence, &b->divergence, sizeof a->divergence);
    assert_memory_equal(&a->jumps, &b->jumps, sizeof a->jumps);
    assert_memory_equal(a->point, b->point, (size_t)a->point_count * (size_t)a->count * sizeof(double));
}

/* ---- checkpoints of one motion ------------------------------------------------------------------------------------------ */

typedef struct keeper {
    void *bytes;
    size_t count;
    int saved, asked;
} keeper;

static carom_status save(void *context, const void *bytes, size_t count, carom_error *error)
{
    keeper *self = context;
    (void)error;
    free(self->bytes);
    self->bytes = malloc(count);
    assert_non_null(self->bytes);
    memcpy(self->bytes, bytes, count);
    self->count = count;
    self->saved++;
    return CAROM_OK;
}

/* Interrupts in the middle of the time. */
static bool stops(void *context, double done, double total)
{
    keeper *self = context;
    self->asked++;
    return done < 0.4 * total;
}

static void test_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    static const char *const scheme[] = {"event-driven", "moreau-jean", "generalized-alpha", "penalty"};
    carom_experiment *experiment = load();
    for (size_t i = 0; i < sizeof scheme / sizeof *scheme; i++) {
        carom_lyapunov_request request = {.experiment = experiment,
                                          .scheme = scheme[i],
                                          .h = i == 0 ? 0.05 : 0.005,
                                          .transient = 20.0,
                                          .time = i == 0 ? 400.0 : 150.0};
        carom_lyapunov whole = {0}, part = {0}, rest = {0};
        carom_error error = {0};
        keeper kept = {0};
        if (carom_lyapunov_run(&request, &whole, &error) != CAROM_OK)
            fail_msg("%s: %s", scheme[i], error.text);
        carom_checkpoint checkpoint = {.context = &kept, .seconds = 1e9, .save = save};
        request.checkpoint = &checkpoint;
        request.progress = (carom_progress){.report = stops, .context = &kept};
        assert_int_equal(carom_lyapunov_run(&request, &part, &error), CAROM_INTERRUPTED);
        assert_int_equal(kept.saved, 1);
        assert_true(part.time > 0.0 && part.time < 0.9 * request.time);
        request.progress = (carom_progress){0};
        checkpoint.bytes = kept.bytes;
        checkpoint.count = kept.count;
        assert_int_equal(carom_lyapunov_run(&request, &rest, &error), CAROM_OK);
        assert_same(&whole, &rest);
        carom_lyapunov_free(&part);
        carom_lyapunov_free(&rest);
        /* bytes of another motion: from the start */
        request.transient = 21.0;
        assert_int_equal(carom_lyapunov_run(&request, &rest, &error), CAROM_OK);
        assert_true(rest.transient == 21.0 && rest.time > 0.99 * request.time);
        carom_lyapunov_free(&rest);
        carom_lyapunov_free(&whole);
        free(kept.bytes);
    }
    carom_experiment_free(experiment);
}

/* ---- several motions ------------------------------------------------------------------------------------------------------ */

enum {
    POINTS = 5,
    STARTS = 2
};

typedef struct shelf {
    keeper unit[POINTS * STARTS];
    int stop_after; /* motions; 0: none */
    int ended;
} shelf;

static carom_status put(void *context, int index, const void *bytes, size_t count, carom_error *error)
{
    shelf *self = context;
    self->ended++;
    return save(&self->unit[index], bytes, count, error);
}

static void *get(void *context, int index, size_t *count)
{
    const keeper *unit = &((shelf *)context)->unit[index];
    void *bytes = unit->bytes ? malloc(unit->count) : NULL;
    if (bytes)
        memcpy(bytes, unit->bytes, unit->count);
    *count = unit->count;
    return bytes;
}

static bool stops_after(void *context, double done, double total)
{
    const shelf *self = context;
    assert_true(done <= 1.0001 * total);
    return self->stop_after == 0 || self->ended < self->stop_after;
}

static carom_exponents find(const carom_exponents_request *request, carom_status expected)
{
    carom_exponents all = {0};
    carom_error error = {0};
    const carom_status status = carom_exponents_run(request, &all, &error);
    if (status != expected)
        fail_msg("%s", error.text);
    return all;
}

/* One thread and two, whole and in two parts: the same; each motion that of carom_lyapunov_run. */
static void test_several_motions(void **state)
{
    (void)state;
    carom_experiment *experiment = load();
    carom_exponents_request request = {.motion = {.experiment = experiment, .transient = 30.0, .time = 80.0},
                                       .parameter = "w",
                                       .from = 2.4,
                                       .to = 2.8,
                                       .points = POINTS,
                                       .starts = STARTS,
                                       .threads = 1};
    shelf kept = {.stop_after = 3};
    carom_exponents whole = find(&request, CAROM_OK);
    request.threads = 2;
    request.keep = put;
    request.recall = get;
    request.keep_context = &kept;
    request.progress = (carom_progress){.report = stops_after, .context = &kept};
    carom_exponents part = find(&request, CAROM_INTERRUPTED);
    int done = 0;
    for (int i = 0; i < POINTS * STARTS; i++)
        done += part.point[i].done;
    assert_true(done >= 2 && done < POINTS * STARTS);
    kept.stop_after = 0;
    carom_exponents rest = find(&request, CAROM_OK);
    assert_true(kept.ended < POINTS * STARTS + 6); /* nothing that had ended was kept again */
    for (int i = 0; i < POINTS * STARTS; i++) {
        assert_true(rest.point[i].done && rest.point[i].value == whole.point[i].value);
        assert_same(&whole.point[i].found, &rest.point[i].found);
        free(kept.unit[i].bytes);
    }
    carom_lyapunov one = {0};
    carom_error error = {0};
    experiment->parameter[carom_model_find_parameter(experiment->model, "w")] = 2.5;
    carom_lyapunov_request motion = request.motion;
    motion.points = 1;
    assert_int_equal(carom_lyapunov_run(&motion, &one, &error), CAROM_OK);
    assert_same(&one, &carom_exponents_at(&whole, 1, 0)->found);
    /* another start of the same attractor: both exponents are half the logarithm of e^2 exp(-c T) over T */
    assert_true(fabs(carom_exponents_at(&whole, 1, 1)->found.sum - one.sum) < 5e-3);
    assert_true(carom_exponents_at(&whole, 1, 1)->found.exponent[0] != one.exponent[0]);
    carom_lyapunov_free(&one);
    carom_exponents_free(&whole);
    carom_exponents_free(&part);
    carom_exponents_free(&rest);
    carom_experiment_free(experiment);
}

/* A value at which the motion cannot begin is a row; wrong requests are refused. */
static void test_refusals(void **state)
{
    (void)state;
    carom_experiment *experiment = load();
    carom_exponents_request request = {.motion = {.experiment = experiment, .time = 10.0},
                                       .parameter = "w",
                                       .from = 2.0,
                                       .to = 2.0,
                                       .points = 3};
    carom_exponents all = find(&request, CAROM_BAD_INPUT);
    carom_exponents_free(&all);
    request.to = 3.0;
    request.parameter = "z";
    all = find(&request, CAROM_BAD_INPUT);
    carom_exponents_free(&all);
    request.parameter = "w";
    request.points = 1;
    all = find(&request, CAROM_BAD_INPUT);
    carom_exponents_free(&all);
    request.parameter = NULL;
    request.starts = -1;
    all = find(&request, CAROM_BAD_INPUT);
    carom_exponents_free(&all);
    request.starts = 3;
    request.motion.time = -1.0;
    all = find(&request, CAROM_BAD_INPUT);
    carom_exponents_free(&all);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goes_on_with_the_same_bits),
        cmocka_unit_test(test_several_motions),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
