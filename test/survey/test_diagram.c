#include <stdlib.h>
#include <string.h>

#include "carom/survey/diagram.h"
#include "test/survey/texts.h"

static const double pi = 3.14159265358979323846;

static const char oscillator[] = IMPACT_OSCILLATOR("2.4");

static carom_diagram run(const carom_diagram_request *request)
{
    carom_diagram diagram;
    carom_error error = {0};
    if (carom_diagram_run(request, &diagram, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return diagram;
}

/* Spec D0, section 4: flips, going up and going down. */
static void test_flips(void **state)
{
    (void)state;
    static const struct {
        double e, c, from, to, flip;
        int before, after; /* periods */
        int impacts;       /* before */
    } cases[] = {{.8, .05, 2.4, 2.68, 2.65617730, 1, 2, 1},
                 {.7, .1, 2.4, 2.69, 2.66318998, 1, 2, 1},
                 {.8, .05, 3.6, 3.32, 3.34794041, 2, 4, 1}};
    carom_experiment *experiment = load(oscillator);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        experiment->parameter[0] = cases[i].e;
        experiment->parameter[1] = cases[i].c;
        const carom_diagram_request request = {.returns = {.experiment = experiment},
                                               .parameter = "w",
                                               .from = cases[i].from,
                                               .to = cases[i].to,
                                               .points = 71,
                                               .skip = 2000,
                                               .iterates = 64};
        carom_diagram diagram = run(&request);
        assert_string_equal(diagram.scheme->name, "event-driven-linear");
        for (int k = 0; k < diagram.points; k++) {
            const carom_diagram_point *point = carom_diagram_at(&diagram, 0, k);
            const bool past = (point->value - cases[i].flip) * (cases[i].to - cases[i].from) > 0.0;
            const double distance = fabs(point->value - cases[i].flip);
            assert_int_equal(point->end, CAROM_RETURNED);
            near_at("forcing", point->forcing, 2.0 * pi / point->value, 1e-14, __FILE__, __LINE__);
            if (distance < 3e-3) /* there the motion settles slowly */
                continue;
            if (!past) {
                assert_int_equal(point->period, cases[i].before);
                assert_int_equal(point->period_impacts, cases[i].impacts);
            } else if (distance < 0.03) {
                assert_int_equal(point->period, cases[i].after);
                assert_int_equal(point->period_impacts, 2 * cases[i].impacts);
            }
        }
        carom_diagram_free(&diagram);
    }
    carom_experiment_free(experiment);
}

/* At impacts: the phase and the velocity of the table. */
static void test_section_at_impacts(void **state)
{
    (void)state;
    static const double w[] = {1.8, 2.2, 2.4, 2.6},
                        phase[] = {1.9841372766, 2.6492403988, 2.5185704580, 2.3551704385},
                        velocity[] = {2.0145881275, 1.4621670137, 0.6803568612, 0.4028217660};
    carom_experiment *experiment = load(oscillator);
    for (int i = 0; i < 4; i++) {
        const carom_diagram_request request = {
            .returns = {.experiment = experiment, .at_impact = true, .contact = 0},
            .parameter = "w",
            .from = w[i],
            .to = w[i],
            .points = 1,
            .skip = 400,
            .iterates = 4,
            .start_count = i == 3,
            .start = &(carom_diagram_start){(double[]){0.1}, (double[]){0.45}},
        };
        carom_diagram diagram = run(&request);
        const carom_diagram_point *point = carom_diagram_at(&diagram, 0, 0);
        const double period = 2.0 * pi / w[i];
        assert_int_equal(point->count, 4);
        assert_int_equal(point->period, 1);
        for (int k = 0; k < 4; k++) {
            near_at("x", point->state[2 * k], 0.0, 1e-14, __FILE__, __LINE__);
            near_at("v", point->state[2 * k + 1], velocity[i], 1e-9, __FILE__, __LINE__);
            near_at("phase", fmod(point->t[k], period), phase[i], 1e-9, __FILE__, __LINE__);
        }
        carom_diagram_free(&diagram);
    }
    carom_experiment_free(experiment);
}

/* x'' + c x' + x = cos(w t) far from the wall: one point, x = Re 1/(1 - w^2 + i c w), v = Re of i w times it. By the exact flow, by the
 * integrator and by time steps. */
static void test_without_impacts(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    static const char *const scheme[] = {NULL, "event-driven", "moreau-jean"};
    static const double tolerance[] = {1e-12, 1e-9, 2e-3};
    experiment->parameter[1] = 0.5;    /* c */
    experiment->parameter[2] = -100.0; /* s */
    for (int i = 0; i < 3; i++) {
        const carom_diagram_request request = {
            .returns = {.experiment = experiment, .scheme = scheme[i], .h = i == 2 ? 0.002 : 0.0},
            .parameter = "w",
            .from = 0.5,
            .to = 1.5,
            .points = 3,
            .up = true,
            .down = true,
            .skip = 50,
            .iterates = 5};
        carom_diagram diagram = run(&request);
        assert_int_equal(diagram.courses, 2);
        for (int k = 0; k < 6; k++) {
            const carom_diagram_point *point = &diagram.point[k];
            const double w = point->value, real = 1.0 - w * w, imaginary = 0.5 * w;
            const double size = real * real + imaginary * imaginary;
            near_at("x", point->state[8], real / size, tolerance[i], __FILE__, __LINE__);
            near_at("v", point->state[9], imaginary * w / size, tolerance[i], __FILE__, __LINE__);
            assert_int_equal(point->period, 1);
            assert_int_equal(point->period_impacts, 0);
        }
        near_at("first down", diagram.point[3].value, 1.5, 0.0, __FILE__, __LINE__);
        carom_diagram_free(&diagram);
    }
    carom_experiment_free(experiment);
}

/* A ball on a table that moves with cos(w t), one bounce per period: it meets the table when the table's velocity U = A w sin is such
 * that v+ = g pi/w, and v+ = -e v- + (1 + e) U with v- = -v+, so that U = (1 - e)/(1 + e) g pi/w. */
static void test_ball_on_a_table(void **state)
{
    (void)state;
    carom_experiment *experiment = load("local e, A = param { 'e', 0.6 }, param { 'A', 0.4 }\n"
                                        "local y = coordinates('y')\n"
                                        "mass(1)\n"
                                        "potential(9.81*y)\n"
                                        "contact { 'table', gap = y + A*cos(5*time()), restitution = e }\n"
                                        "initial { y = 1 }\n"
                                        "integrate { scheme = 'event-driven', h = 0.01, until_t = 20 }\n");
    const carom_diagram_request request = {.returns = {.experiment = experiment, .at_impact = true},
                                           .parameter = "A",
                                           .from = 0.32,
                                           .to = 0.38,
                                           .points = 7,
                                           .skip = 2000,
                                           .iterates = 6,
                                           .start_count = 1,
                                           .start =
                                               &(carom_diagram_start){(double[]){1.875}, (double[]){-2.114}}};
    carom_diagram diagram = run(&request);
    for (int k = 0; k < diagram.points; k++) {
        const carom_diagram_point *point = carom_diagram_at(&diagram, 0, k);
        const double v = 9.81 * pi / 5.0, U = (1.0 - 0.6) / (1.0 + 0.6) * v, sine = U / (5.0 * point->value);
        const double phase = pi - asin(sine), table = -point->value * cos(phase);
        assert_int_equal(point->period, 1);
        near_at("v", point->state[1], v, 1e-9, __FILE__, __LINE__);
        near_at("y", point->state[0], table, 1e-8, __FILE__, __LINE__);
        near_at("phase", fmod(point->t[0], 2 * pi / 5.0) * 5.0, phase, 1e-8, __FILE__, __LINE__);
    }
    carom_diagram_free(&diagram);
    carom_experiment_free(experiment);
}

static void assert_same(const carom_diagram *a, const carom_diagram *b)
{
    assert_int_equal(a->courses * a->points, b->courses * b->points);
    for (int i = 0; i < a->courses * a->points; i++) {
        assert_int_equal(a->point[i].count, b->point[i].count);
        assert_memory_equal(a->point[i].state, b->point[i].state,
                            (size_t)(a->point[i].count * (a->positions + a->dof)) * sizeof(double));
        assert_int_equal(a->point[i].period, b->point[i].period);
    }
}

static void test_threads(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    const carom_diagram_start start[] = {{(double[]){0.1}, (double[]){0.4}},
                                         {(double[]){1.5}, (double[]){-1}}};
    for (int restart = 0; restart < 2; restart++) {
        carom_diagram_request request = {.returns = {.experiment = experiment},
                                         .parameter = "w",
                                         .from = 2.5,
                                         .to = 3.0,
                                         .points = 40,
                                         .skip = 50,
                                         .iterates = 20,
                                         .up = true,
                                         .down = !restart,
                                         .restart = restart,
                                         .start_count = 2,
                                         .start = start,
                                         .threads = 1};
        carom_diagram one = run(&request);
        request.threads = 3;
        carom_diagram three = run(&request);
        assert_int_equal(one.courses, restart ? 2 : 4);
        assert_same(&one, &three);
        carom_diagram_free(&one);
        carom_diagram_free(&three);
    }
    carom_experiment_free(experiment);
}

/* Two motions at w = 2.6: which one a course is on is a matter of where it comes from. */
static void test_history(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    carom_diagram_request request = {.returns = {.experiment = experiment},
                                     .parameter = "w",
                                     .from = 2.3,
                                     .to = 2.6,
                                     .points = 31,
                                     .skip = 400,
                                     .iterates = 12};
    carom_diagram followed = run(&request);
    assert_int_equal(carom_diagram_at(&followed, 0, 30)->period, 1);
    carom_diagram_free(&followed);
    request.restart = true;
    request.start_count = 1;
    request.start = &(carom_diagram_start){(double[]){1.0}, (double[]){0.5}};
    carom_diagram restarted = run(&request);
    assert_int_equal(carom_diagram_at(&restarted, 0, 30)->period, 3);
    assert_int_equal(carom_diagram_at(&restarted, 0, 30)->period_impacts, 3);
    carom_diagram_free(&restarted);
    carom_experiment_free(experiment);
}

/* What fails and what escapes is said of its value, and the next one begins at the start. */
static void test_failures(void **state)
{
    (void)state;
    carom_experiment *experiment =
        load("local k = param { 'k', 1 }\nlocal x = coordinates('x')\nmass(1)\n"
             "force { x = -k*x - 0.2*dot(x) + cos(2*time()) }\n"
             "contact { 'wall', gap = x + 1, restitution = 0.5 }\ninitial { x = 0.5 }\n"
             "integrate { scheme = 'event-driven', h = 0.1, until_t = 10 }\n");
    carom_diagram_request request = {.returns = {.experiment = experiment},
                                     .parameter = "k",
                                     .from = 1,
                                     .to = -1,
                                     .points = 3,
                                     .skip = 100,
                                     .iterates = 10};
    carom_diagram diagram = run(&request); /* k = 1, 0, -1 */
    assert_int_equal(carom_diagram_at(&diagram, 0, 0)->end, CAROM_RETURNED);
    assert_int_equal(carom_diagram_at(&diagram, 0, 2)->end, CAROM_RETURN_ESCAPED);
    carom_diagram_free(&diagram);

    request.from = -1;
    request.to = 1;
    diagram = run(&request);
    assert_int_equal(carom_diagram_at(&diagram, 0, 0)->end, CAROM_RETURN_ESCAPED);
    assert_true(carom_diagram_at(&diagram, 0, 1)->restarted);
    assert_int_equal(carom_diagram_at(&diagram, 0, 2)->end, CAROM_RETURNED);
    assert_false(carom_diagram_at(&diagram, 0, 2)->restarted);
    carom_diagram_free(&diagram);

    /* No impact, ever. */
    request.returns.at_impact = true;
    request.from = 1;
    request.to = 2;
    diagram = run(&request);
    assert_int_equal(carom_diagram_at(&diagram, 0, 0)->end, CAROM_RETURN_NONE);
    carom_diagram_free(&diagram);
    carom_experiment_free(experiment);
}

static void refuse(const carom_diagram_request *request, const char *why)
{
    carom_diagram diagram;
    carom_error error = {0};
    assert_int_equal(carom_diagram_run(request, &diagram, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, why))
        fail_msg("%s", error.text);
    carom_diagram_free(&diagram);
}

static void test_refusals(void **state)
{
    (void)state;
    carom_experiment *experiment = load(oscillator);
    const carom_diagram_request good = {
        .returns = {.experiment = experiment}, .parameter = "w", .from = 2, .to = 3, .points = 3};
    carom_diagram_request request = good;
    request.parameter = "ww";
    refuse(&request, "'ww'");
    request = good, request.parameter = "e";
    refuse(&request, "e");
    request = good, request.points = 0;
    refuse(&request, "0 points");
    request = good, request.to = 2;
    refuse(&request, "differ");
    request = good, request.threads = -1;
    refuse(&request, "-1 threads");
    request = good, request.returns.scheme = "moreau-jean", request.returns.at_impact = true;
    refuse(&request, "does not locate impacts");
    request = good, request.start_count = 1,
    request.start = &(carom_diagram_start){(double[]){-1.0}, (double[]){0.0}};
    refuse(&request, "start 1 is inside an obstacle");
    experiment->parameter[2] = 1.0; /* the model's own start is inside the wall */
    refuse(&good, "violates contact 'wall'");
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flips),           cmocka_unit_test(test_section_at_impacts),
        cmocka_unit_test(test_without_impacts), cmocka_unit_test(test_ball_on_a_table),
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_history),
        cmocka_unit_test(test_failures),        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
