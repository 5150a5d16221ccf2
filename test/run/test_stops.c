/* stop { when = ... }: a ball that falls from y = 1 with g = 9.81, and bounces with e = 0.8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"
#include "test/near.h"

#define BALL                                                                                                 \
    "local y = coordinates('y')\n"                                                                           \
    "mass(1)\n"                                                                                              \
    "potential(9.81 * y)\n"                                                                                  \
    "contact { 'floor', gap = y, restitution = 0.8 }\n"                                                      \
    "initial { y = 1 }\n"                                                                                    \
    "integrate { h = 0.01, until_t = 2 }\n"

static const double g = 9.81;

static carom_run_result run_ball(const char *stop, const char *scheme, carom_run_request request)
{
    char script[1000];
    snprintf(script, sizeof script, BALL "%s\nmeasure { t = final(time()), top = maximum(time()) }\n", stop);
    carom_experiment *experiment = load_good_text(script);
    carom_run_result result;
    carom_error error;
    request.experiment = experiment;
    request.scheme = scheme;
    carom_run(&request, &result, &error);
    assert_non_null(result.final);
    assert_near(result.measure[0].value[0], result.t_end, 0.0);
    assert_near(result.measure[1].value[0], result.t_end, 0.0); /* measures have the outputs up to there */
    carom_experiment_free(experiment);
    return result;
}

static void check_stopped(const carom_run_result *result, const char *name)
{
    assert_int_equal(result->status, CAROM_OK);
    assert_string_equal(result->word, "stopped");
    assert_non_null(strstr(result->message, name));
    assert_string_equal(result->certificate.stop, name);
    assert_near(result->certificate.stop_time, result->t_end, 0.0);
    assert_true(result->certificate.trusted);
}

static void test_known_to_the_step(void **unused)
{
    (void)unused;
    const double when = sqrt(2 * 0.7 / g);
    for (double h = 0.02; h > 1e-3; h /= 2) {
        carom_run_result result =
            run_ball("stop { 'down', when = 0.3 - y }", "moreau-jean", (carom_run_request){.h = h});
        check_stopped(&result, "down");
        assert_true(result.t_end > when && result.t_end <= when + h);
        assert_near(result.t_end, (double)result.steps * h, 1e-12);
        carom_run_result_free(&result);
    }
}

static void test_located(void **unused)
{
    (void)unused;
    for (double h = 0.5; h > 1e-3; h /= 10) {
        carom_run_result result =
            run_ball("stop { 'down', when = 0.3 - y }", "event-driven", (carom_run_request){.h = h});
        check_stopped(&result, "down");
        assert_near(result.t_end, sqrt(2 * 0.7 / g), 1e-11);
        assert_near(result.final[result.layout.q], 0.3, 1e-11);
        carom_run_result_free(&result);
    }
}

/* An impact makes the condition jump: the run ends at the impact, after it. The first of several counts. */
static void test_jumps(void **unused)
{
    (void)unused;
    carom_run_result result = run_ball("stop { when = time() - 0.46 }\nstop { 'up', when = dot(y) - 1 }",
                                       "event-driven", (carom_run_request){0});
    check_stopped(&result, "up");
    assert_near(result.t_end, sqrt(2 / g), 1e-11);
    assert_near(result.final[result.layout.v], 0.8 * sqrt(2 * g), 1e-10);
    assert_int_equal(result.impacts, 1);
    carom_run_result_free(&result);
    result = run_ball("stop { when = time() - 0.44 }\nstop { 'up', when = dot(y) - 1 }", "event-driven",
                      (carom_run_request){0});
    check_stopped(&result, "stop-1");
    assert_near(result.t_end, 0.44, 1e-12);
    carom_run_result_free(&result);
}

/* What only outputs have ends a run at an output, in schemes that locate, too. */
static void test_impulses(void **unused)
{
    (void)unused;
    static const char *const scheme[] = {"event-driven", "moreau-jean"};
    for (int i = 0; i < 2; i++) {
        carom_run_result result =
            run_ball("stop { 'hit', when = impulse 'floor' - 1e-9 }", scheme[i], (carom_run_request){0});
        check_stopped(&result, "hit");
        assert_near(result.t_end, 0.46, 1e-12);
        carom_run_result_free(&result);
    }
    carom_run_result result =
        run_ball("stop { 'rough', when = acceleration(y) - 100 }", "moreau-jean", (carom_run_request){0});
    check_stopped(&result, "rough");
    assert_near(result.t_end, 0.46, 1e-12);
    carom_run_result_free(&result);
}

static void test_start_and_end(void **unused)
{
    (void)unused;
    static const char *const scheme[] = {"event-driven", "moreau-jean"};
    for (int i = 0; i < 2; i++) {
        carom_run_result result = run_ball("stop { 'now', when = y }", scheme[i], (carom_run_request){0});
        check_stopped(&result, "now");
        assert_int_equal(result.steps, 0);
        carom_run_result_free(&result);
        result = run_ball("stop { 'never', when = y - 1 }", scheme[i], (carom_run_request){.until = 1.0});
        assert_string_equal(result.word, "ok");
        assert_string_equal(result.message, "");
        assert_string_equal(result.certificate.stop, "");
        assert_near(result.t_end, 1.0, 1e-12);
        carom_run_result_free(&result);
        result = run_ball("stop { when = 0.3 - y }", scheme[i],
                          (carom_run_request){.until = 1.0, .no_stop = true});
        assert_string_equal(result.word, "ok");
        assert_near(result.t_end, 1.0, 1e-12);
        carom_run_result_free(&result);
    }
}

/* A condition without a value would never stop anything: that is told. */
static void test_no_number(void **unused)
{
    (void)unused;
    static const char *const scheme[] = {"event-driven", "moreau-jean"};
    for (int i = 0; i < 2; i++) {
        carom_run_result result =
            run_ball("stop { 'odd', when = sqrt(y - 0.5) - 2 }", scheme[i], (carom_run_request){0});
        assert_int_equal(result.status, CAROM_FAILED);
        assert_true(result.t_end < sqrt(2 * 0.5 / g) + 0.01 + 1e-9);
        carom_run_result_free(&result);
    }
    carom_run_result result =
        run_ball("stop { 'odd', when = sqrt(y - 0.5) - 2 }", "moreau-jean", (carom_run_request){0});
    assert_non_null(strstr(result.message, "the condition of stop 'odd' (line 7) is not a number"));
    carom_run_result_free(&result);
}

/* ---- a run that goes on ------------------------------------------------------------------------------- */

typedef struct kept {
    long saved, wanted; /* the checkpoint that is kept; 0: the last */
    unsigned char bytes[20000];
    size_t count;
} kept;

static carom_status save(void *context, const void *bytes, size_t count, carom_error *error)
{
    (void)error;
    kept *self = context;
    if (self->wanted > 0 && ++self->saved != self->wanted)
        return CAROM_OK;
    assert_true(count <= sizeof self->bytes);
    memcpy(self->bytes, bytes, count);
    self->count = count;
    return CAROM_OK;
}

static void test_resumes(void **unused)
{
    (void)unused;
    static kept keeper;
    for (long wanted = 0; wanted < 30; wanted += 10) {
        keeper = (kept){.wanted = wanted};
        carom_checkpoint checkpoint = {.context = &keeper, .save = save};
        carom_run_result all = run_ball("stop { 'down', when = 0.3 - y }", "moreau-jean",
                                        (carom_run_request){.checkpoint = &checkpoint});
        checkpoint = (carom_checkpoint){.bytes = keeper.bytes, .count = keeper.count};
        carom_run_result rest = run_ball("stop { 'down', when = 0.3 - y }", "moreau-jean",
                                         (carom_run_request){.checkpoint = &checkpoint});
        check_stopped(&rest, "down");
        assert_int_equal(rest.steps_resumed, wanted > 0 ? wanted : all.steps);
        assert_int_equal(rest.steps, all.steps);
        assert_memory_equal(rest.final, all.final, (size_t)all.layout.width * sizeof(double));
        carom_run_result_free(&all);
        carom_run_result_free(&rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_to_the_step),
        cmocka_unit_test(test_located),
        cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_impulses),
        cmocka_unit_test(test_start_and_end),
        cmocka_unit_test(test_no_number),
        cmocka_unit_test(test_resumes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
