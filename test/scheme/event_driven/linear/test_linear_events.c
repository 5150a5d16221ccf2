#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "test/survey/texts.h"

static const double pi = 3.14159265358979323846;

static const char oscillator[] =
    "local e, c, s, w = param { 'e', 0.8 }, param { 'c', 0.05 }, param { 's', 0 }, param { 'w', 2.4 }\n"
    "local x = coordinates('x')\n"
    "mass(1)\n"
    "force { x = -x - c*dot(x) + cos(w*time()) }\n"
    "contact { 'wall', gap = x - s, restitution = e }\n"
    "initial { x = 0.5 }\n"
    "integrate { scheme = 'event-driven', h = 0.1, until_t = 50 }\n";

static const char ball[] = "local e, g, y0 = param { 'e', 0.5 }, param { 'g', 9.81 }, param { 'y0', 1 }\n"
                           "local y = coordinates('y')\n"
                           "mass(2)\n"
                           "potential(2*g*y)\n"
                           "contact { 'floor', gap = y, restitution = e }\n"
                           "initial { y = y0 }\n"
                           "integrate { scheme = 'event-driven', h = 0.1, until_t = 3 }\n";

/* Comes to rest on the table, and is thrown up again. */
static const char table[] =
    "local e, w, A = param { 'e', 0.5 }, param { 'w', 2.6 }, param { 'A', 1.2 }\n"
    "local y = coordinates('y')\n"
    "mass(1)\n"
    "potential(9.81*y)\n"
    "contact { 'table', gap = y - A*sin(w*time())^2, restitution = e }\n"
    "initial { y = 0.5 }\n"
    "integrate { scheme = 'event-driven', h = 0.1, until_t = 20, zeno = 'continue' }\n";

/* Two masses that are coupled in every way, three contacts. */
static const char two[] =
    "local w = param { 'w', 1.1 }\n"
    "local x, y = coordinates('x', 'y')\n"
    "mass { {2, 0.3}, {0.3, 1} }\n"
    "force { x = -x - 0.1*dot(x) + cos(w*time()) + 0.3*sin(2*w*time()), y = -2*y - 0.1*dot(y) + 0.1*(x-y) }\n"
    "contact { 'wall', gap = x + 0.3, restitution = 0.6 }\n"
    "contact { 'stop', gap = 0.4 - y + 0.1*x, restitution = 0.3 }\n"
    "contact { 'both', gap = 0.9 - x - y, restitution = 0 }\n"
    "initial { x = 0.1, y = 0 }\n"
    "integrate { scheme = 'event-driven', h = 0.1, until_t = 60, zeno = 'continue' }\n";

/* Both masses rest on one plate: contacts that act together. */
static const char pair[] =
    "local x, y = coordinates('x', 'y')\n"
    "mass { {2, 0.5}, {0.5, 1} }\n"
    "force { x = -3 + 4*cos(1.3*time()) - x, y = -2 - y }\n"
    "contact { 'left', gap = x, restitution = 0.4 }\n"
    "contact { 'right', gap = y, restitution = 0.2 }\n"
    "initial { x = 0.3, y = 0.2 }\n"
    "integrate { scheme = 'event-driven', h = 0.2, until_t = 20, zeno = 'continue' }\n";

static carom_run_result run(const carom_experiment *experiment, carom_run_request request,
                            carom_status wanted)
{
    carom_run_result result;
    carom_error error = {0};
    request.experiment = experiment;
    request.events = true;
    if (carom_run(&request, &result, &error) != wanted)
        fail_msg("%s", error.text);
    return result;
}

/* Same events, same state, works that add up: to `tolerance` and `balance`. */
static void compare(const char *text, double until, double tolerance, double balance)
{
    carom_experiment *experiment = load(text);
    carom_run_result a = run(experiment, (carom_run_request){.until = until}, CAROM_OK);
    carom_run_result b =
        run(experiment, (carom_run_request){.until = until, .scheme = "event-driven-linear"}, CAROM_OK);
    for (int i = 0; i < 2 * experiment->model->dof; i++)
        near_at("state", b.final[1 + i], a.final[1 + i], tolerance, __FILE__, __LINE__);
    /* event-driven keeps its works less accurately than its motion */
    relative_at("forces", b.certificate.forces, a.certificate.forces, 1.0, 1e-7, __FILE__, __LINE__);
    relative_at("contacts", b.certificate.contacts, a.certificate.contacts, 1.0, 1e-6, __FILE__, __LINE__);
    near_at("balance", b.certificate.scheme, 0.0, balance * (1.0 + b.certificate.energy_scale), __FILE__,
            __LINE__);
    assert_true(b.certificate.trusted);
    size_t stops[2] = {0}, releases[2] = {0};
    for (size_t i = 0; i < a.event_count; i++) {
        stops[0] += a.event[i].kind == CAROM_EVENT_STOP;
        releases[0] += a.event[i].kind == CAROM_EVENT_RELEASE;
    }
    for (size_t i = 0; i < b.event_count; i++) {
        stops[1] += b.event[i].kind == CAROM_EVENT_STOP;
        releases[1] += b.event[i].kind == CAROM_EVENT_RELEASE;
    }
    assert_int_equal(stops[0], stops[1]);
    assert_int_equal(releases[0], releases[1]);
    carom_run_result_free(&a);
    carom_run_result_free(&b);
    carom_experiment_free(experiment);
}

static void test_like_event_driven(void **state)
{
    (void)state;
    compare(oscillator, 260.0, 1e-9, 1e-12); /* a hundred periods, settling to one impact per period */
    compare(two, 60.0, 1e-8, 1e-12);
    compare(ball, 0.5, 1e-11, 1e-13);
    compare(pair, 20.0, 1e-8, 1e-6); /* mostly by event-driven itself, with its balance */
    compare(table, 4.0, 1e-9, 1e-12);
    /* Where the ball leaves the table event-driven knows the moment only to the tolerance of a force that passes zero. */
    compare(table, 20.0, 1e-6, 1e-12);
}

/* Spec D0, section 4: from its phase the motion with one impact in n periods comes back. */
static void test_periodic_motions(void **state)
{
    (void)state;
    static const struct {
        double e, c, w;
        int n;
        double phase, velocity;
    } orbit[] = {
        {.8, .05, 1.8, 1, 1.9841372766, 2.0145881275}, {.8, .05, 2.2, 1, 2.6492403988, 1.4621670137},
        {.8, .05, 2.4, 1, 2.5185704580, 0.6803568612}, {.8, .05, 2.6, 1, 2.3551704385, 0.4028217660},
        {.8, .05, 2.8, 1, 2.2014184211, 0.2684180191}, {.8, .05, 3.6, 2, 0.9375761560, 0.4104658427},
        {.7, .1, 2.2, 1, 2.5350230410, 1.1762635554},
    };
    carom_experiment *experiment = load(oscillator);
    for (size_t i = 0; i < sizeof orbit / sizeof *orbit; i++) {
        const double period = 2.0 * pi * orbit[i].n / orbit[i].w;
        const double parameter[4] = {orbit[i].e, orbit[i].c, 0.0, orbit[i].w};
        carom_run_result result = run(experiment,
                                      (carom_run_request){.parameter = parameter,
                                                          .scheme = "event-driven-linear",
                                                          .q0 = (double[]){0.0},
                                                          .v0 = &orbit[i].velocity,
                                                          .t0 = orbit[i].phase,
                                                          .h = 0.5 * period,
                                                          .until = orbit[i].phase + 1.5 * period},
                                      CAROM_OK);
        assert_int_equal(result.impacts, 1);
        near_at("time of the impact", result.event[0].t, orbit[i].phase + period, 1e-9, __FILE__, __LINE__);
        near_at("velocity after it", result.event[0].rate_after, orbit[i].velocity, 1e-9, __FILE__, __LINE__);
        carom_run_result_free(&result);
    }
    carom_experiment_free(experiment);
}

/* Impacts of a ball: t1 (1 + 2 e + 2 e^2 + ...). */
static void test_ball(void **state)
{
    (void)state;
    carom_experiment *experiment = load(ball);
    const double e = 0.5, t1 = sqrt(2.0 / 9.81), v1 = sqrt(2.0 * 9.81);
    carom_run_result result =
        run(experiment,
            (carom_run_request){.scheme = "event-driven-linear",
                                .option = (carom_option[]){{"zeno", .word = "continue"}, {0}}},
            CAROM_OK);
    double t = t1, v = v1;
    for (int k = 0; k < 25; k++) {
        assert_int_equal(result.event[k].kind, CAROM_EVENT_IMPACT);
        near_at("time", result.event[k].t, t, 2e-15, __FILE__, __LINE__);
        relative_at("rate", result.event[k].rate_before, -v, 0.0, 1e-13, __FILE__, __LINE__);
        v *= e;
        t += 2.0 * v / 9.81;
    }
    near_at("rests", result.final[1], 0.0, 1e-15, __FILE__, __LINE__);
    near_at("weight", result.final[result.layout.impulse], 2.0 * 9.81 * 0.1, 1e-12, __FILE__, __LINE__);
    const carom_event *last = &result.event[result.event_count - 1];
    assert_int_equal(last->kind, CAROM_EVENT_STOP);
    near_at("accumulation", last->t, t1 * (1 + e) / (1 - e), 1e-9, __FILE__, __LINE__);
    near_at("energy", result.certificate.contacts, -2.0 * 9.81, 1e-12, __FILE__, __LINE__);
    carom_run_result_free(&result);

    /* By default the motion ends where its impacts accumulate. */
    result = run(experiment, (carom_run_request){.scheme = "event-driven-linear"}, CAROM_FAILED);
    assert_string_equal(result.word, "zeno");
    near_at("estimate", result.counts.accumulation_time, t1 * (1 + e) / (1 - e), 1e-9, __FILE__, __LINE__);
    near_at("balance", result.certificate.scheme, 0.0, 1e-12, __FILE__, __LINE__);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* A step is exact however long it is. */
static void test_any_step(void **state)
{
    (void)state;
    static const double h[] = {0.01, 0.37, 5.0, 50.0};
    carom_experiment *experiment = load(oscillator);
    carom_run_result fine =
        run(experiment, (carom_run_request){.scheme = "event-driven-linear", .h = 0.05}, CAROM_OK);
    for (size_t i = 0; i < sizeof h / sizeof *h; i++) {
        carom_run_result result =
            run(experiment, (carom_run_request){.scheme = "event-driven-linear", .h = h[i], .until = 50.0},
                CAROM_OK);
        if (fabs(result.final[0] - 50.0) < 1e-9) {
            near_at("x", result.final[1], fine.final[1], 2e-12, __FILE__, __LINE__);
            near_at("v", result.final[2], fine.final[2], 2e-12, __FILE__, __LINE__);
        }
        assert_int_equal(result.impacts, fine.impacts);
        carom_run_result_free(&result);
    }
    carom_run_result_free(&fine);
    carom_experiment_free(experiment);
}

static void refuse(const char *text, carom_run_request request, const char *why)
{
    carom_experiment *experiment = load(text);
    carom_run_result result;
    carom_error error = {0};
    request.experiment = experiment;
    request.scheme = "event-driven-linear";
    assert_int_equal(carom_run(&request, &result, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, why))
        fail_msg("%s", error.text);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char rest[] = "integrate { scheme = 'event-driven', h = 0.1, until_t = 1 }\n";
    char text[600];
    snprintf(text, sizeof text, "local x = coordinates('x')\nmass(1)\nforce { x = -x^3 }\n%s", rest);
    refuse(text, (carom_run_request){0}, "is for linear models");
    snprintf(text, sizeof text,
             "local x = coordinates('x')\nmass(1)\nforce { x = -x }\ncontact { 'c', gap = x + 1 }\n%s", rest);
    refuse(text, (carom_run_request){0}, "contact 'c' has no restitution");
    snprintf(
        text, sizeof text,
        "local x = coordinates('x')\nmass(1)\nforce { x = -x }\ncontact { 'c', gap = x, restitution = 1 }\n"
        "initial { x = -0.1, gap_tolerance = 1 }\n%s",
        rest);
    refuse(text, (carom_run_request){0}, "starts 0.1 inside its obstacle");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_like_event_driven),
        cmocka_unit_test(test_periodic_motions),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_any_step),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
