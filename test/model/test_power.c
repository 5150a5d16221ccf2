/* The power of a model: how fast its energy changes along the motion, against differences of the energy. */
#include "test/near.h"

#include "carom/linalg.h"
#include "carom/model.h"

/* The double pendulum's kind of coupling, in a frame that moves, with a mass that grows and forces of every kind. */
static carom_model *driven_model(bool moving_frame)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    const carom_node kinetic =
        carom_build_formula(b, moving_frame ? "(1 + 0.1*t)/2*(dot(x) + cos(2*t))^2 + (dot(y) + x)^2/2 + "
                                              "x^2*dot(y)*dot(x)/4"
                                            : "(1 + 0.1*t)/2*dot(x)^2 + dot(y)^2/2 + x^2*dot(y)*dot(x)/4");
    carom_build_kinetic(b, kinetic);
    carom_build_potential(b, carom_build_formula(b, "x^2*y + 3*y*sin(t)"));
    carom_build_force(b, x, carom_build_formula(b, "cos(5*t) - 0.3*dot(x)"));
    carom_build_force(b, carom_build_coordinate(b, "z"), carom_build_formula(b, "x*dot(y)"));
    carom_build_kinetic(b, carom_build_formula(b, "dot(z)^2"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        print_error("%s\n", error.text);
    carom_builder_free(b);
    return model;
}

/* dE/dt along u, u' = M^-1 f, by central differences. */
static double power_along_motion(carom_model_work *work, double t, const double *q, const double *u)
{
    const int n = 3;
    double mass[9], a[3], energy[2];
    work->model->ops->mass(work, t, q, mass);
    work->model->ops->force(work, t, q, u, a);
    assert_int_equal(carom_cholesky_factor(n, mass), 0);
    carom_cholesky_solve(n, mass, a);
    const double step = 1e-5;
    for (int side = 0; side < 2; side++) {
        const double d = side ? step : -step;
        double q_there[3], u_there[3];
        for (int i = 0; i < n; i++) {
            q_there[i] = q[i] + d * u[i];
            u_there[i] = u[i] + d * a[i];
        }
        energy[side] = work->model->ops->energy(work, t + d, q_there, u_there);
    }
    return (energy[1] - energy[0]) / (2.0 * step);
}

static void check_power(carom_model *model)
{
    assert_non_null(model);
    assert_false(model->powerless);
    carom_model_work *work = NULL;
    carom_error error = {0};
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    double scratch[3 * 3 + 2 * 3];
    assert_true(carom_model_power_scratch(model) <= sizeof scratch / sizeof *scratch);
    const double t = 0.7, q[3] = {0.6, -0.4, 0.2}, u[3] = {0.8, 1.1, -0.5};
    assert_near(carom_model_power(work, t, q, u, scratch), power_along_motion(work, t, q, u), 1e-8);
    carom_model_work_free(work);
}

static void power_is_the_rate_of_the_energy(void **state)
{
    (void)state;
    carom_model *model = driven_model(false);
    assert_false(model->moving_frame);
    check_power(model);
    carom_model_free(model);
}

static void a_frame_that_moves_carries_momentum(void **state)
{
    (void)state;
    carom_model *model = driven_model(true);
    assert_true(model->moving_frame);
    check_power(model);
    carom_model_free(model);
}

/* ---- a model that says nothing about its power ---------------------------------------------------------- */

static void pull(void *context, double t, const double *q, const double *v, double *f)
{
    (void)context;
    for (int i = 0; i < 3; i++)
        f[i] = -q[i] - 0.2 * v[i] + t;
}

static double spring(void *context, double t, const double *q)
{
    (void)context, (void)t;
    return (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) / 2.0;
}

static void functions_are_differenced(void **state)
{
    (void)state;
    carom_model *model = NULL;
    carom_error error = {0};
    const carom_model_functions functions = {
        .dof = 3, .masses = (double[]){1.0, 2.0, 3.0}, .force = pull, .potential = spring};
    assert_int_equal(carom_model_from_functions(&functions, &model, &error), CAROM_OK);
    check_power(model);
    carom_model_free(model);
}

static void nothing_drives_a_ball(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, carom_build_formula(b, "dot(y)^2/2"));
    carom_build_potential(b, carom_build_formula(b, "9.81*y"));
    carom_model *model = NULL;
    carom_error error = {0};
    assert_int_equal(carom_build_model(b, &model, &error), CAROM_OK);
    carom_builder_free(b);
    assert_true(model->powerless && !model->moving_frame);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(power_is_the_rate_of_the_energy),
        cmocka_unit_test(a_frame_that_moves_carries_momentum),
        cmocka_unit_test(functions_are_differenced),
        cmocka_unit_test(nothing_drives_a_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
