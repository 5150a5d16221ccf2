/* The period of what drives a model, found in its expressions, against models whose period is known, and against
 * what the model itself says one period later. */
#include "test/near.h"

#include "carom/model/forcing.h"

/* m x'' = force, with a floor at height `floor` and a restitution. */
static carom_model *driven(const char *force, const char *floor, const char *restitution)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "w", 2.0);
    carom_build_parameter(b, "n", 3.0);
    carom_build_input(b, "u", 1.0);
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2/2"));
    carom_build_force(b, x, carom_build_formula(b, force));
    const int contact = carom_build_contact(b, "floor", carom_build_formula(b, floor));
    carom_build_restitution(b, contact, carom_build_formula(b, restitution));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        print_error("%s\n", error.text);
    carom_builder_free(b);
    assert_non_null(model);
    return model;
}

static carom_time_kind forcing_of(const char *force, const char *floor, const char *restitution, double w,
                                  double *period)
{
    carom_model *model = driven(force, floor, restitution);
    carom_model_work *work = NULL;
    carom_error error = {0};
    const double parameter[] = {w, 3.0, 1.0};
    assert_int_equal(carom_model_work_create(model, parameter, &work, &error), CAROM_OK);
    carom_forcing found;
    assert_int_equal(carom_model_forcing(work, &found, &error), CAROM_OK);
    const carom_time_kind forcing = found.kind;
    *period = found.period;
    const double q = 0.3, v = -0.2;
    for (double t = 0.1; found.period > 0.0 && t < 3.0; t += 0.7) {
        double now, then, gap_now, gap_then;
        model->ops->force(work, t, &q, &v, &now);
        model->ops->force(work, t + *period, &q, &v, &then);
        model->ops->gaps(work, t, &q, &gap_now);
        model->ops->gaps(work, t + *period, &q, &gap_then);
        assert_near(now, then, 1e-9);
        assert_near(gap_now, gap_then, 1e-9);
    }
    carom_model_work_free(work);
    carom_model_free(model);
    return forcing;
}

static void sines_and_cosines_have_their_common_period(void **state)
{
    (void)state;
    static const struct {
        const char *force, *floor, *restitution;
        double w, period; /* in units of 2 pi */
    } known[] = {
        {"cos(w*t) - x", "x", "0.8", 2.2, 1.0 / 2.2},
        {"cos(t*w + x) - x", "x", "0.8", 2.0, 1.0 / 2.0},
        {"sin(2*pi*(t - 0.1)/w)", "x", "1", 2.5, 2.5 / (2.0 * CAROM_PI)},
        {"-x", "x - 0.1*sin(w*t + 1)", "1", 5.0, 0.2},
        {"-x", "x", "0.5 + 0.1*cos(t/w)", 4.0, 4.0},
        {"cos(w*t) + sin(3*w*t)", "x", "1", 2.0, 0.5},
        {"cos(2*w*t) + sin(n*w*t)", "x", "1", 2.0, 0.5}, /* 1/4 and 1/6 */
        {"cos(w*t) + sin(1.5*w*t) + cos(w*t/4)", "x", "1", 2.0, 2.0},
        {"tan(w*t)", "x", "1", 2.0, 0.25},
        {"select(sin(w*t), 1, -1)*x", "x", "1", 2.0, 0.5},
        {"exp(cos(cos(w*t)))", "x", "1", 2.0, 0.5},
        {"cos(-w*t)", "x", "1", 2.0, 0.5},
        {"u*cos(w*t)", "x", "1", 2.0, 0.5},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double period = 0.0;
        assert_int_equal(
            forcing_of(known[i].force, known[i].floor, known[i].restitution, known[i].w, &period),
            CAROM_TIME_PERIODIC);
        assert_near(period, 2.0 * CAROM_PI * known[i].period, 1e-12 * period);
    }
}

static void other_models_say_why_not(void **state)
{
    (void)state;
    static const struct {
        const char *force, *floor;
        double w;
        carom_time_kind forcing;
    } known[] = {
        {"-x", "x", 2.0, CAROM_TIME_NONE},
        {"u - x", "x", 2.0, CAROM_TIME_NONE},
        {"cos(w*t) - x", "x", 0.0, CAROM_TIME_NONE},
        {"cos(t) + cos(w*t)", "x", 1.4142135623730951, CAROM_TIME_PERIODIC},
        {"t*cos(w*t)", "x", 2.0, CAROM_TIME_OTHER},
        {"cos(w*t^2)", "x", 2.0, CAROM_TIME_OTHER},
        {"cos(w*t*x)", "x", 2.0, CAROM_TIME_OTHER},
        {"sin(sign(t - 1))", "x", 2.0, CAROM_TIME_OTHER},
        {"-x", "x + exp(-t)", 2.0, CAROM_TIME_OTHER},
        {"cos(u*t)", "x", 2.0, CAROM_TIME_OTHER},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double period = 0.0;
        assert_int_equal(forcing_of(known[i].force, known[i].floor, "1", known[i].w, &period),
                         known[i].forcing);
        assert_true(known[i].forcing == CAROM_TIME_NONE ? period == 0.0 : isnan(period));
    }
}

static void push(void *context, double t, const double *q, const double *v, double *force)
{
    (void)context;
    (void)q;
    (void)v;
    force[0] = cos(t);
}

static void plain_functions_cannot_be_looked_into(void **state)
{
    (void)state;
    const carom_model_functions functions = {.dof = 1, .masses = (double[]){1.0}, .force = push};
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_error error = {0};
    assert_int_equal(carom_model_from_functions(&functions, &model, &error), CAROM_OK);
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    carom_forcing forcing;
    assert_int_equal(carom_model_forcing(work, &forcing, &error), CAROM_OK);
    assert_int_equal(forcing.kind, CAROM_TIME_UNKNOWN);
    assert_true(isnan(carom_model_driven_period(work)));
    carom_model_work_free(work);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_and_cosines_have_their_common_period),
        cmocka_unit_test(other_models_say_why_not),
        cmocka_unit_test(plain_functions_cannot_be_looked_into),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
