/* The flow: to a time, to roots in both directions, back to a root within a step, restarts, failures. */
#include "scheme/parts/ode_flow.h"
#include "test/scheme/models.h"

static bool oscillate(void *context, double t, const double *y, double *rate)
{
    (void)context;
    (void)t;
    rate[0] = y[1];
    rate[1] = -y[0];
    return true;
}

/* y0 - level, y1; the level stands in the context. */
static bool levels(void *context, double t, const double *y, double *value)
{
    (void)t;
    value[0] = y[0] - *(const double *)context;
    value[1] = y[1];
    return true;
}

static ode_flow *start_flow(double *level, const int *direction, double max_step)
{
    const ode_flow_problem problem = {.size = 2,
                                      .roots = direction ? 2 : 0,
                                      .context = level,
                                      .rate = oscillate,
                                      .root = levels,
                                      .direction = direction,
                                      .relative_tolerance = 1e-12,
                                      .absolute_tolerance = (const double[]){1e-13, 1e-13},
                                      .max_step = max_step};
    ode_flow *flow = NULL;
    carom_error error = {0};
    if (ode_flow_create(&problem, &flow, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    ode_flow_values(flow)[0] = 1.0;
    ode_flow_values(flow)[1] = 0.0;
    ode_flow_restart(flow, 0.0);
    return flow;
}

static void reaches_a_time(void **unused)
{
    (void)unused;
    double level = 0.0, t = 0.0;
    ode_flow *flow = start_flow(&level, NULL, 1.0);
    for (int i = 1; i <= 20; i++) {
        assert_int_equal(ode_flow_advance(flow, 0.5 * i, &t), ODE_FLOW_TIME);
        assert_near(t, 0.5 * i, 0.0);
        assert_near(ode_flow_values(flow)[0], cos(t), 1e-9);
        assert_near(ode_flow_values(flow)[1], -sin(t), 1e-9);
    }
    /* nothing to go after a restart */
    ode_flow_restart(flow, 3.0);
    assert_int_equal(ode_flow_advance(flow, 3.0 + 1e-15, &t), ODE_FLOW_TIME);
    assert_near(t, 3.0 + 1e-15, 0.0);
    ode_flow_free(flow);
}

static void roots_have_directions(void **unused)
{
    (void)unused;
    const int falling[2] = {-1, 1};
    double level = 0.5, t = 0.0;
    ode_flow *flow = start_flow(&level, falling, 1.0);
    assert_int_equal(ode_flow_advance(flow, 10.0, &t), ODE_FLOW_ROOT);
    assert_near(t, PI / 3.0, 1e-11);
    assert_true(ode_flow_is_root(flow, 0) && !ode_flow_is_root(flow, 1));
    assert_int_equal(ode_flow_advance(flow, 10.0, &t), ODE_FLOW_ROOT); /* y1 rises at pi, y0 at 5 pi / 3 */
    assert_near(t, PI, 1e-11);
    assert_true(!ode_flow_is_root(flow, 0) && ode_flow_is_root(flow, 1));
    assert_int_equal(ode_flow_advance(flow, 10.0, &t), ODE_FLOW_ROOT);
    assert_near(t, 7.0 * PI / 3.0, 1e-10);
    /* restart from a reversed velocity: the flow goes back */
    ode_flow_values(flow)[1] *= -1.0;
    ode_flow_restart(flow, 0.0);
    assert_int_equal(ode_flow_advance(flow, 2.0 * PI / 3.0 - 1e-6, &t), ODE_FLOW_TIME);
    assert_int_equal(ode_flow_advance(flow, 10.0, &t), ODE_FLOW_ROOT);
    assert_near(t, 2.0 * PI / 3.0, 1e-10);
    ode_flow_free(flow);
}

/* cos(t) - level with a level just above -1 is negative for a moment only; the root of the derivative shows
 * it. */
static void goes_back_within_a_step(void **unused)
{
    (void)unused;
    const int both[2] = {-1, 0};
    double level = -1.0 + 1e-8, t = 0.0;
    ode_flow *flow = start_flow(&level, both, 1.0);
    assert_int_equal(ode_flow_advance(flow, 10.0, &t), ODE_FLOW_ROOT);
    if (!ode_flow_is_root(flow, 0)) {
        assert_near(t, PI, 1e-10);
        assert_true(ode_flow_back_to_root(flow, 0, &t));
    }
    assert_near(t, acos(level), 2e-7); /* 1e-11 / slope 1.4e-4 */
    assert_near(ode_flow_values(flow)[0], level, 1e-14);
    /* a function that was negative all the time */
    level = 0.0;
    ode_flow_restart(flow, t);
    assert_int_equal(ode_flow_advance(flow, t + 0.1, &t), ODE_FLOW_ROOT);
    const double before = t;
    assert_false(ode_flow_back_to_root(flow, 0, &t));
    assert_near(t, before, 0.0);
    ode_flow_free(flow);
}

static bool explode(void *context, double t, const double *y, double *rate)
{
    (void)context;
    (void)t;
    rate[0] = y[0] * y[0];
    return true;
}

static bool refuse(void *context, double t, const double *y, double *rate)
{
    (void)context;
    (void)y;
    rate[0] = 1.0;
    return t < 0.5;
}

static ode_flow_end end_of_flow(bool (*rate)(void *, double, const double *, double *), double tolerance,
                                double *t)
{
    const ode_flow_problem problem = {.size = 1,
                                      .rate = rate,
                                      .relative_tolerance = tolerance,
                                      .absolute_tolerance = &tolerance,
                                      .max_step = 1.0};
    ode_flow *flow = NULL;
    assert_int_equal(ode_flow_create(&problem, &flow, NULL), CAROM_OK);
    ode_flow_values(flow)[0] = 1.0;
    ode_flow_restart(flow, 0.0);
    ode_flow_end end = ode_flow_advance(flow, 2.0, t);
    ode_flow_free(flow);
    return end;
}

static void failures_are_told_apart(void **unused)
{
    (void)unused;
    double t = 0.0;
    assert_int_equal(end_of_flow(explode, 1e-10, &t), ODE_FLOW_STALLED);
    assert_near(t, 1.0, 1e-6);
    assert_int_equal(end_of_flow(refuse, 1e-10, &t), ODE_FLOW_NO_RATE);
    assert_true(t <= 0.5);
    assert_int_equal(end_of_flow(explode, 1e-300, &t), ODE_FLOW_FAILED);
    ode_flow_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reaches_a_time),
        cmocka_unit_test(roots_have_directions),
        cmocka_unit_test(goes_back_within_a_step),
        cmocka_unit_test(failures_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
