/* One mass on a spring between two walls, x <= 1 and x >= -width, built from expressions. */
#ifndef CAROM_TEST_PERIODIC_TWO_WALLS_H
#define CAROM_TEST_PERIODIC_TWO_WALLS_H

#include "test/periodic/modes_chain.h"

static inline carom_model *two_walls(void)
{
    carom_graph *graph = carom_graph_create(100);
    const carom_node x = carom_leaf(graph, CAROM_OP_COORDINATE, 0),
                     v = carom_leaf(graph, CAROM_OP_VELOCITY, 0);
    const carom_node width = carom_leaf(graph, CAROM_OP_PARAMETER, 0), half = carom_constant(graph, 0.5);
    const carom_node one = carom_constant(graph, 1.0);
    const carom_traced_contact contact[2] = {
        {.name = "right",
         .gap = carom_binary(graph, CAROM_OP_SUB, one, x),
         .restitution = one,
         .stiffness = CAROM_NO_NODE,
         .exponent = CAROM_NO_NODE},
        {.name = "left",
         .gap = carom_binary(graph, CAROM_OP_ADD, width, x),
         .restitution = one,
         .stiffness = CAROM_NO_NODE,
         .exponent = CAROM_NO_NODE},
    };
    const char *const name[] = {"x"};
    const carom_parameter parameter = {.name = "width", .value = 1.1, .min = -INFINITY, .max = INFINITY};
    const carom_node vv = carom_binary(graph, CAROM_OP_MUL, v, v),
                     xx = carom_binary(graph, CAROM_OP_MUL, x, x);
    const carom_traced_spec spec = {.graph = graph,
                                    .dof = 1,
                                    .coordinate = name,
                                    .parameters = 1,
                                    .parameter = &parameter,
                                    .kinetic = carom_binary(graph, CAROM_OP_MUL, half, vv),
                                    .potential = carom_binary(graph, CAROM_OP_MUL, half, xx),
                                    .contacts = 2,
                                    .contact = contact};
    carom_model *model = NULL;
    carom_error error = {0};
    expect_ok(carom_traced_model_create(&spec, &model, &error), &error);
    carom_graph_free(graph);
    return model;
}

#endif
