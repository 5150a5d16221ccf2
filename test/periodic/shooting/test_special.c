/* What special points are told by: test functions of multipliers, and what happens to an impact without speed or to a flight
 * that vanishes. */
#include "impact_oscillator.h"

#include "periodic/shooting/shooting.h"

static carom_shooting *aim(const carom_model *model, int impacts, const int *contact)
{
    static const double parameter[4] = {2.0, 0.8, 0.05, 0.0};
    return aim_at(model, parameter, CAROM_SHOOT_FORCED, impacts, contact, CAROM_PI);
}

static void tests_change_sign(void **state)
{
    (void)state;
    static const int wall[1] = {0};
    carom_model *model = impact_oscillator();
    carom_shooting *shooting = aim(model, 1, wall);
    static const struct {
        double real[2], imaginary;
        double fold, flip, torus; /* signs */
    } row[] = {
        {{0.5, 0.2}, 0.0, 1, 1, -1},   {{1.5, 0.2}, 0.0, -1, 1, -1}, {{-1.5, 0.2}, 0.0, 1, -1, -1},
        {{0.5, 0.5}, 0.3, 1, 1, -1},   {{0.9, 0.9}, 0.6, 1, 1, 1},   {{-0.9, -0.9}, 0.6, 1, 1, 1},
        {{-1.5, -0.8}, 0.0, 1, -1, 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        carom_branch_point point = {.multiplier = 1.0};
        shooting->multipliers = 2;
        for (int k = 0; k < 2; k++) {
            shooting->real[k] = row[i].real[k];
            shooting->imaginary[k] = k ? -row[i].imaginary : row[i].imaginary;
        }
        shooting_fill_tests(shooting, &point);
        assert_true(point.fold_test * row[i].fold > 0.0);
        assert_true(point.flip_test * row[i].flip > 0.0);
        assert_true(point.torus_test * row[i].torus > 0.0);
    }
    carom_shooting_free(shooting);
    carom_model_free(model);
}

/* The force cos(w t) pushes the mass off the wall or on it: an impact without speed grazes, or the mass stays. */
static void an_impact_without_speed(void **state)
{
    (void)state;
    static const int wall[1] = {0};
    carom_model *model = impact_oscillator();
    carom_shooting *shooting = aim(model, 1, wall);
    for (int i = 0; i < 12; i++) {
        int contact = -1;
        carom_shot *shot = &shooting->shot;
        shot->t0 = 0.1 + CAROM_PI * i / 12.0;
        shot->q[0] = 0.0;
        shot->v[0] = 1e-12;
        shot->flight[0] = shot->period = CAROM_PI;
        shot->approach_impact = 0;
        assert_int_equal(shooting_limit(shooting, true, &contact),
                         cos(2.0 * shot->t0) > 0.0 ? CAROM_SPECIAL_GRAZING : CAROM_SPECIAL_STICKING);
        assert_int_equal(contact, 0);
    }
    carom_shooting_free(shooting);
    carom_model_free(model);
}

/* Two impacts of one contact that meet are a phase of contact that begins. Corners, which need two contacts:
 * test/app/test_orbit_driven.sh. */
static void a_flight_that_vanishes(void **state)
{
    (void)state;
    static const int walls[2] = {0, 0};
    carom_model *model = impact_oscillator();
    carom_shooting *shooting = aim(model, 2, walls);
    int contact = -1;
    shooting->shot.flight[0] = 1e-4;
    shooting->shot.flight[1] = CAROM_PI - 1e-4;
    assert_int_equal(shooting_merging(shooting, &contact), CAROM_SPECIAL_STICKING);
    assert_int_equal(contact, 0);
    carom_shooting_free(shooting);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tests_change_sign),
        cmocka_unit_test(an_impact_without_speed),
        cmocka_unit_test(a_flight_that_vanishes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
