/* Energies as users write them, with sums in loops and squares of velocities of points, and the forces that follow from them have
 * many terms that are alike or cancel. Written anew with like terms collected they cost a fraction. */
#include "derive.h"

#include <stdlib.h>

#include "model/model_parts.h"

/* What is written anew must have less than this share of the operations: else every bit stays as it was. */
static const double shorter_by = 0.75;

static bool is_shorter(int size, int before)
{
    return size > 0 && (double)size < shorter_by * (double)before;
}

carom_node derive_shorter(carom_graph *graph, carom_node node)
{
    const carom_node collected = carom_collect(graph, node);
    if (collected < 0 || collected == node)
        return node;
    return is_shorter(carom_node_size(graph, collected), carom_node_size(graph, node)) ? collected : node;
}

/* Operations of all together, shared ones once. */
static int length_of(const carom_graph *graph, int count, const carom_node *nodes)
{
    carom_tape *tape = carom_tape_compile(graph, count, nodes);
    const int length = tape ? carom_tape_length(tape) + 1 : 0;
    carom_tape_free(tape);
    return length;
}

void derive_shorter_all(carom_graph *graph, int count, carom_node *nodes)
{
    carom_node *collected = carom_new_array((size_t)count, sizeof *collected);
    for (int i = 0; collected && i < count; i++)
        collected[i] = carom_collect(graph, nodes[i]);
    if (collected && is_shorter(length_of(graph, count, collected), length_of(graph, count, nodes)))
        for (int i = 0; i < count; i++)
            nodes[i] = collected[i];
    free(collected);
}

/* Terms of T that are not quadratic in u: the coordinates are those of a frame that moves. */
static bool has_other_terms(const carom_traced_spec *spec, const derived_model *derived)
{
    carom_graph *graph = spec->graph;
    const carom_node zero = carom_constant(graph, 0.0);
    if (!model_node_is_zero(graph, carom_substitute_leaves(graph, derived->kinetic, CAROM_OP_VELOCITY, zero)))
        return true;
    for (int i = 0; i < spec->dof; i++)
        if (!model_node_is_zero(
                graph, carom_substitute_leaves(graph, derived->momentum[i], CAROM_OP_VELOCITY, zero)))
            return true;
    return false;
}

/* sum_i u_i (1/2 M_ii u_i + sum_j>i M_ij u_j) */
static carom_node quadratic_form(const carom_traced_spec *spec, const derived_model *derived)
{
    carom_graph *graph = spec->graph;
    carom_node sum = carom_constant(graph, 0.0);
    for (int i = 0; i < spec->dof; i++) {
        carom_node row = carom_constant(graph, 0.0);
        for (int k = 0; k < derived->mass[i].count; k++) {
            const int j = derived->mass[i].entry[k].index;
            if (j < i)
                continue;
            carom_node entry = carom_collect(graph, derived->mass[i].entry[k].node);
            if (j == i)
                entry = carom_binary(graph, CAROM_OP_MUL, carom_constant(graph, 0.5), entry);
            const carom_node u = carom_leaf(graph, CAROM_OP_VELOCITY, j);
            row = carom_binary(graph, CAROM_OP_ADD, row, carom_binary(graph, CAROM_OP_MUL, entry, u));
        }
        const carom_node u = carom_leaf(graph, CAROM_OP_VELOCITY, i);
        sum = carom_binary(graph, CAROM_OP_ADD, sum, carom_binary(graph, CAROM_OP_MUL, u, row));
    }
    return sum;
}

bool derive_shorter_kinetic(const carom_traced_spec *spec, derived_model *derived)
{
    if (spec->dof > SHORTER_MAX || has_other_terms(spec, derived))
        return false;
    const carom_node form = quadratic_form(spec, derived);
    if (form < 0 ||
        !is_shorter(carom_node_size(spec->graph, form), carom_node_size(spec->graph, derived->kinetic)))
        return false;
    derived->kinetic = form;
    return true;
}
