/* Motions step by step: the bits of runs, other states, inputs against closed forms, snapshots; all schemes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "carom/run/stepping.h"
#include "test/near.h"

static carom_experiment *load(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.file = "model.lua", .text = text}, &experiment,
                              &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static carom_stepping *begin(const carom_run_request *request)
{
    carom_stepping *motion = NULL;
    carom_error error = {0};
    if (carom_stepping_create(request, &motion, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return motion;
}

static void run(carom_stepping *motion, long count)
{
    long done = 0;
    carom_error error = {0};
    if (carom_stepping_run(motion, count, (carom_progress){0}, &done, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(done, count);
}

#define BALL                                                                                                 \
    "local y = coordinates('y')\nlocal u = input('u', 0)\nmass(1) potential(10 * y) force { y = u }\n"       \
    "contact { 'floor', gap = y }\ninitial { y = 1 }\nintegrate { scheme = 'moreau-jean', h = 1e-3, "        \
    "until_t = 1 }\n"
#define PENDULUM                                                                                             \
    "local x, y = coordinates('x', 'y')\nlocal u = input('u', 0)\nkinetic((dot(x)^2 + dot(y)^2) / 2)\n"      \
    "potential(10 * y) force { x = u }\njoint { 'rod', x^2 + y^2 - 1 }\ninitial { x = 1 }\n"                 \
    "integrate { scheme = 'generalized-alpha', h = 1e-3, until_t = 1 }\n"
#define SLED                                                                                                 \
    "local x = coordinates('x')\nlocal u = input('u', 3)\nmass(1) force { x = u - x }\n"                     \
    "friction_force { 'rub', slip = dot(x), bound = 0.5 }\n"                                                 \
    "integrate { scheme = 'dai-theta', h = 1e-3, until_t = 1 }\n"
#define BEAM                                                                                                 \
    "local u = input('u', 0)\nbeam { 'w', length = 1, elements = 6, k2 = 0.01, left = 'clamped', right = "   \
    "'free',\n"                                                                                              \
    "  forces = { { x = 1, value = u * cos(time()) } }, stops = { { 'stop', x = 1, lower = -0.02 } } }\n"    \
    "integrate { scheme = 'newmark-contact', h = 1e-3, until_t = 1 }\n"
#define BLOCK                                                                                                \
    "world { gravity = { 0, 0, -10 } }\npair { friction = 0.5 }\nlocal u = input('u', 0)\n"                  \
    "local b = body { 'block', shape = box { 1, 1, 1 }, density = 1, at = { 0, 0, 0.5 } }\n"                 \
    "fixed { 'floor', shape = plane { normal = { 0, 0, 1 }, offset = 0 } }\nforce { b, { u, 0, 0 } }\n"      \
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n"

static const char *const models[] = {BALL, PENDULUM, SLED, BEAM, BLOCK};
enum {
    MODELS = sizeof models / sizeof *models
};

/* Some say only at the start what they cannot treat. */
static bool takes(const carom_scheme_ops *scheme, const carom_experiment *experiment)
{
    carom_stepping *motion = NULL;
    const carom_status status = carom_stepping_create(
        &(carom_run_request){.experiment = experiment, .scheme_ops = scheme}, &motion, NULL);
    carom_stepping_free(motion);
    return status == CAROM_OK;
}

/* Calls `visit` for every model with every scheme that takes it. */
static void for_all(void (*visit)(const carom_experiment *experiment, const char *scheme))
{
    int pairs = 0;
    for (int m = 0; m < MODELS; m++) {
        carom_experiment *experiment = load(models[m]);
        for (size_t i = 0; i < carom_scheme_count(); i++)
            if (takes(carom_scheme_at(i), experiment)) {
                visit(experiment, carom_scheme_at(i)->name);
                pairs++;
            }
        carom_experiment_free(experiment);
    }
    assert_true(pairs >= 16);
}

/* ---- steps -------------------------------------------------------------------------------------------- */

static void has_bits_of_run(const carom_experiment *experiment, const char *scheme)
{
    const carom_run_request request = {.experiment = experiment, .scheme = scheme};
    carom_stepping *motion = begin(&request);
    carom_run_result result;
    carom_error error = {0};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
    run(motion, 1000);
    const carom_model *model = experiment->model;
    assert_memory_equal(motion->q, result.final + result.layout.q,
                        (size_t)carom_model_positions(model) * sizeof(double));
    assert_memory_equal(motion->v, result.final + result.layout.v, (size_t)model->dof * sizeof(double));
    assert_true(motion->stepper->state.t == result.final[0]);
    assert_true(motion->q == motion->stepper->state.q && motion->v == motion->stepper->state.v);
    carom_run_result_free(&result);
    carom_stepping_free(motion);
}

static void test_steps_have_the_bits_of_a_run(void **unused)
{
    (void)unused;
    for_all(has_bits_of_run);
}

/* ---- other states ------------------------------------------------------------------------------------- */

static int input_of(const carom_experiment *experiment)
{
    return carom_model_find_parameter(experiment->model, "u");
}

/* After a set the motion is that of a stepper that begins there. */
static void begins_anew(const carom_experiment *experiment, const char *scheme)
{
    const carom_run_request request = {.experiment = experiment, .scheme = scheme};
    carom_stepping *motion = begin(&request), *fresh = begin(&request);
    const int dof = experiment->model->dof;
    double *q = carom_new_array((size_t)dof + 8, sizeof *q), *v = carom_new_array((size_t)dof, sizeof *v);
    memcpy(q, motion->q, (size_t)carom_model_positions(experiment->model) * sizeof *q);
    const double *const place = motion->q;
    run(motion, 137);
    carom_error error = {0};
    assert_int_equal(carom_stepping_set(motion, 0.0, q, v, &error), CAROM_OK);
    assert_true(motion->q == place);
    run(motion, 60);
    run(fresh, 60);
    assert_memory_equal(motion->q, fresh->q, (size_t)dof * sizeof(double));
    assert_memory_equal(motion->v, fresh->v, (size_t)dof * sizeof(double));
    free(q);
    free(v);
    carom_stepping_free(motion);
    carom_stepping_free(fresh);
}

static void test_a_state_that_is_set_is_a_start(void **unused)
{
    (void)unused;
    for_all(begins_anew);
}

static void test_a_state_that_cannot_be_set_changes_nothing(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load(BALL);
    for (int k = 0; k < 2; k++) {
        const carom_run_request request = {.experiment = experiment,
                                           .scheme = k ? "generalized-alpha" : "moreau-jean"};
        carom_stepping *motion = begin(&request), *other = begin(&request);
        run(motion, 100);
        carom_error error = {0};
        const double inside = -0.5, wrong = NAN;
        if (k) /* a start that penetrates is refused */
            assert_int_equal(carom_stepping_set(motion, NAN, &inside, NULL, &error), CAROM_BAD_INPUT);
        assert_int_equal(carom_stepping_set(motion, NAN, &wrong, NULL, &error), CAROM_BAD_INPUT);
        assert_int_equal(carom_stepping_set(motion, INFINITY, NULL, NULL, &error), CAROM_BAD_INPUT);
        run(motion, 50);
        run(other, 150);
        assert_true(motion->q[0] == other->q[0] && motion->v[0] == other->v[0]);
        carom_stepping_free(motion);
        carom_stepping_free(other);
    }
    carom_experiment_free(experiment);
}

/* ---- snapshots ---------------------------------------------------------------------------------------- */

/* Inputs that change, here and there before and after the snapshot; one that is given but not yet taken belongs to it. */
static void restores_bits(const carom_experiment *experiment, const char *scheme)
{
    const carom_run_request request = {.experiment = experiment, .scheme = scheme};
    carom_stepping *motion = begin(&request), *other = begin(&request);
    const int u = input_of(experiment), dof = experiment->model->dof;
    carom_error error = {0};
    carom_snapshot snapshot;
    double *q = carom_new_array((size_t)dof, sizeof *q);
    run(motion, 40);
    motion->input[u] = 1.25;
    run(motion, 70);
    motion->input[u] = -0.5;
    assert_int_equal(carom_stepping_save(motion, &snapshot, &error), CAROM_OK);
    for (int round = 0; round < 3; round++) {
        carom_stepping *back = round < 2 ? motion : other;
        if (round > 0)
            assert_int_equal(carom_stepping_restore(back, snapshot.bytes, snapshot.length, &error), CAROM_OK);
        assert_true(back->input[u] == -0.5);
        run(back, 300);
        back->input[u] = 2.0;
        run(back, 100);
        if (round == 0)
            memcpy(q, back->q, (size_t)dof * sizeof *q);
        assert_memory_equal(back->q, q, (size_t)dof * sizeof *q);
    }
    carom_snapshot_free(&snapshot);
    free(q);
    carom_stepping_free(motion);
    carom_stepping_free(other);
}

static void test_restored_motions_have_the_same_bits(void **unused)
{
    (void)unused;
    for_all(restores_bits);
}

static void test_states_of_others_are_refused(void **unused)
{
    (void)unused;
    carom_experiment *ball = load(BALL), *sled = load(SLED);
    const carom_run_request request = {.experiment = ball};
    carom_stepping *motion = begin(&request),
                   *other[] = {begin(&(carom_run_request){.experiment = sled}),
                               begin(&(carom_run_request){.experiment = ball, .h = 2e-3}),
                               begin(&(carom_run_request){.experiment = ball, .scheme = "inel"})};
    carom_error error = {0};
    run(motion, 10);
    const double before = motion->q[0];
    for (int k = 0; k < 3; k++) {
        carom_snapshot snapshot;
        assert_int_equal(carom_stepping_save(other[k], &snapshot, &error), CAROM_OK);
        assert_int_equal(carom_stepping_restore(motion, snapshot.bytes, snapshot.length, &error),
                         CAROM_BAD_INPUT);
        carom_snapshot_free(&snapshot);
        carom_stepping_free(other[k]);
    }
    assert_int_equal(carom_stepping_restore(motion, "no state at all", 15, &error), CAROM_BAD_INPUT);
    assert_true(motion->q[0] == before);
    carom_stepping_free(motion);
    carom_experiment_free(ball);
    carom_experiment_free(sled);
}

/* ---- inputs ------------------------------------------------------------------------------------------- */

/* A ball in flight under a thrust that changes at every tenth step: the velocity is the sum of the impulses, whatever the
 * scheme remembers. */
static void test_inputs_act_from_the_next_step_on(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load(BALL);
    const double h = 1e-3;
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        if (!takes(scheme, experiment))
            continue;
        carom_stepping *motion =
            begin(&(carom_run_request){.experiment = experiment, .scheme = scheme->name});
        const int u = input_of(experiment);
        double v = 0.0, y = 1.0, late = 0.0;
        for (int k = 0; k < 20; k++) {
            const double thrust = k % 2 ? 17.0 : 5.0 - k, span = 10.0 * h;
            motion->input[u] = thrust;
            run(motion, 10);
            y += span * v + 0.5 * span * span * (thrust - 10.0);
            v += span * (thrust - 10.0);
            if (k == 0 && strcmp(scheme->name, "paoli-schatzman") == 0)
                late = -h * (thrust - 10.0); /* its first step has no force */
            assert_near(motion->v[0], v + late, 1e-12);
            assert_near(motion->q[0], y,
                        h * 17.0 * (k + 1) * span); /* h a t: some positions are of first order */
        }
        carom_stepping_free(motion);
    }
    carom_experiment_free(experiment);
}

/* Of second order where the scheme is: an input that follows a sine, given at the middle of each step. */
static void test_inputs_keep_the_order_of_the_scheme(void **unused)
{
    (void)unused;
    static const char *const scheme[] = {"moreau-jean", "generalized-alpha", "event-driven"};
    carom_experiment *experiment = load(
        "local x = coordinates('x')\nlocal u = input('u', 0)\nmass(1) potential(2 * x^2) force { x = u }\n"
        "integrate { scheme = 'moreau-jean', h = 0.01, until_t = 1 }\n");
    for (int s = 0; s < 3; s++) {
        double wrong[2];
        for (int k = 0; k < 2; k++) { /* x'' = -4 x + sin(t): x = (sin(t) - sin(2 t) / 2) / 3 */
            const int steps = k ? 200 : 100;
            const double h = 1.0 / steps;
            carom_stepping *motion =
                begin(&(carom_run_request){.experiment = experiment, .scheme = scheme[s], .h = h});
            for (int i = 0; i < steps; i++) {
                motion->input[0] = sin((i + 0.5) * h);
                run(motion, 1);
            }
            wrong[k] = fabs(motion->q[0] - (sin(1.0) - 0.5 * sin(2.0)) / 3.0);
            carom_stepping_free(motion);
        }
        assert_true(wrong[1] < 2e-5 && wrong[0] > 3.0 * wrong[1]);
    }
    carom_experiment_free(experiment);
}

static void test_wrong_inputs_are_refused_and_can_be_mended(void **unused)
{
    (void)unused;
    carom_experiment *experiment =
        load("local x = coordinates('x')\nlocal u = input { 'u', 0, max = 1 }\nmass(1) force { x = u }\n"
             "integrate { scheme = 'moreau-jean', h = 0.1, until_t = 1 }\n");
    carom_stepping *motion = begin(&(carom_run_request){.experiment = experiment});
    const double wrong[] = {NAN, INFINITY, 1.5};
    carom_error error = {0};
    for (int i = 0; i < 3; i++) {
        motion->input[0] = wrong[i];
        assert_int_equal(carom_stepper_step(motion->stepper, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, "input 'u'"));
        assert_true(motion->stepper->state.t == 0.0 && motion->q[0] == 0.0);
    }
    motion->input[0] = 1.0;
    run(motion, 10);
    assert_near(motion->q[0], 0.5, 1e-14);
    carom_stepping_free(motion);
    carom_experiment_free(experiment);
}

/* A block that is pushed harder than its friction holds, then less hard: it slides with 0.6 g - 0.5 g, then stops. */
static void test_inputs_push_bodies(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load(BLOCK);
    carom_stepping *motion = begin(&(carom_run_request){.experiment = experiment});
    motion->input[0] = 6.0;
    run(motion, 500);
    assert_near(motion->v[0], 0.5, 1e-6);
    motion->input[0] = 4.0;
    run(motion, 600);
    assert_near(motion->v[0], 0.0, 1e-9);
    carom_stepping_free(motion);
    carom_experiment_free(experiment);
}

static bool after_seven(void *context, double done, double total)
{
    (void)context;
    return done < 7.0 || total < 7.0;
}

static void test_progress_may_end_it(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load(BALL);
    carom_stepping *motion =
        begin(&(carom_run_request){.experiment = experiment, .t0 = 5.0}); /* later than until */
    long done = 0;
    carom_error error = {0};
    assert_int_equal(carom_stepping_run(motion, 100, (carom_progress){after_seven, NULL}, &done, &error),
                     CAROM_INTERRUPTED);
    assert_int_equal(done, 7);
    assert_near(motion->stepper->state.t, 5.007, 1e-14);
    carom_stepping_free(motion);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_have_the_bits_of_a_run),
        cmocka_unit_test(test_a_state_that_is_set_is_a_start),
        cmocka_unit_test(test_a_state_that_cannot_be_set_changes_nothing),
        cmocka_unit_test(test_restored_motions_have_the_same_bits),
        cmocka_unit_test(test_states_of_others_are_refused),
        cmocka_unit_test(test_inputs_act_from_the_next_step_on),
        cmocka_unit_test(test_inputs_keep_the_order_of_the_scheme),
        cmocka_unit_test(test_wrong_inputs_are_refused_and_can_be_mended),
        cmocka_unit_test(test_inputs_push_bodies),
        cmocka_unit_test(test_progress_may_end_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
