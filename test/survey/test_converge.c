#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"

/* `length` and `second` are the units of the same motion. */
static const char spring[] =
    "local length = param { 'length', 1 }\n"
    "local second = param { 'second', 1 }\n"
    "local x = coordinates('x')\n"
    "mass(1)\n"
    "potential(9 / second^2 * x^2 / 2)\n"
    "initial { x = length }\n"
    "integrate { scheme = 'moreau-jean', h = 0.01, until_t = 4 * second }\n"
    "record { exact_x = length * cos(3 * time() / second), exact_v_x = -3 * length / second * "
    "sin(3 * time() / second),\n"
    "         square = x^2, exact_square = (length * cos(3 * time() / second))^2, other = x }\n";

static const char ball[] = "local length = param { 'length', 1 }\n"
                           "local second = param { 'second', 1 }\n"
                           "local g = 9.81 * length / second^2\n"
                           "local e = param { 'e', 0.5 }\n"
                           "local x, y = coordinates('x', 'y')\n"
                           "mass(1)\n"
                           "potential(g * y)\n"
                           "contact { 'floor', gap = y, restitution = e }\n"
                           "initial { x = 0, y = length, [dot(x)] = length / second }\n"
                           "integrate { scheme = 'moreau-jean', h = 0.01, until_t = 1.2 * second }\n"
                           "record { exact_y = length - g * time()^2 / 2 }\n";

static const double halved[] = {0.02, 0.01, 0.005, 0.0025, 0.00125};
enum {
    HALVED = sizeof halved / sizeof *halved
};
static const char *const moreau_jean[] = {"moreau-jean", "inel"};

static carom_experiment *load(const char *text, double length, double second)
{
    char length_text[40], second_text[40];
    snprintf(length_text, sizeof length_text, "%.17g", length);
    snprintf(second_text, sizeof second_text, "%.17g", second);
    carom_override unit[] = {{"length", length_text}, {"second", second_text}};
    const carom_load_request request = {
        .name = "model", .file = "model.lua", .text = text, .override_count = 2, .override = unit};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

static carom_convergence_request request_of(const carom_experiment *experiment, carom_reference_kind kind)
{
    return (carom_convergence_request){.experiment = experiment,
                                       .scheme_count = 1,
                                       .scheme = moreau_jean,
                                       .h_count = HALVED,
                                       .h = halved,
                                       .until = NAN,
                                       .reference = kind,
                                       .reference_h = NAN};
}

static void converge(const carom_convergence_request *request, carom_convergence *study)
{
    carom_error error = {0};
    if (carom_converge(request, study, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static double order_of(const carom_convergence *study, int curve)
{
    return study->scheme[0].curve[curve].order;
}

/* ---- orders ----------------------------------------------------------------------------------------- */

static void the_midpoint_rule_has_order_two(void **state)
{
    (void)state;
    carom_experiment *experiment = load(spring, 1.0, 1.0);
    static const char *const quantity[] = {"square"};
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_EXACT);
    request.quantity = quantity;
    request.quantity_count = 1;
    carom_convergence study;
    converge(&request, &study);
    assert_int_equal(study.curve_count, 3);
    for (int i = 0; i < study.curve_count; i++) {
        assert_int_equal(study.scheme[0].curve[i].fitted, HALVED);
        assert_true(fabs(order_of(&study, i) - 2.0) < 0.01);
    }
    /* The midpoint rule turns at 2/h atan(3h/2) instead of 3: a phase error of 9 h^2/4 per unit of time. */
    const double h = study.h[HALVED - 1], error = study.scheme[0].curve[CAROM_CURVE_Q].error[HALVED - 1];
    double largest = 0.0;
    for (int i = 0; i * h < 4.0 + h / 2; i++)
        largest = fmax(largest, fabs(cos(2.0 * i * atan(1.5 * h)) - cos(3.0 * i * h)));
    assert_true(fabs(error - largest) < 1e-10 * largest + 1e-12);
    assert_true(carom_convergence_has_order(&study));
    assert_null(study.reference_scheme);
    carom_convergence_free(&study);
    carom_experiment_free(experiment);
}

static void the_implicit_rule_has_order_one(void **state)
{
    (void)state;
    carom_experiment *experiment = load(spring, 1.0, 1.0);
    const carom_option theta[] = {{"theta", .word = "1"}, {0}};
    static const double small[HALVED] = {1.6e-3, 8e-4, 4e-4, 2e-4, 1e-4};
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_EXACT);
    request.h = small;
    request.option = theta;
    carom_convergence study;
    converge(&request, &study);
    assert_true(fabs(order_of(&study, CAROM_CURVE_Q) - 1.0) < 0.01);
    assert_true(fabs(order_of(&study, CAROM_CURVE_V) - 1.0) < 0.01);
    assert_true(fabs(study.scheme[0].curve[CAROM_CURVE_Q].local[HALVED - 1] - 1.0) < 0.002);
    carom_convergence_free(&study);
    carom_experiment_free(experiment);
}

/* Errors against a fine run of the same scheme are those against the exact motion less the run's own. */
static void a_fine_reference_gives_nearly_the_exact_errors(void **state)
{
    (void)state;
    carom_experiment *experiment = load(spring, 1.0, 1.0);
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_EXACT);
    carom_convergence exact, fine;
    converge(&request, &exact);
    request.reference = CAROM_REFERENCE_FINE;
    converge(&request, &fine);
    assert_string_equal(fine.reference_scheme->name, "moreau-jean");
    assert_true(fabs(fine.reference_h - 0.00125 / 16) < 1e-18);
    assert_false(fine.interpolated);
    for (int i = 0; i < HALVED; i++) {
        const double own = pow(16.0 * fine.h[i] / 0.00125, -2.0); /* relative */
        for (int c = 0; c < 2; c++) {
            const double error = exact.scheme[0].curve[c].error[i];
            assert_true(fabs(fine.scheme[0].curve[c].error[i] / error - 1.0 + own) < 0.1 * own + 1e-4);
        }
    }
    carom_convergence_free(&exact);
    carom_convergence_free(&fine);
    carom_experiment_free(experiment);
}

/* Before the first impact, at t = 0.4515, the midpoint rule follows the parabola to rounding. */
static void free_fall_is_exact(void **state)
{
    (void)state;
    carom_experiment *experiment = load(ball, 1.0, 1.0);
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_EXACT);
    request.until = 0.4;
    carom_convergence study;
    converge(&request, &study);
    for (int i = 0; i < HALVED; i++) {
        assert_true(study.scheme[0].curve[CAROM_CURVE_Q].error[i] < 1e-13);
        assert_true(study.scheme[0].curve[CAROM_CURVE_Q].at_rounding[i]);
        assert_true(isnan(study.scheme[0].curve[CAROM_CURVE_V].error[i])); /* no exact velocity is given */
    }
    assert_true(isnan(order_of(&study, CAROM_CURVE_Q)));
    assert_false(carom_convergence_has_order(&study));
    carom_convergence_free(&study);
    carom_experiment_free(experiment);
}

/* The error depends on where the impact falls in a step, so the slope wants many steps. */
static void a_bouncing_ball_has_order_one(void **state)
{
    (void)state;
    static const double many[] = {0.02,  0.015, 0.01, 0.008, 0.006, 0.004, 0.003, 0.002, 0.0015,
                                  0.001, 8e-4,  6e-4, 5e-4,  4e-4,  3e-4,  2e-4,  1e-4};
    carom_experiment *experiment = load(ball, 1.0, 1.0);
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_FINE);
    request.h = many;
    request.h_count = sizeof many / sizeof *many;
    carom_convergence study;
    converge(&request, &study);
    assert_int_equal(study.scheme[0].curve[CAROM_CURVE_Q].fitted, request.h_count);
    assert_true(fabs(order_of(&study, CAROM_CURVE_Q) - 1.0) < 0.3);
    assert_true(fabs(order_of(&study, CAROM_CURVE_V) - 1.0) < 0.3);
    carom_convergence_free(&study);
    carom_experiment_free(experiment);
}

static void orders_do_not_depend_on_units(void **state)
{
    (void)state;
    const char *const models[] = {spring, ball};
    for (int m = 0; m < 2; m++) {
        double order[2][2];
        for (int scaled = 0; scaled < 2; scaled++) {
            /* powers of two: the scaled motion has the same bits but for the exponent */
            const double length = scaled ? 1024.0 : 1.0, second = scaled ? 64.0 : 1.0;
            carom_experiment *experiment = load(models[m], length, second);
            double h[HALVED];
            for (int i = 0; i < HALVED; i++)
                h[i] = halved[i] * second;
            carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_FINE);
            request.h = h;
            carom_convergence study;
            converge(&request, &study);
            for (int c = 0; c < 2; c++)
                order[scaled][c] = order_of(&study, c);
            carom_convergence_free(&study);
            carom_experiment_free(experiment);
        }
        for (int c = 0; c < 2; c++)
            assert_true(fabs(order[0][c] - order[1][c]) < 1e-9);
    }
}

/* ---- the request ------------------------------------------------------------------------------------ */

static void steps_are_sorted_and_odd_ones_interpolated(void **state)
{
    (void)state;
    static const double odd[] = {0.01, 0.0314159265, 0.02};
    carom_experiment *experiment = load(spring, 1.0, 1.0);
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_FINE);
    request.h = odd;
    request.h_count = 3;
    carom_convergence study;
    converge(&request, &study);
    assert_true(study.h[0] == 0.0314159265 && study.h[1] == 0.02 && study.h[2] == 0.01);
    assert_true(study.interpolated);
    assert_true(fabs(order_of(&study, CAROM_CURVE_Q) - 2.0) < 0.05);
    assert_int_equal(study.scheme[0].run[2].steps, 400);
    carom_convergence_free(&study);
    carom_experiment_free(experiment);
}

static void a_failed_run_is_left_out(void **state)
{
    (void)state;
    /* an explicit step that is too long for this damping throws the velocity ever further */
    static const char stiff[] = "local x = coordinates('x')\n"
                                "mass(1)\n"
                                "force { x = -1e4 * dot(x)^3 }\n"
                                "initial { x = 0, [dot(x)] = 1 }\n"
                                "integrate { scheme = 'inel', h = 1e-4, until_t = 0.5 }\n";
    static const double h[] = {0.1, 1e-5, 5e-6, 2.5e-6};
    static const char *const scheme[] = {"inel"};
    const carom_load_request file = {.name = "stiff", .file = "stiff.lua", .text = stiff};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&file, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_FINE);
    request.scheme = scheme;
    request.h = h;
    request.h_count = 4;
    carom_convergence study;
    converge(&request, &study);
    const carom_converged_run *run = study.scheme[0].run;
    assert_int_equal(run[0].status, CAROM_FAILED);
    assert_string_equal(run[0].word, "failed");
    assert_non_null(run[0].message);
    assert_true(isnan(study.scheme[0].curve[CAROM_CURVE_Q].error[0]));
    assert_int_equal(run[3].status, CAROM_OK);
    assert_int_equal(study.scheme[0].curve[CAROM_CURVE_Q].fitted, 3);
    assert_true(fabs(order_of(&study, CAROM_CURVE_Q) - 1.0) < 0.2);
    carom_convergence_free(&study);
    carom_experiment_free(experiment);
}

static bool stop_late(void *context, double done, double total)
{
    double *last = context;
    assert_true(done > *last && done <= total);
    *last = done;
    return done < 0.9 * total;
}

static void an_interrupted_study_keeps_what_it_has(void **state)
{
    (void)state;
    static const double h[] = {1e-3, 1e-4, 1e-5};
    carom_experiment *experiment = load(spring, 1.0, 1.0);
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_EXACT);
    double last = 0.0;
    request.h = h;
    request.h_count = 3;
    request.progress = (carom_progress){.context = &last, .report = stop_late};
    carom_convergence study;
    carom_error error = {0};
    assert_int_equal(carom_converge(&request, &study, &error), CAROM_INTERRUPTED);
    assert_int_equal(study.scheme[0].run[1].status, CAROM_OK);
    assert_int_equal(study.scheme[0].run[2].status, CAROM_INTERRUPTED);
    assert_string_equal(study.scheme[0].run[2].word, "interrupted");
    assert_int_equal(study.scheme[0].curve[CAROM_CURVE_Q].fitted, 2);
    carom_convergence_free(&study);
    carom_experiment_free(experiment);
}

/* Bytes of runs, as a journal has them; it is full after some. */
typedef struct shelf {
    int kept, room, recalled;
    void *bytes[2 * HALVED];
    size_t count[2 * HALVED];
} shelf;

static carom_status keep_run(void *context, int index, const void *bytes, size_t count, carom_error *error)
{
    shelf *self = context;
    if (self->kept == self->room)
        return carom_fail(error, CAROM_INTERRUPTED, "full");
    assert_in_range(index, 0, 2 * HALVED - 1);
    assert_null(self->bytes[index]); /* nothing is computed twice */
    self->kept++;
    self->bytes[index] = malloc(count);
    memcpy(self->bytes[index], bytes, count);
    self->count[index] = count;
    return CAROM_OK;
}

static void *recall_run(void *context, int index, size_t *count)
{
    shelf *self = context;
    if (!self->bytes[index])
        return NULL;
    void *copy = malloc(self->count[index]);
    memcpy(copy, self->bytes[index], self->count[index]);
    *count = self->count[index];
    self->recalled++;
    return copy;
}

/* Stopped after every number of runs, with one reference for all and with one per step. */
static void a_stopped_study_goes_on(void **state)
{
    (void)state;
    static const carom_reference_kind kind[] = {CAROM_REFERENCE_FINE, CAROM_REFERENCE_EVENT_DRIVEN};
    carom_experiment *experiment = load(spring, 1.0, 1.0);
    for (int which = 0; which < 2; which++)
        for (int room = 0; room < 2 * HALVED; room += 3) {
            carom_convergence_request request = request_of(experiment, kind[which]);
            carom_convergence whole, part, rest;
            carom_error error = {0};
            shelf kept = {.room = room};
            request.scheme_count = 2;
            request.no_times = true;
            converge(&request, &whole);
            request.keep = keep_run;
            request.recall = recall_run;
            request.keep_context = &kept;
            assert_int_equal(carom_converge(&request, &part, &error), CAROM_INTERRUPTED);
            assert_int_equal(kept.kept, room);
            kept.room = 2 * HALVED;
            converge(&request, &rest);
            assert_int_equal(kept.recalled, room);
            assert_int_equal(kept.kept, 2 * HALVED);
            for (int i = 0; i < 2; i++)
                for (int k = 0; k < HALVED; k++) {
                    assert_int_equal(rest.scheme[i].run[k].steps, whole.scheme[i].run[k].steps);
                    assert_string_equal(rest.scheme[i].run[k].word, whole.scheme[i].run[k].word);
                    for (int c = 0; c < whole.curve_count; c++)
                        assert_memory_equal(&rest.scheme[i].curve[c].error[k],
                                            &whole.scheme[i].curve[c].error[k], sizeof(double));
                }
            assert_memory_equal(&rest.scheme[0].curve[0].order, &whole.scheme[0].curve[0].order,
                                sizeof(double));
            carom_convergence_free(&whole);
            carom_convergence_free(&part);
            carom_convergence_free(&rest);
            for (int i = 0; i < 2 * HALVED; i++)
                free(kept.bytes[i]);
        }
    carom_experiment_free(experiment);
}

static void expect_refusal(const carom_convergence_request *request, const char *text)
{
    carom_convergence study;
    carom_error error = {0};
    assert_int_equal(carom_converge(request, &study, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, text))
        fail_msg("'%s' lacks '%s'", error.text, text);
    assert_null(study.arena);
    carom_convergence_free(&study);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    carom_experiment *experiment = load(spring, 1.0, 1.0);
    const carom_convergence_request good = request_of(experiment, CAROM_REFERENCE_FINE);
    carom_convergence_request bad = good;
    bad.h_count = 1;
    expect_refusal(&bad, "at least two");
    bad = good;
    bad.h = (double[]){0.1, -0.1};
    bad.h_count = 2;
    expect_refusal(&bad, "h = -0.1");
    bad.h = (double[]){0.1, 0.1};
    expect_refusal(&bad, "twice");
    bad.h = (double[]){0.1, 4.5};
    expect_refusal(&bad, "longer than the whole motion");
    bad = good;
    bad.scheme = (const char *const[]){"moro-jean"};
    expect_refusal(&bad, "moreau-jean");
    bad = good;
    bad.quantity = (const char *const[]){"sqare"};
    bad.quantity_count = 1;
    expect_refusal(&bad, "exact_square");
    bad.quantity = (const char *const[]){"other"};
    bad.reference = CAROM_REFERENCE_EXACT;
    expect_refusal(&bad, "record { exact_other = ... }");
    bad = good;
    bad.option = (carom_option[]){{"thet", 1.0}, {0}};
    expect_refusal(&bad, "unknown option 'thet'");
    bad = good;
    bad.reference_h = 0.01;
    expect_refusal(&bad, "at most the smallest h = 0.00125");
    bad = good;
    bad.reference_scheme = "nearly";
    expect_refusal(&bad, "nearly");
    carom_experiment_free(experiment);
}

static void a_model_that_does_not_fit_is_refused(void **state)
{
    (void)state;
    carom_experiment *experiment = load(ball, 1.0, 1.0);
    carom_convergence_request request = request_of(experiment, CAROM_REFERENCE_FINE);
    request.scheme_count = 2; /* inel has restitution 0 */
    expect_refusal(&request, "restitution 0.5");
    static char *unnamed[] = {"height"};
    request.scheme_count = 1;
    request.reference = CAROM_REFERENCE_EXACT;
    char **column = experiment->column;
    experiment->column = unnamed;
    expect_refusal(&request, "record { exact_x = ... }");
    experiment->column = column;
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_midpoint_rule_has_order_two),
        cmocka_unit_test(the_implicit_rule_has_order_one),
        cmocka_unit_test(a_fine_reference_gives_nearly_the_exact_errors),
        cmocka_unit_test(free_fall_is_exact),
        cmocka_unit_test(a_bouncing_ball_has_order_one),
        cmocka_unit_test(orders_do_not_depend_on_units),
        cmocka_unit_test(steps_are_sorted_and_odd_ones_interpolated),
        cmocka_unit_test(a_failed_run_is_left_out),
        cmocka_unit_test(an_interrupted_study_keeps_what_it_has),
        cmocka_unit_test(a_stopped_study_goes_on),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(a_model_that_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
