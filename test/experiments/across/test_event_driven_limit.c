/* Published experiments with friction and joints: event-driven is what schemes with steps tend to, and keeps the joints. */
#include "test/experiments/trial.h"

typedef struct limit {
    const char *experiment, *variant;
    double until;
    double h; /* of moreau-jean, and a tenth of it */
    int coordinate;
    double off;    /* at most, with h / 10 */
    double closer; /* at least, from h to h / 10 */
} limit;

static double position_of(const limit *what, const char *scheme, double h, double *drift)
{
    const trial_request request = {
        .experiment = what->experiment,
        .variant = what->variant,
        .scheme = scheme,
        .h = h,
        .until = what->until,
        .option = {{(char *)(strcmp(scheme, "event-driven") == 0 ? "zeno" : "theta"),
                    (char *)(strcmp(scheme, "event-driven") == 0 ? "continue" : "0.5")}}};
    trial run = trial_run(&request);
    const double x = run.result.final[run.result.layout.q + what->coordinate];
    *drift = run.result.certificate.drift;
    trial_free(&run);
    return x;
}

static void schemes_with_steps_tend_to_it(void **unused)
{
    (void)unused;
    skip_when_slow();
    static const limit limits[] = {
        {"moreau-1986/trial-09", NULL, 12.0, 1e-3, 0, 3e-3, 7.0},
        {"moreau-1986/trial-09", "plate-13", 0.0, 1e-3, 0, 7e-2, 7.0},
        {"moreau-1986/trial-10", "plate-15", 2.0, 1e-4, 2, 3e-3, 4.0},
        {"moreau-1986/trial-10", "plate-16", 2.0, 1e-4, 2, 3e-3, 4.0},
        {"lamarque-2018/friction-oscillator", NULL, 0.0, 1e-3, 0, 2e-9, 20.0},
        {"mechanisms/four-bar", "free", 0.0, 1e-3, 2, 2e-6, 20.0},
        {"mechanisms/four-bar", NULL, 2.0, 1e-3, 2, 1e-3, 4.0},
        {"bruls-2018/pendulum", NULL, 0.0, 1e-3, 2, 2e-7, 50.0},
        {"bruls-2018/bouncing-pendulum", NULL, 0.0, 1e-3, 2, 2e-8, 50.0},
        {"mechanisms/slider-crank-clearance", NULL, 0.01, 1e-5, 5, 2e-5, 3.0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const limit *what = &limits[i];
        double drift = 0.0, other = 0.0;
        const double exact =
            position_of(what, "event-driven", 1e-3 < what->h ? 1e-3 : 10.0 * what->h, &drift);
        const double far = fabs(position_of(what, "moreau-jean", what->h, &other) - exact);
        const double near = fabs(position_of(what, "moreau-jean", 0.1 * what->h, &other) - exact);
        if (!(near <= what->off) || !(far >= what->closer * near) || !(drift < 1e-10))
            print_error("%s %s: off by %.3g with h = %g, by %.3g with a tenth; drift %.3g\n",
                        what->experiment, what->variant ? what->variant : "", far, what->h, near, drift);
        assert_true(near <= what->off);
        assert_true(far >= what->closer * near);
        assert_true(drift < 1e-10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(schemes_with_steps_tend_to_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
