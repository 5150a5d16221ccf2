/* Steps of discs in a row, solved at once, against sweeps over the same discs, and against the equations. */
#include "drill.h"

enum {
    DISCS = 6
};

/* `apart`: a damper of no size between discs 3 and 5 is no row any more, and no other string either. */
static carom_drill_string *make_string(bool apart)
{
    static const double inertia[DISCS] = {0.064, 0.4, 0.3, 0.5, 0.2, 2.8},
                        wall[DISCS] = {0, 1.1, 0.4, 0.0, 0.8, 0.6};
    carom_drill_string *s;
    carom_error error;
    assert_ok(carom_drill_string_create(DISCS, &s, &error));
    for (int i = 0; i < DISCS; i++) {
        s->inertia[i] = inertia[i];
        s->wall[i] = wall[i];
        if (i > 0)
            carom_drill_join(s, i - 1, i, 0.5 + 0.3 * i, 1e-3 * i);
    }
    carom_drill_join(s, 0, 5, 0.0, 5e-4); /* the bit may be joined to any */
    if (apart)
        carom_drill_join(s, 2, 4, 0.0, 1e-300);
    s->bit = (carom_drill_law){1.232, 0.272, carom_drill_decay(0.5)};
    return s;
}

/* Stops, turns and reversals of all discs. */
static double drive(int step)
{
    return 5.0 * sin(2e-3 * step) + 2.0 * sin(7.3e-3 * step);
}

static void steps_agree_with_sweeps(void **state)
{
    (void)state;
    carom_drill_string *string[2] = {make_string(false), make_string(true)};
    carom_drill_stepper *stepper[2];
    carom_error error;
    double th[2][DISCS] = {{0}}, w[2][DISCS] = {{0}}, r[2][DISCS];
    for (int k = 0; k < 2; k++)
        assert_ok(carom_drill_stepper_create(string[k], 1e-3, 0.5, &stepper[k], &error));
    long stuck = 0, swept = 0, backwards = 0;
    for (int step = 0; step < 20000; step++) {
        for (int k = 0; k < 2; k++)
            assert_ok(carom_drill_step(stepper[k], drive(step), &string[k]->bit, th[k], w[k], r[k], &error));
        swept += carom_drill_stepper_sweeps(stepper[0]) > 0;
        assert_true(carom_drill_stepper_sweeps(stepper[1]) > 0);
        for (int i = 0; i < DISCS; i++) {
            assert_int_equal(w[0][i] == 0.0, w[1][i] == 0.0);
            assert_near(w[0][i], w[1][i], 1e-10);
            assert_near(r[0][i], r[1][i], 1e-7); /* h = 1e-3 divides what speeds differ by */
            stuck += w[0][i] == 0.0;
            backwards += w[0][i] < 0.0;
        }
    }
    /* the motion has everything in it, and sweeps are rare */
    assert_true(stuck > 1000 && backwards > 1000);
    assert_true(swept > 10 && swept < 2000);
    for (int k = 0; k < 2; k++) {
        carom_drill_stepper_free(stepper[k]);
        carom_drill_string_free(string[k]);
    }
}

/* M (W - w) = h (u e_n - K (th + h w / 4 + h W / 4) - D (w + W) / 2 - r), r in T(W) Sign(W) */
static void steps_obey_the_equations(void **state)
{
    (void)state;
    const double h = 1e-3;
    carom_drill_string *s = make_string(false);
    carom_drill_stepper *stepper;
    carom_error error;
    double th[DISCS] = {0}, w[DISCS] = {0}, old_th[DISCS], old_w[DISCS], r[DISCS];
    assert_ok(carom_drill_stepper_create(s, h, 0.5, &stepper, &error));
    for (int step = 0; step < 4000; step++) {
        memcpy(old_th, th, sizeof th);
        memcpy(old_w, w, sizeof w);
        assert_ok(carom_drill_step(stepper, drive(step), &s->bit, th, w, r, &error));
        for (int i = 0; i < DISCS; i++) {
            double torque = i == DISCS - 1 ? drive(step) : 0.0;
            for (int j = 0; j < DISCS; j++)
                torque -= s->stiffness[i * DISCS + j] * 0.5 * (old_th[j] + th[j]) +
                          s->damping[i * DISCS + j] * 0.5 * (old_w[j] + w[j]);
            assert_near(s->inertia[i] * (w[i] - old_w[i]), h * (torque - r[i]), 1e-14);
            const double most = i > 0 ? s->wall[i] : carom_drill_torque(&s->bit, fabs(w[i]));
            if (w[i] == 0.0)
                assert_true(fabs(r[i]) <= most * (1 + 1e-14));
            else
                assert_near(r[i], copysign(most, w[i]), 1e-10);
        }
    }
    carom_drill_stepper_free(stepper);
    carom_drill_string_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_agree_with_sweeps),
        cmocka_unit_test(steps_obey_the_equations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
