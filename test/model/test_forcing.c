#include <stdlib.h>
#include <string.h>

#include "carom/model/forcing.h"
#include "test/near.h"

static const double pi = 3.14159265358979323846;

/* x'' = force, with parameters w = 2.5 and a = 0.7, and a gap. */
static carom_model *make(const char *force, const char *gap)
{
    carom_builder *builder = carom_builder_create();
    const carom_node x = carom_build_coordinate(builder, "x");
    carom_build_coordinate(builder, "y");
    carom_build_parameter(builder, "w", 2.5);
    carom_build_parameter(builder, "a", 0.7);
    carom_build_kinetic(builder, carom_build_formula(builder, "1/2*(2*dot(x)^2 + dot(y)^2)"));
    carom_build_potential(builder, carom_build_formula(builder, "1/2*x^2 + 9.81*y"));
    carom_build_force(builder, x, carom_build_formula(builder, force));
    const int wall = carom_build_contact(builder, "wall", carom_build_formula(builder, gap));
    carom_build_restitution(builder, wall, carom_build_formula(builder, "a"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(builder, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(builder);
    return model;
}

static carom_forcing forcing_of(const char *force, const char *gap, const double *parameter)
{
    carom_model *model = make(force, gap);
    carom_model_work *work = NULL;
    carom_forcing forcing;
    assert_int_equal(carom_model_work_create(model, parameter, &work, NULL), CAROM_OK);
    assert_int_equal(carom_model_forcing(work, &forcing, NULL), CAROM_OK);
    carom_model_work_free(work);
    carom_model_free(model);
    return forcing;
}

static void test_periods(void **state)
{
    (void)state;
    static const struct {
        const char *force, *gap;
        double period; /* for w = 2.5; 0: not forced, NAN: none */
        carom_time_kind kind;
    } cases[] = {
        {"cos(w*t)", "x", 2 * 3.14159265358979323846 / 2.5, CAROM_TIME_PERIODIC},
        {"-x*dot(y)", "x", 0.0, CAROM_TIME_NONE},
        {"sin(2*w*t + a)*x^2", "x", 3.14159265358979323846 / 2.5, CAROM_TIME_PERIODIC},
        {"sin(2*w*t) + cos(-3*w*t)", "x", 2 * 3.14159265358979323846 / 2.5, CAROM_TIME_PERIODIC},
        {"sin(t/2)", "y - cos(t/3)", 12 * 3.14159265358979323846, CAROM_TIME_PERIODIC},
        {"exp(sin(w*(t - 1)))", "x", 2 * 3.14159265358979323846 / 2.5, CAROM_TIME_PERIODIC},
        {"select(sin(w*t), 1, -1)", "x", 2 * 3.14159265358979323846 / 2.5, CAROM_TIME_PERIODIC},
        {"sin(w*t + x)", "x", 2 * 3.14159265358979323846 / 2.5, CAROM_TIME_PERIODIC},
        {"sin(t) + sin(1.4142135623730951*t)", "x", NAN, CAROM_TIME_PERIODIC},
        {"t*x", "x", NAN, CAROM_TIME_OTHER},
        {"sin(t^2)", "x", NAN, CAROM_TIME_OTHER},
        {"sin(x*t)", "x", NAN, CAROM_TIME_OTHER},
        {"0", "x - 0.1*t", NAN, CAROM_TIME_OTHER},
        {"exp(-t)*sin(t)", "x", NAN, CAROM_TIME_OTHER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const carom_forcing found = forcing_of(cases[i].force, cases[i].gap, NULL);
        if (found.kind != cases[i].kind)
            fail_msg("%s: kind %d instead of %d", cases[i].force, found.kind, cases[i].kind);
        if (isnan(cases[i].period) ? !isnan(found.period)
                                   : !(fabs(found.period - cases[i].period) <= 1e-12 * (1 + cases[i].period)))
            fail_msg("%s: period %.17g instead of %.17g", cases[i].force, found.period, cases[i].period);
    }
    /* It follows the parameters; a frequency of 0 is none. */
    near_at("period", forcing_of("cos(w*t)", "x", (double[]){0.5, 1.0}).period, 4 * pi, 1e-12, __FILE__,
            __LINE__);
    assert_int_equal(forcing_of("cos(w*t)", "x", (double[]){0.0, 1.0}).kind, CAROM_TIME_NONE);
}

static void test_why_there_is_no_period(void **state)
{
    (void)state;
    static const char *const force[] = {"x", "t", "sin(t) + sin(1.4142135623730951*t)"};
    static const char *const why[] = {"nothing in it depends on time; give one", "otherwise than through sin",
                                      "1 and 1.414213562 have none in common"};
    for (int i = 0; i < 3; i++) {
        carom_model *model = make(force[i], "x");
        carom_model_work *work = NULL;
        carom_error error = {0};
        double period;
        assert_int_equal(carom_model_work_create(model, NULL, &work, NULL), CAROM_OK);
        assert_int_equal(carom_model_period(work, "give one", &period, &error), CAROM_BAD_INPUT);
        if (!strstr(error.text, why[i]))
            fail_msg("%s", error.text);
        carom_model_work_free(work);
        carom_model_free(model);
    }
}

static double sum_of(const carom_harmonics *driven, const double *what, int width, int i, double t)
{
    double sum = 0.0;
    for (int k = 0; k < driven->count; k++)
        sum += cos(driven->frequency[k] * t) * what[2 * k * width + i] +
               sin(driven->frequency[k] * t) * what[(2 * k + 1) * width + i];
    return sum;
}

/* The sums are force and gap at the origin, whatever the parameters. */
static void test_harmonics(void **state)
{
    (void)state;
    static const char *const force[] = {"0", "cos(w*t)", "3*sin(w*t)^3*cos(2*t + a) - a/4*cos(-w*t)",
                                        "(sin(t) - a*cos(w*t))^2/w"};
    static const char *const gap[] = {"x", "y - a*sin(w*t)^2", "2*x + y - sin(t)*cos(t)", "x + 1"};
    const double origin[2] = {0, 0};
    for (int i = 0; i < 4; i++) {
        carom_model *model = make(force[i], gap[i]);
        carom_model_work *work = NULL;
        const double parameter[2] = {1.3, 0.4};
        assert_true(model->is_linear);
        assert_int_equal(carom_model_work_create(model, parameter, &work, NULL), CAROM_OK);
        const carom_harmonics *driven = model->ops->harmonics(work);
        assert_true(driven->frequency[0] == 0.0);
        for (double t = -3.0; t < 20.0; t += 0.37) {
            double f[2], g;
            model->ops->force(work, t, origin, origin, f);
            model->ops->gaps(work, t, origin, &g);
            near_at("force x", sum_of(driven, driven->force, 2, 0, t), f[0], 1e-13, __FILE__, __LINE__);
            near_at("force y", sum_of(driven, driven->force, 2, 1, t), f[1], 1e-13, __FILE__, __LINE__);
            near_at("gap", sum_of(driven, driven->gap, 1, 0, t), g, 1e-13, __FILE__, __LINE__);
        }
        carom_model_work_free(work);
        carom_model_free(model);
    }
}

static void test_what_is_not_linear(void **state)
{
    (void)state;
    static const char *const force[] = {"-x^3", "x*cos(t)", "exp(sin(t))",          "abs(x)",
                                        "0",    "0",        "select(sin(t), 1, -1)"};
    static const char *const gap[] = {"x", "x", "x", "x", "x^2 - 1", "x*cos(t)", "x"};
    for (int i = 0; i < 7; i++) {
        carom_model *model = make(force[i], gap[i]);
        if (model->is_linear)
            fail_msg("%s, %s", force[i], gap[i]);
        carom_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_periods),
        cmocka_unit_test(test_why_there_is_no_period),
        cmocka_unit_test(test_harmonics),
        cmocka_unit_test(test_what_is_not_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
