/* Models from plain functions against the same models from expressions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "carom/run.h"
#include "test/near.h"

/* A bead on a rotating, shaken wire and a block: q = (r, x), with a mass that depends on the position. */
typedef struct wire {
    double omega, mu;
} wire;

static const wire shaken = {1.5, 0.3};

static void wire_mass(void *context, double t, const double *q, double *mass)
{
    (void)context;
    (void)t;
    mass[0] = 1.0 + q[1] * q[1];
    mass[3] = 2.0;
}

/* T = (1 + x^2) r'^2 / 2 + x'^2, V = 2 r^2 + x^4; forces: -0.1 r' on r, sin(omega t) on x. */
static void wire_force(void *context, double t, const double *q, const double *v, double *force)
{
    const wire *self = context;
    force[0] = -4.0 * q[0] - 0.1 * v[0] - 2.0 * q[1] * v[1] * v[0];
    force[1] = -4.0 * pow(q[1], 3) + sin(self->omega * t) + q[1] * v[0] * v[0];
}

static double wire_potential(void *context, double t, const double *q)
{
    (void)context;
    (void)t;
    return 2.0 * q[0] * q[0] + pow(q[1], 4);
}

static void wire_gap(void *context, double t, const double *q, double *gap)
{
    (void)context;
    gap[0] = 3.0 + q[0] + 0.1 * q[1] * q[1] - 0.2 * t;
    gap[1] = 5.0 - q[1];
}

static void wire_slip(void *context, int contact, int tangent, double t, const double *q, double *row,
                      double *rate)
{
    (void)context;
    (void)tangent;
    (void)t;
    assert_int_equal(contact, 0);
    row[1] = 1.0 + q[0];
    *rate = 0.25;
}

static carom_model_functions wire_functions(void)
{
    static const carom_function_contact contact[] = {
        {.name = "stop", .restitution = 0.5, .tangents = 1, .friction = 0.3}, {.restitution = 0.25}};
    static const char *const names[] = {"r", "x"};
    return (carom_model_functions){.context = (void *)&shaken,
                                   .dof = 2,
                                   .coordinate = names,
                                   .mass = wire_mass,
                                   .force = wire_force,
                                   .potential = wire_potential,
                                   .contacts = 2,
                                   .contact = contact,
                                   .gap = wire_gap,
                                   .slip = wire_slip};
}

static carom_model *wire_from_expressions(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "r");
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "omega", 1.5);
    carom_build_kinetic(b, carom_build_formula(b, "(1 + x^2) * dot(r)^2 / 2 + dot(x)^2"));
    carom_build_potential(b, carom_build_formula(b, "2*r^2 + x^4"));
    carom_build_force(b, carom_leaf(carom_builder_graph(b), CAROM_OP_COORDINATE, 0),
                      carom_build_formula(b, "-0.1*dot(r)"));
    carom_build_force(b, x, carom_build_formula(b, "sin(omega*t)"));
    const int stop = carom_build_contact(b, "stop", carom_build_formula(b, "3 + r + 0.1*x^2 - 0.2*t"));
    carom_build_slip(b, stop, carom_build_formula(b, "(1 + r)*dot(x) + 0.25"));
    carom_build_friction(b, stop, carom_build_formula(b, "0.3"));
    carom_build_restitution(b, stop, carom_build_formula(b, "0.5"));
    const int wall = carom_build_contact(b, "contact2", carom_build_formula(b, "5 - x"));
    carom_build_restitution(b, wall, carom_build_formula(b, "0.25"));
    carom_model *model;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

static void all_agree(int count, const double *a, const double *b, double tolerance)
{
    for (int i = 0; i < count; i++)
        assert_near_or_relative(a[i], b[i], tolerance);
}

static void rows_agree(const carom_row *a, const carom_row *b, double tolerance)
{
    double full[2][2];
    carom_row_spread(a, 2, full[0]);
    carom_row_spread(b, 2, full[1]);
    all_agree(2, full[0], full[1], tolerance);
}

static carom_model_work *work_of(const carom_model *model)
{
    carom_model_work *work;
    carom_error error = {0};
    if (carom_model_work_create(model, NULL, &work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return work;
}

static carom_model *model_of(const carom_model_functions *functions)
{
    carom_model *model;
    carom_error error = {0};
    if (carom_model_from_functions(functions, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return model;
}

static void functions_and_expressions_give_one_model(void **state)
{
    (void)state;
    const carom_model_functions functions = wire_functions();
    carom_model *model[2] = {model_of(&functions), wire_from_expressions()};
    carom_model_work *work[2] = {work_of(model[0]), work_of(model[1])};
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame[2];
    carom_random random = {.state = 7};
    for (int i = 0; i < 2; i++)
        assert_true(carom_contact_frame_take(arena, model[i], &frame[i]));
    for (int point = 0; point < 20; point++) {
        double q[2], v[2], mass[2][4], force[2][2], by_q[2][4], by_v[2][4], gap[2][2], energy[2];
        const double t = carom_random_uniform(&random, 0.0, 3.0);
        for (int i = 0; i < 2; i++) {
            q[i] = carom_random_uniform(&random, -1.0, 1.0);
            v[i] = carom_random_uniform(&random, -2.0, 2.0);
        }
        for (int i = 0; i < 2; i++) {
            const carom_model_ops *ops = model[i]->ops;
            ops->mass(work[i], t, q, mass[i]);
            ops->force(work[i], t, q, v, force[i]);
            ops->force_jacobian(work[i], t, q, v, by_q[i], by_v[i]);
            ops->gaps(work[i], t, q, gap[i]);
            energy[i] = ops->energy(work[i], t, q, v);
        }
        all_agree(4, mass[0], mass[1], 1e-14);
        all_agree(2, force[0], force[1], 1e-13);
        all_agree(4, by_q[0], by_q[1], 1e-8);
        all_agree(4, by_v[0], by_v[1], 1e-8);
        all_agree(2, gap[0], gap[1], 1e-14);
        all_agree(1, &energy[0], &energy[1], 1e-14);
        for (int k = 0; k < 2; k++) {
            for (int i = 0; i < 2; i++)
                model[i]->ops->frame(work[i], k, t, q, &frame[i]);
            rows_agree(&frame[0].normal, &frame[1].normal, 1e-9);
            all_agree(1, &frame[0].normal_rate, &frame[1].normal_rate, 1e-9);
            assert_true(frame[0].restitution == frame[1].restitution);
            assert_int_equal(model[0]->contact[k].tangents, model[1]->contact[k].tangents);
            assert_string_equal(model[0]->contact[k].name, model[1]->contact[k].name);
        }
        model[0]->ops->frame(work[0], 0, t, q, &frame[0]);
        model[1]->ops->frame(work[1], 0, t, q, &frame[1]);
        rows_agree(&frame[0].tangent[0], &frame[1].tangent[0], 1e-14);
        assert_true(frame[0].tangent_rate[0] == 0.25 && frame[0].coefficients[0] == 0.3);
    }
    carom_arena_free(arena);
    for (int i = 0; i < 2; i++) {
        carom_model_work_free(work[i]);
        carom_model_free(model[i]);
    }
}

/* One Jacobian may be asked for alone, from differences and from a function. */
static void jacobian_of_a_spring(void *context, double t, const double *q, const double *v, double *by_q,
                                 double *by_v)
{
    (void)context;
    (void)t;
    (void)q;
    (void)v;
    by_q[0] = -4.0;
    by_v[0] = -0.5;
}

static void spring(void *context, double t, const double *q, const double *v, double *force)
{
    (void)context;
    (void)t;
    force[0] = -4.0 * q[0] - 0.5 * v[0];
}

static void jacobians_come_one_by_one(void **state)
{
    (void)state;
    carom_model_functions functions = {.dof = 1, .masses = (double[]){2.0}, .force = spring};
    for (int given = 0; given < 2; given++) {
        functions.force_jacobian = given ? jacobian_of_a_spring : NULL;
        carom_model *model = model_of(&functions);
        carom_model_work *work = work_of(model);
        const double q = 0.3, v = -0.2;
        double by_q, by_v;
        model->ops->force_jacobian(work, 0.0, &q, &v, &by_q, NULL);
        model->ops->force_jacobian(work, 0.0, &q, &v, NULL, &by_v);
        all_agree(1, &by_q, &(double){-4.0}, 1e-9);
        all_agree(1, &by_v, &(double){-0.5}, 1e-9);
        carom_model_work_free(work);
        carom_model_free(model);
    }
}

static void weight(void *context, double t, const double *q, const double *v, double *force)
{
    (void)context;
    (void)t;
    (void)q;
    (void)v;
    force[0] = -10.0;
}

static void height(void *context, double t, const double *q, double *gap)
{
    (void)context;
    (void)t;
    gap[0] = q[0];
}

/* Every scheme runs the ball or says why not. */
static void every_scheme_runs_the_ball_or_says_why_not(void **state)
{
    (void)state;
    const carom_model_functions functions = {.dof = 1,
                                             .masses = (double[]){1.0},
                                             .force = weight,
                                             .contacts = 1,
                                             .gap = height,
                                             .contact = &(carom_function_contact){.restitution = 0.5}};
    carom_model *model = model_of(&functions);
    assert_string_equal(model->coordinate[0], "q1");
    assert_true(model->constant_mass);
    int ran = 0;
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        carom_run_result result;
        carom_error error = {0};
        const carom_status status = carom_run(&(carom_run_request){.model = model,
                                                                   .scheme = carom_scheme_at(i)->name,
                                                                   .q0 = (double[]){1.0},
                                                                   .h = 1e-3,
                                                                   .until = 0.5},
                                              &result, &error);
        if (status == CAROM_OK) {
            /* free fall, the impact at t = sqrt(0.2), then up again at most with half the speed */
            assert_true(result.steps == 500 && result.impacts == 1);
            assert_true(result.final[result.layout.q] > -1e-2 && result.final[result.layout.q] < 0.5);
            ran++;
        } else {
            assert_int_equal(status, CAROM_BAD_INPUT);
            assert_true(strlen(error.text) > 20);
        }
        carom_run_result_free(&result);
    }
    assert_int_equal(
        ran, 5); /* the others have a rule of their own for the rebound, or want more than functions */
    carom_model_free(model);
}

static void expect_refused(const carom_model_functions *functions, const char *words)
{
    carom_model *model;
    carom_error error = {0};
    assert_int_equal(carom_model_from_functions(functions, &model, &error), CAROM_BAD_INPUT);
    assert_null(model);
    if (!strstr(error.text, words))
        fail_msg("'%s' is not in: %s", words, error.text);
}

static void what_is_missing_is_said(void **state)
{
    (void)state;
    carom_model_functions f = {0};
    carom_function_contact contact = {0};
    expect_refused(&f, "no coordinates");
    f.dof = 1;
    expect_refused(&f, "no inertia");
    f.masses = (double[]){1.0};
    f.mass = wire_mass;
    expect_refused(&f, "more than one inertia");
    f.mass = NULL;
    f.contacts = -1;
    expect_refused(&f, "-1 contacts");
    f.contacts = 1;
    expect_refused(&f, "need the function gap");
    f.gap = height;
    f.contact = &contact;
    contact.restitution = 1.5;
    expect_refused(&f, "restitution 1.5");
    contact.restitution = 0.0;
    contact.friction = 0.2;
    expect_refused(&f, "direction to slip in");
    contact.tangents = 3;
    expect_refused(&f, "3 slip components");
    contact.tangents = 1;
    expect_refused(&f, "give the function slip");
    contact.friction = -1.0;
    expect_refused(&f, "friction -1");
}

/* ---- units ------------------------------------------------------------------------------------------------- */

/* A pendulum of length L with a hanging mass on a spring, and a gap to a floor that moves. */
typedef struct unit_system {
    double L, T, M;
} unit_system;

static void unit_force(void *context, double t, const double *q, const double *v, double *force)
{
    const unit_system *in = context;
    const double F = in->M * in->L / (in->T * in->T), x = q[0] / in->L, y = q[1] / in->L,
                 u = v[0] * in->T / in->L;
    (void)t;
    force[0] = F * (2.0 - sin(x) - 0.5 * u * u * u - 0.25 * u);
    force[1] = F * (1.0 - 3.0 * y - y * y * y + x);
}

static void unit_gap(void *context, double t, const double *q, double *gap)
{
    const unit_system *in = context;
    gap[0] = q[1] + in->L - in->L * (1.0 + 0.5 * sin(t / in->T)) + 0.25 * q[0] * q[0] / in->L;
}

/* Derivatives that are not given, against those in closed form, at positions and times that are zero, tiny and large. */
static void differences_have_no_unit(void **state)
{
    (void)state;
    static const int power[] = {-20, -10, 0, 10, 20};
    static const double at[][5] = {{0.5, 0.25, 1.0, 0.0, 0.75}, {0.0, 0.0, 0.0, 0.0, 0.0},
                                   {1e-9, 0.0, 0.0, 0.0, 0.0},  {1e-14, -1e-13, 1.0, 0.5, 2.0},
                                   {30.0, 2.0, -1.0, 1.0, 1e3}, {0.0, 0.0, 1.0, 0.0, 0.0}};
    for (int k = 0; k < 25; k++) {
        const unit_system in = {ldexp(1.0, power[k / 5]), ldexp(1.0, power[k % 5]),
                                ldexp(1.0, power[4 - k % 5])};
        const double mass[] = {in.M, in.M};
        const carom_model_functions given = {.context = (void *)&in,
                                             .dof = 2,
                                             .masses = mass,
                                             .force = unit_force,
                                             .contacts = 1,
                                             .gap = unit_gap};
        carom_model *model = NULL;
        carom_model_work *work = NULL;
        carom_contact_frame frame = {0};
        carom_arena *arena = carom_arena_create();
        assert_int_equal(carom_model_from_functions(&given, &model, NULL), CAROM_OK);
        assert_int_equal(carom_model_work_create(model, NULL, &work, NULL), CAROM_OK);
        assert_true(carom_contact_frame_take(arena, model, &frame));
        for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
            const double *p = at[i], t = p[4] * in.T, x = p[0], y = p[1], u = p[2];
            const double q[] = {x * in.L, y * in.L}, v[] = {u * in.L / in.T, p[3] * in.L / in.T};
            double by_q[4], by_v[4];
            model->ops->force_jacobian(work, t, q, v, by_q, by_v);
            model->ops->frame(work, 0, t, q, &frame);
            for (int j = 0; j < 4; j++) {
                by_q[j] *= in.T * in.T / in.M;
                by_v[j] *= in.T / in.M;
            }
            assert_all_near(4, by_q, (const double[]){-cos(x), 0.0, 1.0, -3.0 - 3.0 * y * y}, 2e-7);
            assert_all_near(4, by_v, (const double[]){-1.5 * u * u - 0.25, 0.0, 0.0, 0.0}, 2e-7);
            assert_all_near(2, frame.normal.value, (const double[]){0.5 * x, 1.0}, 2e-7);
            assert_near(frame.normal_rate * in.T / in.L, -0.5 * cos(p[4]), 2e-7);
        }
        carom_model_work_free(work);
        carom_model_free(model);
        carom_arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_and_expressions_give_one_model),
        cmocka_unit_test(jacobians_come_one_by_one),
        cmocka_unit_test(every_scheme_runs_the_ball_or_says_why_not),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(differences_have_no_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
