/* What schemes ask of joints at the start of a run. */
#include "test/scheme/jointed.h"

#include "scheme/parts/joints_start.h"

static carom_status start(jointed *model, double t, bool project, double *q, double *v,
                          carom_warnings *warnings, carom_error *error)
{
    *warnings = (carom_warnings){0};
    *error = (carom_error){0};
    return joints_prepare_start(&model->hand.work, t, project, q, v, warnings, error);
}

static void init_pin(jointed *model)
{
    jointed_init(model, 3, 0, 2);
    model->joint = pin_joint;
    model->hand.mass[8] = 0.1;
}

/* Consistent data stay as they are, to the last bit. */
static void good_start(void **unused)
{
    (void)unused;
    jointed model;
    carom_warnings warnings;
    carom_error error;
    init_pin(&model);
    for (int project = 0; project < 2; project++) {
        const double q0[3] = {cos(0.7), sin(0.7), 0.7}, v0[3] = {-2.0 * sin(0.7), 2.0 * cos(0.7), 2.0};
        double q[3], v[3];
        memcpy(q, q0, sizeof q);
        memcpy(v, v0, sizeof v);
        assert_int_equal(start(&model, 0.0, project, q, v, &warnings, &error), CAROM_OK);
        assert_memory_equal(q, q0, sizeof q);
        assert_memory_equal(v, v0, sizeof v);
        assert_int_equal(warnings.count, 0);
    }
    model.hand.model.joints = 0;
    double q[3] = {0.0}, v[3] = {1.0, 0.0, 0.0};
    assert_int_equal(start(&model, 0.0, false, q, v, &warnings, &error), CAROM_OK);
}

static void bad_position_and_velocity(void **unused)
{
    (void)unused;
    jointed model;
    carom_warnings warnings;
    carom_error error;
    init_pin(&model);
    double q[3] = {1.0, 1e-6, 0.0}, v[3] = {0.0, 0.0, 0.0};
    assert_int_equal(start(&model, 0.0, false, q, v, &warnings, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "initial position does not satisfy joint 'b': its value is 1e-06");
    assert_mentions(&error, "within 1e-12"); /* all terms of the joint vanish but the one that is wrong */
    assert_mentions(&error, "initial=project");
    q[1] = 0.0;
    v[2] = 3.0;
    assert_int_equal(start(&model, 0.0, false, q, v, &warnings, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "initial velocity does not satisfy joint 'b': its rate is -3");
    q[0] = NAN;
    assert_int_equal(start(&model, 0.0, true, q, v, &warnings, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "finite");
}

/* Rounding of data with 16 digits is no violation; one of 1e-8 is. */
static void tolerance_is_relative(void **unused)
{
    (void)unused;
    jointed model;
    carom_warnings warnings;
    carom_error error;
    jointed_init(&model, 3, 0, 1);
    model.joint = linear_joint;
    model.fixed_rows = true;
    const double joint[4] = {1.0, -1.0, 0.0, 0.0};
    memcpy(model.hand.data, joint, sizeof joint);
    double v[3] = {0.0};
    for (int bad = 0; bad < 2; bad++) {
        double q[3] = {1e6, 1e6 * (bad ? 1.0 + 1e-8 : 1.0 + 1e-10), 0.0};
        assert_int_equal(start(&model, 0.0, false, q, v, &warnings, &error),
                         bad ? CAROM_BAD_INPUT : CAROM_OK);
    }
}

/* The point of x + 2 y = 5 next to the origin in the metric diag(1, 4): x = 5/2, y = 5/4; likewise v. */
static void projects_in_the_metric(void **unused)
{
    (void)unused;
    jointed model;
    carom_warnings warnings;
    carom_error error;
    jointed_init(&model, 2, 0, 1);
    model.joint = linear_joint;
    model.hand.mass[3] = 4.0;
    const double joint[4] = {1.0, 2.0, 0.0, 5.0};
    memcpy(model.hand.data, joint, sizeof joint);
    double q[2] = {0.0, 0.0}, v[2] = {1.0, 1.0};
    assert_int_equal(start(&model, 0.0, true, q, v, &warnings, &error), CAROM_OK);
    assert_near(q[0], 2.5, 1e-14);
    assert_near(q[1], 1.25, 1e-14);
    assert_near(v[0], 1.0 - 1.5, 1e-14); /* p = -3 / (1 + 1), v + M^-1 G^T p */
    assert_near(v[1], 1.0 - 0.75, 1e-14);
    assert_int_equal(warnings.count, 2);
    assert_non_null(strstr(warnings.text[0], "position, most that of 'q1': by 2.5 to 2.5"));
    assert_non_null(strstr(warnings.text[1], "velocity, most that of 'q1': by -1.5 to -0.5"));
}

/* Joints that bend, far away at first; and one that moves in time. */
static void projects_nonlinear_joints(void **unused)
{
    (void)unused;
    jointed model;
    carom_warnings warnings;
    carom_error error;
    init_pin(&model);
    double q[3] = {0.0, 0.0, 0.5}, v[3] = {0.0, 0.0, 2.0};
    assert_int_equal(start(&model, 0.0, true, q, v, &warnings, &error), CAROM_OK);
    assert_near(q[0], cos(q[2]), 1e-12);
    assert_near(q[1], sin(q[2]), 1e-12);
    assert_near(v[0], -v[2] * sin(q[2]), 1e-13);
    assert_near(v[1], v[2] * cos(q[2]), 1e-13);
    assert_near(v[2], 2.0 * 0.1 / 1.1, 1e-13); /* moment of momentum about the pin is kept */

    jointed_init(&model, 4, 0, 1);
    model.joint = rod_joint;
    double place[4] = {0.0, 0.0, 3.0, 0.0}, speed[4] = {0.0, 1.0, 0.0, -1.0};
    assert_int_equal(start(&model, 2.0, true, place, speed, &warnings, &error), CAROM_OK);
    assert_near(place[2] - place[0], 3.0, 0.0); /* it is 2 + 2/2 long */
    assert_near(speed[2] - speed[0], 0.5, 1e-14);
    assert_near(speed[2] + speed[0], 0.0, 1e-14);
    assert_int_equal(warnings.count, 1);
}

static void no_position_to_project_to(void **unused)
{
    (void)unused;
    jointed model;
    carom_warnings warnings;
    carom_error error;
    jointed_init(&model, 4, 0, 1);
    model.joint = rod_joint;
    double q[4] = {0.0, 0.0, 0.0, 0.0}, v[4] = {0.0};
    assert_int_equal(start(&model, 0.0, true, q, v, &warnings, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "joint 'a' has a zero gradient");
}

static carom_status start_linear(jointed *model, int joints, const double *data, carom_error *error)
{
    carom_warnings warnings;
    double q[3] = {0.0}, v[3] = {0.0};
    jointed_init(model, 3, 0, joints);
    model->joint = linear_joint;
    memcpy(model->hand.data, data, (size_t)(4 * joints) * sizeof *data);
    return start(model, 0.0, false, q, v, &warnings, error);
}

static void dependent_joints(void **unused)
{
    (void)unused;
    jointed model;
    carom_error error;
    const double repeated[] = {1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, -1e5, 0.0, -1e5, 0.0};
    assert_int_equal(start_linear(&model, 3, repeated, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "joint 'c' depends on the others: remove one of 'a', 'c'");
    const double sum[] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, -3.0, 0.0, 0.0};
    assert_int_equal(start_linear(&model, 3, sum, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "depends on the others");
    assert_mentions(&error, "'a'");
    assert_mentions(&error, "'b'");
    assert_mentions(&error, "'c'");
    const double too_many[] = {1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
                               0.0, 0.0, 1.0, 0.0, 0.3, 0.2, 0.7, 0.0};
    assert_int_equal(start_linear(&model, 4, too_many, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "depends on the others");
    assert_int_equal(start_linear(&model, 3, too_many, &error), CAROM_OK);
    /* of different sizes, but independent: an angle of 1e-5 between directions is enough */
    const double skew[] = {1e8, 0.0, 0.0, 0.0, 1e-8, 1e-13, 0.0, 0.0};
    assert_int_equal(start_linear(&model, 2, skew, &error), CAROM_OK);
}

static void bad_mass(void **unused)
{
    (void)unused;
    jointed model;
    carom_warnings warnings;
    carom_error error;
    init_pin(&model);
    model.hand.mass[4] = 0.0;
    double q[3] = {1.0, 0.0, 0.0}, v[3] = {0.0};
    assert_int_equal(start(&model, 0.0, false, q, v, &warnings, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "not positive definite");
    assert_mentions(&error, "'q2'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_start),
        cmocka_unit_test(bad_position_and_velocity),
        cmocka_unit_test(tolerance_is_relative),
        cmocka_unit_test(projects_in_the_metric),
        cmocka_unit_test(projects_nonlinear_joints),
        cmocka_unit_test(no_position_to_project_to),
        cmocka_unit_test(dependent_joints),
        cmocka_unit_test(bad_mass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
