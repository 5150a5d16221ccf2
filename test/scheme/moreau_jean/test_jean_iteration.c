/* Newton's method of moreau-jean: it begins where the motion leads, with one matrix a step, and its step is the solution all the
 * same, also of a stepper that goes on from what was kept. */
#include "test/scheme/built_models.h"

#include "scheme/moreau_jean/moreau_jean.h"
#include "test/near.h"

/* A double pendulum whose tip meets a wall. */
static const built_spec pendulum = {
    .kinetic = "dot(x)^2 + dot(y)^2/2 + cos(x - y)*dot(x)*dot(y)",
    .potential = "-19.62*cos(x) - 9.81*cos(y)",
    .gap = {"-0.3 - sin(x) - sin(y)"},
    .restitution = "0.5",
};
static const double q_start[2] = {-0.9, -0.6}, v_start[2] = {0.0, 0.0};

static void mass_of(const double q[2], double mass[4])
{
    mass[0] = 2.0;
    mass[1] = mass[2] = cos(q[0] - q[1]);
    mass[3] = 1.0;
}

static void force_of(const double q[2], const double v[2], double force[2])
{
    const double s = sin(q[0] - q[1]);
    force[0] = -s * v[1] * v[1] - 19.62 * sin(q[0]);
    force[1] = s * v[0] * v[0] - 9.81 * sin(q[1]);
}

/* M(q_m)(v - v_n) = h/2 (f_n + f) + row^T p, written out: rounding is all that is left of it. */
static void every_step_is_solved(void **unused)
{
    (void)unused;
    const double h = 1e-3;
    built made = built_start(&pendulum, "moreau-jean", h, q_start, v_start);
    const carom_state *state = &made.stepper->state;
    double worst = 0.0;
    int impacts = 0, extrapolated = 0;
    for (int i = 0; i < 2000; i++) {
        double q[2], v[2], f_old[2], f_new[2], middle[2], mass[4];
        memcpy(q, state->q, sizeof q);
        memcpy(v, state->v, sizeof v);
        force_of(q, v, f_old);
        built_steps(&made, 1);
        force_of(state->q, state->v, f_new);
        for (int k = 0; k < 2; k++)
            middle[k] = 0.5 * (q[k] + state->q[k]);
        mass_of(middle, mass);
        for (int k = 0; k < 2; k++) {
            double left = -0.5 * h * (f_old[k] + f_new[k]) + cos(state->q[k]) * state->impulse[0];
            for (int l = 0; l < 2; l++)
                left += mass[2 * k + l] * (state->v[l] - v[l]);
            worst = fmax(worst, fabs(left));
        }
        impacts += state->impulse[0] > 0.0;
        extrapolated += ((const moreau_jean *)made.stepper)->past.smooth > 1;
    }
    assert_near(worst, 0.0, 2e-14);
    assert_true(impacts > 2 && extrapolated > 1900 && extrapolated < 2000);
    built_free(&made);
}

static void goes_on(void **unused)
{
    (void)unused;
    static const long kept_after[] = {1, 2, 3, 700, 1500};
    for (size_t i = 0; i < sizeof kept_after / sizeof *kept_after; i++) {
        built whole = built_start(&pendulum, "moreau-jean", 1e-3, q_start, v_start);
        built other = built_start(&pendulum, "moreau-jean", 1e-3, q_start, v_start);
        assert_goes_on(&whole, &other, kept_after[i], 2000);
        built_free(&whole);
        built_free(&other);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_solved),
        cmocka_unit_test(goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
