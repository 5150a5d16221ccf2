#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"

static void expect_bad(beam_case *c, const char *text)
{
    carom_model *model = NULL;
    carom_error error = {0};
    assert_int_equal(carom_beam_model_create(&c->spec, &model, &error), CAROM_BAD_INPUT);
    assert_null(model);
    assert_string_equal(error.text, text);
    assert_int_equal(carom_beam_model_create(&c->spec, &model, NULL), CAROM_BAD_INPUT);
    carom_graph_free(c->graph);
}

static void test_elements(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 1);
    expect_bad(&c, "J = 1: a beam needs at least 2 elements");
    beam_begin(&c, CAROM_BEAM_DIFFERENCE, 1);
    c.spec.line = 8;
    expect_bad(&c, "8: d = 1: a beam needs at least 2 nodes");
    beam_begin(&c, CAROM_BEAM_BSPLINE, 20000000);
    expect_bad(&c, "J = 20000000: a beam may have at most 10000000 elements");
}

static void test_section(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.length = CAROM_NO_NODE;
    expect_bad(&c, "the beam's length is not given");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.area = c.p[2];
    c.spec.inertia = c.p[2];
    expect_bad(&c,
               "both k2 and area are given; keep k2 = E I / (rho S), or modulus, density, area and inertia");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.k2 = CAROM_NO_NODE;
    expect_bad(&c, "the beam's section is not given; write k2 = E I / (rho S), or modulus, density, area and "
                   "inertia");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.k2 = CAROM_NO_NODE;
    c.spec.modulus = c.spec.density = c.spec.inertia = c.p[2];
    expect_bad(&c, "modulus is given but area is not; a section needs modulus, density, area and inertia");
}

static void test_ends_of_differences(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_DIFFERENCE, 4);
    c.spec.right = CAROM_END_PINNED;
    expect_bad(&c,
               "finite differences know a beam that is clamped at the left and free at the right only; use "
               "the basis p3 or bspline for other ends");
}

static void test_dependences(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.length = c.t;
    expect_bad(&c, "length depends on time; it may depend on parameters only");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.restitution = c.x;
    expect_bad(&c, "restitution depends on the place x; it may depend on parameters only");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.load = carom_leaf(c.graph, CAROM_OP_COORDINATE, 0);
    expect_bad(&c, "load depends on coordinates; it may depend on parameters, the place x and time only");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_obstacle(&c, CAROM_NO_NODE, c.t)->line = 5;
    expect_bad(&c, "5: obstacle: upper depends on time; it may depend on parameters and the place x only");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_stop(&c, "guide", 5.0, c.x, CAROM_NO_NODE);
    expect_bad(&c, "stop 'guide': lower depends on the place x; it may depend on parameters only");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_force(&c, 5.0, carom_leaf(c.graph, CAROM_OP_VELOCITY, 0));
    expect_bad(&c, "point force: value depends on velocities; it may depend on parameters and time only");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.velocity.function = c.t;
    expect_bad(&c, "velocity at the start: the function depends on time; it may depend on parameters and the "
                   "place x only");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.probe[add_probe(&c, CAROM_PROBE_SLOPE, 1.0)].x = carom_leaf(c.graph, CAROM_OP_IMPULSE, 0);
    expect_bad(&c, "probe: x depends on impulses; it may depend on parameters only");
}

static void test_stops(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_stop(&c, "guide", 5.0, number(&c, 0.0), CAROM_NO_NODE);
    add_stop(&c, "guide", 2.5, number(&c, 0.0), CAROM_NO_NODE)->line = 6;
    expect_bad(&c, "6: two stops have the name 'guide'; rename one");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_stop(&c, "guide", 5.0, CAROM_NO_NODE, CAROM_NO_NODE);
    expect_bad(&c, "stop 'guide' needs lower, upper or both");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_stop(&c, "guide", 5.0, number(&c, 0.0), CAROM_NO_NODE)->x = CAROM_NO_NODE;
    expect_bad(&c, "stop 'guide': x is not given");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_stop(&c, "", 5.0, number(&c, 0.0), CAROM_NO_NODE);
    expect_bad(&c, "a stop needs a name");
}

static void test_missing_parts(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_obstacle(&c, CAROM_NO_NODE, CAROM_NO_NODE);
    expect_bad(&c, "an obstacle needs lower, upper or both");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    add_force(&c, 5.0, CAROM_NO_NODE);
    expect_bad(&c, "point force: value is not given");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.displacement.mode = 2;
    c.spec.displacement.x = number(&c, 5.0);
    expect_bad(&c,
               "displacement at the start: mode 2 needs a value: it is scaled to the value at the place x");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.spec.displacement.mode = 2;
    c.spec.displacement.function = c.x;
    expect_bad(&c, "displacement at the start: both a function and a mode are given; keep one of them");
    beam_begin(&c, CAROM_BEAM_P3, 4);
    c.probe[add_probe(&c, CAROM_PROBE_MOMENT, 1.0)].x = CAROM_NO_NODE;
    expect_bad(&c, "probe: x is not given");
}

/* A graph that is full already, and one that the beam's own expressions overflow. */
static void test_full_graph(void **state)
{
    (void)state;
    beam_case c;
    carom_model *model;
    beam_begin(&c, CAROM_BEAM_P3, 4);
    const int size = carom_graph_size(c.graph);
    carom_graph_free(c.graph);
    for (int room = size; room < size + 6; room++) {
        c.graph = c.spec.graph = carom_graph_create(room);
        c.x = carom_leaf(c.graph, CAROM_OP_PLACE, 0);
        c.t = carom_leaf(c.graph, CAROM_OP_TIME, 0);
        for (int i = 0; i < BEAM_PARAMETERS; i++)
            c.p[i] = carom_leaf(c.graph, CAROM_OP_PARAMETER, i);
        c.spec.load = times(&c, c.x, c.t);
        const carom_status status = carom_beam_model_create(&c.spec, &model, NULL);
        assert_int_equal(status, room < size + 3 ? CAROM_BAD_INPUT : CAROM_OK);
        carom_model_free(model);
        carom_graph_free(c.graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elements),
        cmocka_unit_test(test_section),
        cmocka_unit_test(test_ends_of_differences),
        cmocka_unit_test(test_dependences),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_missing_parts),
        cmocka_unit_test(test_full_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
