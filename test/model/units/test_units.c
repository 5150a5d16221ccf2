#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "carom/model/bodies.h"
#include "carom/model/units.h"
#include "carom/run.h"
#include "test/near.h"

static const carom_units units = {.length = 1024.0, .time = 0.25, .mass = 16.0};

static carom_model *rod(bool other)
{
    carom_builder *builder = carom_builder_create();
    carom_build_coordinate(builder, "y");
    carom_build_coordinate(builder, "phi");
    carom_build_parameter(builder, "l", 0.3);
    carom_build_kinetic(builder,
                        carom_build_formula(builder, "0.5*0.7*dot(y)^2 + 0.02*(1 + y^2)*dot(phi)^2"));
    carom_build_potential(builder, carom_build_formula(builder, "0.7*9.81*y + 0.3*phi^2*cos(t)"));
    const int end =
        carom_build_contact(builder, "end", carom_build_formula(builder, "y - l*sin(phi) + 0.1*sin(3*t)"));
    carom_build_slip(builder, end, carom_build_formula(builder, "l*dot(phi) + 0.2"));
    carom_build_friction(builder, end, carom_build_formula(builder, "0.4"));
    carom_build_restitution(builder, end, carom_build_formula(builder, "0.5"));
    carom_build_joint(builder, "guide", carom_build_formula(builder, "y*phi - 0.1*t"));
    carom_model *model = NULL;
    carom_error error = {0};
    assert_int_equal(carom_build_model(builder, &model, &error), CAROM_OK);
    carom_builder_free(builder);
    if (other)
        assert_int_equal(carom_model_in_units(model, &units, &model, &error), CAROM_OK);
    return model;
}

/* A model and the same in other units at the same state. */
typedef struct both {
    carom_model *model[2];
    carom_model_work *work[2];
    double t[2], q[2][2], u[2][2];
} both;

static void open_both(both *self)
{
    const double q[2] = {0.7, 0.4}, u[2] = {-1.3, 2.1}, speed = units.length / units.time;
    for (int k = 0; k < 2; k++) {
        self->model[k] = rod(k == 1);
        assert_int_equal(carom_model_work_create(self->model[k], NULL, &self->work[k], NULL), CAROM_OK);
        self->t[k] = 0.37 * (k ? units.time : 1.0);
        for (int i = 0; i < 2; i++) {
            self->q[k][i] = q[i] * (k ? units.length : 1.0);
            self->u[k][i] = u[i] * (k ? speed : 1.0);
        }
    }
}

static void close_both(both *self)
{
    for (int k = 0; k < 2; k++) {
        carom_model_work_free(self->work[k]);
        carom_model_free(self->model[k]);
    }
}

static void assert_times(int count, double factor, const double *own, const double *other)
{
    for (int i = 0; i < count; i++)
        assert_true(other[i] == factor * own[i]);
}

/* Powers of two: every number is the same times its factor, to the last bit. */
static void numbers_have_the_factor_of_their_unit(void **state)
{
    (void)state;
    both at;
    open_both(&at);
    const carom_unit_factors by = carom_unit_factors_of(&units);
    double mass[2][4], force[2][2], by_q[2][4], by_u[2][4], gap[2], energy[2];
    for (int k = 0; k < 2; k++) {
        const carom_model_ops *ops = at.model[k]->ops;
        ops->mass(at.work[k], at.t[k], at.q[k], mass[k]);
        ops->force(at.work[k], at.t[k], at.q[k], at.u[k], force[k]);
        ops->force_jacobian(at.work[k], at.t[k], at.q[k], at.u[k], by_q[k], by_u[k]);
        ops->gaps(at.work[k], at.t[k], at.q[k], &gap[k]);
        energy[k] = ops->energy(at.work[k], at.t[k], at.q[k], at.u[k]);
    }
    assert_times(4, by.mass, mass[0], mass[1]);
    assert_times(2, by.force, force[0], force[1]);
    assert_times(4, by.force / by.length, by_q[0], by_q[1]);
    assert_times(4, by.force / by.velocity, by_u[0], by_u[1]);
    assert_times(1, by.length, &gap[0], &gap[1]);
    assert_times(1, by.energy, &energy[0], &energy[1]);
    close_both(&at);
}

static void frames_and_constraints(void **state)
{
    (void)state;
    both at;
    open_both(&at);
    const carom_unit_factors by = carom_unit_factors_of(&units);
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame[2];
    double g[2][2], g_t[2][2], h[2][2];
    for (int k = 0; k < 2; k++) {
        const carom_motion motion = {.t = at.t[k], .q = at.q[k], .v = at.u[k]};
        assert_true(carom_contact_frame_take(arena, at.model[k], &frame[k]));
        at.model[k]->ops->frame(at.work[k], 0, at.t[k], at.q[k], &frame[k]);
        at.model[k]->ops->constraints(at.work[k], &motion, g[k], g_t[k], h[k]);
    }
    assert_times(2, 1.0, frame[0].normal.value, frame[1].normal.value);
    assert_times(1, by.velocity, &frame[0].normal_rate, &frame[1].normal_rate);
    assert_times(1, by.velocity, &frame[0].tangent_rate[0], &frame[1].tangent_rate[0]);
    assert_times(1, 1.0, frame[0].coefficients, frame[1].coefficients);
    assert_true(frame[1].restitution == 0.5);
    assert_times(2, by.length, g[0], g[1]);
    assert_times(2, by.velocity, g_t[0], g_t[1]);
    assert_times(2, by.acceleration, h[0], h[1]);
    carom_arena_free(arena);
    close_both(&at);
}

/* The same directions in both units. */
static void derivatives_along_directions(void **state)
{
    (void)state;
    both at;
    open_both(&at);
    const carom_unit_factors by = carom_unit_factors_of(&units);
    const double one = 1.0;
    double force[2][4], gap[2][2];
    for (int k = 0; k < 2; k++) {
        const double q[2] = {0.3 * (k ? by.length : 1.0), -0.2 * (k ? by.length : 1.0)};
        const carom_direction direction[2] = {{.q = q}, {.t = k ? by.time : 1.0, .parameter = &one}};
        const carom_model_tangent_ops *ops = at.model[k]->ops->tangent;
        ops->force(at.work[k], at.t[k], at.q[k], at.u[k], 2, direction, force[k]);
        ops->gaps(at.work[k], at.t[k], at.q[k], 2, direction, gap[k]);
    }
    assert_times(4, by.force, force[0], force[1]);
    assert_times(2, by.length, gap[0], gap[1]);
    close_both(&at);
}

static void bodies_keep_their_angles(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(100000);
    carom_shape *shape = NULL;
    assert_int_equal(carom_shape_box(CAROM_PLANE, (const double[2]){0.4, 0.1}, &shape, NULL), CAROM_OK);
    const carom_body_spec body = {
        .name = "box",
        .kind = CAROM_BODY_FREE,
        .shape = shape,
        .mass = carom_constant(graph, 3.0),
        .inertia = {CAROM_NO_NODE, CAROM_NO_NODE, carom_constant(graph, 0.05), CAROM_NO_NODE, CAROM_NO_NODE,
                    CAROM_NO_NODE},
        .at = {carom_constant(graph, 0.7), carom_constant(graph, 0.3), CAROM_NO_NODE},
        .rotation = {carom_constant(graph, 0.9), CAROM_NO_NODE, CAROM_NO_NODE, CAROM_NO_NODE},
        .velocity = {carom_constant(graph, 1.1), CAROM_NO_NODE, CAROM_NO_NODE},
        .spin = {CAROM_NO_NODE, CAROM_NO_NODE, carom_constant(graph, -2.0)}};
    const carom_bodies_spec spec = {.graph = graph,
                                    .dimension = CAROM_PLANE,
                                    .gravity = {CAROM_NO_NODE, carom_constant(graph, -9.81), CAROM_NO_NODE},
                                    .shapes = 1,
                                    .shape = &shape,
                                    .bodies = 1,
                                    .body = &body,
                                    .materials = 1,
                                    .potential = CAROM_NO_NODE,
                                    .kinetic = CAROM_NO_NODE};
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    assert_int_equal(carom_bodies_model_create(&spec, &model, NULL), CAROM_OK);
    assert_int_equal(carom_model_in_units(model, &units, &model, NULL), CAROM_OK);
    assert_int_equal(carom_model_work_create(model, NULL, &work, NULL), CAROM_OK);
    double q[3], u[3], low[3], high[3];
    const carom_unit_factors by = carom_unit_factors_of(&units);
    const carom_pose origin = carom_pose_identity();
    const carom_bodies *bodies = carom_model_bodies(work);
    model->ops->initial(work, q, u);
    carom_shape_bounds(bodies->body[0].shape, &origin, low, high);
    assert_true(q[0] == 0.7 * by.length && q[1] == 0.3 * by.length && q[2] == 0.9);
    assert_true(u[0] == 1.1 * by.velocity && u[2] == -2.0 / by.time);
    assert_true(bodies->gravity[1] == -9.81 * by.acceleration && bodies->body[0].mass == 3.0 * by.mass);
    assert_true(bodies->body[0].inertia[8] == 0.05 * by.mass * by.length * by.length);
    assert_true(high[0] == 0.2 * by.length && low[1] == -0.05 * by.length);
    carom_model_work_free(work);
    carom_model_free(model);
    carom_graph_free(graph);
}

/* One bouncing ball, run in both units: the same significands and counts. */
static void a_run_is_the_same(void **state)
{
    (void)state;
    carom_run_result result[2];
    carom_error error = {0};
    const double speed = units.length / units.time;
    for (int k = 0; k < 2; k++) {
        carom_builder *builder = carom_builder_create();
        carom_build_coordinate(builder, "y");
        carom_build_kinetic(builder, carom_build_formula(builder, "0.35*dot(y)^2"));
        carom_build_potential(builder, carom_build_formula(builder, "0.7*9.81*y"));
        const int floor = carom_build_contact(builder, "floor", carom_build_formula(builder, "y"));
        carom_build_restitution(builder, floor, carom_build_formula(builder, "0.6"));
        carom_model *model = NULL;
        assert_int_equal(carom_build_model(builder, &model, &error), CAROM_OK);
        carom_builder_free(builder);
        if (k)
            assert_int_equal(carom_model_in_units(model, &units, &model, &error), CAROM_OK);
        const double q0 = k ? units.length : 1.0, v0 = 0.3 * (k ? speed : 1.0), time = k ? units.time : 1.0;
        const carom_run_request request = {.model = model,
                                           .scheme = "moreau-jean",
                                           .q0 = &q0,
                                           .v0 = &v0,
                                           .h = 1e-3 * time,
                                           .until = 2.0 * time};
        assert_int_equal(carom_run(&request, &result[k], &error), CAROM_OK);
        carom_model_free(model);
    }
    const carom_row_layout *layout = &result[0].layout;
    assert_int_equal(result[0].impacts, result[1].impacts);
    assert_true(result[0].impacts > 2);
    assert_times(1, units.length, result[0].final + layout->q, result[1].final + layout->q);
    assert_times(1, speed, result[0].final + layout->v, result[1].final + layout->v);
    for (int k = 0; k < 2; k++)
        carom_run_result_free(&result[k]);
}

static void units_are_read_from_text(void **state)
{
    (void)state;
    carom_units read;
    carom_error error = {0};
    assert_int_equal(carom_units_parse("T=2,L=1e3", &read, &error), CAROM_OK);
    assert_true(read.length == 1e3 && read.time == 2.0 && read.mass == 1.0);
    const char *const wrong[] = {"L", "L=", "L=0", "L=-1", "L=inf", "X=2", "L=2;T=3", "L=2 ,T=3"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(carom_units_parse(wrong[i], &read, &error), CAROM_BAD_INPUT);
    const carom_dimension power = {.length = 2, .time = -1, .mass = 1};
    assert_true(carom_units_factor(&units, power) == 1024.0 * 1024.0 * 4.0 * 16.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_the_factor_of_their_unit),
        cmocka_unit_test(frames_and_constraints),
        cmocka_unit_test(derivatives_along_directions),
        cmocka_unit_test(bodies_keep_their_angles),
        cmocka_unit_test(a_run_is_the_same),
        cmocka_unit_test(units_are_read_from_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
