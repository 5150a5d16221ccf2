#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "systems.h"

/* A complete model, so that each case below spoils one thing only. */
static void good_spec(system_spec *s)
{
    system_begin(s);
    s->spec.kinetic = unit_kinetic(s);
    s->contact.gap = s->q[1];
    s->contact.tangents = 1;
    s->contact.slip[0] = s->u[0];
    s->spec.contacts = 1;
    s->spec.contact = &s->contact;
}

static void no_coordinates(system_spec *s)
{
    s->spec.dof = 0;
}

static void no_inertia(system_spec *s)
{
    s->spec.kinetic = CAROM_NO_NODE;
}

static void kinetic_and_mass(system_spec *s)
{
    static carom_node mass[4];
    mass[0] = mass[3] = number(s, 1.0);
    mass[1] = mass[2] = number(s, 0.0);
    s->spec.mass = mass;
}

static void kinetic_of_third_degree(system_spec *s)
{
    s->spec.kinetic = times(s, s->u[0], square(s, s->u[1]));
}

static void kinetic_of_impulse(system_spec *s)
{
    s->spec.kinetic = times(s, s->spec.kinetic, carom_leaf(s->graph, CAROM_OP_IMPULSE, 0));
}

/* Leaves only mass, with one entry replaced. */
static void with_mass(system_spec *s, int entry, carom_node node)
{
    static carom_node mass[4];
    mass[0] = mass[3] = number(s, 2.0);
    mass[1] = mass[2] = number(s, 1.0);
    mass[entry] = node;
    s->spec.kinetic = CAROM_NO_NODE;
    s->spec.mass = mass;
}

static void mass_of_velocity(system_spec *s)
{
    with_mass(s, 3, s->u[0]);
}

static void mass_of_impulse(system_spec *s)
{
    with_mass(s, 0, carom_leaf(s->graph, CAROM_OP_IMPULSE, 0));
}

static void mass_not_symmetric(system_spec *s)
{
    with_mass(s, 1, number(s, 7.0));
}

static void potential_of_velocity(system_spec *s)
{
    s->spec.potential = s->u[0];
}

static void force_of_impulse(system_spec *s)
{
    static carom_node force[2];
    force[0] = number(s, 0.0);
    force[1] = carom_leaf(s->graph, CAROM_OP_IMPULSE, 0);
    s->spec.force = force;
}

static void gap_of_velocity(system_spec *s)
{
    s->contact.gap = plus(s, s->q[0], s->u[0]);
}

static void gap_of_time_only(system_spec *s)
{
    s->contact.gap = s->t;
}

static void slip_not_linear(system_spec *s)
{
    s->contact.slip[0] = square(s, s->u[0]);
}

static void slip_of_absolute_value(system_spec *s)
{
    s->contact.slip[0] = of(s, CAROM_OP_ABS, s->u[0]);
}

static void slip_without_velocity(system_spec *s)
{
    s->contact.slip[0] = s->q[0];
}

static void slip_of_impulse(system_spec *s)
{
    s->contact.slip[0] = plus(s, s->u[0], carom_leaf(s->graph, CAROM_OP_IMPULSE, 0));
}

static void slip_with_too_many_components(system_spec *s)
{
    s->contact.tangents = CAROM_TANGENTS_MAX + 1;
}

static void slip_with_fewer_than_no_components(system_spec *s)
{
    s->contact.tangents = -1;
}

static void restitution_of_velocity(system_spec *s)
{
    s->contact.restitution = s->u[0];
}

static void friction_of_velocity(system_spec *s)
{
    s->contact.friction.dynamic_cone = (carom_friction_cone){&carom_friction_isotropic, 1};
    s->contact.coefficient = &s->u[1];
}

static void test_wrong_expressions_are_refused_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        void (*spoil)(system_spec *s);
        const char *words[2];
    } cases[] = {
        {no_coordinates, {"no coordinates", "coordinates("}},
        {no_inertia, {"no inertia", "kinetic("}},
        {kinetic_and_mass, {"both", "keep one"}},
        {kinetic_of_third_degree, {"quadratic", "dot(a)"}},
        {kinetic_of_impulse, {"kinetic", "impulse"}},
        {mass_of_velocity, {"velocities", "entry b, b"}},
        {mass_of_impulse, {"impulses", "entry a, a"}},
        {mass_not_symmetric, {"symmetric", "entry a, b is 7"}},
        {potential_of_velocity, {"potential", "use force"}},
        {force_of_impulse, {"'b'", "impulse"}},
        {gap_of_velocity, {"'wall'", "not of velocity"}},
        {gap_of_time_only, {"'wall'", "any coordinate"}},
        {slip_not_linear, {"'wall'", "linear"}},
        {slip_of_absolute_value, {"'wall'", "linear"}},
        {slip_without_velocity, {"'wall'", "does not depend on any velocity"}},
        {slip_of_impulse, {"'wall'", "impulse"}},
        {slip_with_too_many_components, {"'wall'", "3 slip components"}},
        {slip_with_fewer_than_no_components, {"'wall'", "-1 slip components"}},
        {restitution_of_velocity, {"'wall'", "restitution"}},
        {friction_of_velocity, {"'wall'", "friction"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        system_spec s;
        good_spec(&s);
        cases[i].spoil(&s);
        carom_model *model = (carom_model *)&s;
        carom_error error = {0};
        assert_int_equal(carom_traced_model_create(&s.spec, &model, &error), CAROM_BAD_INPUT);
        assert_null(model);
        assert_int_equal(error.status, CAROM_BAD_INPUT);
        for (int k = 0; k < 2; k++)
            if (!strstr(error.text, cases[i].words[k]))
                fail_msg("case %zu: '%s' does not say '%s'", i, error.text, cases[i].words[k]);
        assert_int_equal(carom_traced_model_create(&s.spec, &model, NULL), CAROM_BAD_INPUT);
        carom_graph_free(s.graph);
    }
}

static void test_the_line_of_a_contact_stands_before_the_reason(void **state)
{
    (void)state;
    system_spec s;
    good_spec(&s);
    gap_of_velocity(&s);
    s.contact.line = 12;
    carom_model *model;
    carom_error error = {0};
    assert_int_equal(carom_traced_model_create(&s.spec, &model, &error), CAROM_BAD_INPUT);
    assert_memory_equal(error.text, "12: ", 4);
    assert_int_equal(carom_traced_model_create(&s.spec, &model, NULL), CAROM_BAD_INPUT);
    carom_graph_free(s.graph);
}

static void test_the_good_specification_of_these_cases_is_good(void **state)
{
    (void)state;
    system_spec s;
    good_spec(&s);
    built b = build(&s);
    release(&b);
}

static void test_a_graph_without_room_is_reported(void **state)
{
    (void)state;
    carom_graph *graph = carom_graph_create(12);
    const carom_node q = carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                     u = carom_leaf(graph, CAROM_OP_VELOCITY, 0);
    carom_node m = q;
    for (int i = 0; i < 8; i++)
        m = carom_unary(graph, CAROM_OP_SIN, m);
    const carom_traced_spec spec = {.graph = graph,
                                    .dof = 1,
                                    .coordinate = system_coordinate,
                                    .kinetic = carom_binary(graph, CAROM_OP_MUL, m, u),
                                    .potential = CAROM_NO_NODE};
    assert_true(spec.kinetic >= 0);
    carom_model *model;
    carom_error error = {0};
    assert_int_equal(carom_traced_model_create(&spec, &model, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "operations"));
    carom_graph_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_expressions_are_refused_with_the_reason),
        cmocka_unit_test(test_the_line_of_a_contact_stands_before_the_reason),
        cmocka_unit_test(test_the_good_specification_of_these_cases_is_good),
        cmocka_unit_test(test_a_graph_without_room_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
