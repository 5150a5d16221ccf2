#include "constraints.h"

#include <stdlib.h>

/* Expressions on the way to the tapes; memory from a scratch arena. */
typedef struct expressions {
    carom_graph *graph;
    int n, constraints;
    carom_node *q, *v, *a, *lambda, time;
    carom_node *g, *g_t, *rate, *h; /* per constraint */
    carom_node_row *rows;           /* likewise: G */
    carom_node *residual;           /* M a - G^T lambda - f */
    carom_node *curvature;          /* G a + h */
} expressions;

static carom_node add(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_ADD, a, b);
}

static carom_node times(carom_graph *graph, carom_node a, carom_node b)
{
    return carom_binary(graph, CAROM_OP_MUL, a, b);
}

static bool take_leaves(carom_graph *graph, carom_arena *arena, carom_op op, int count, carom_node **leaf)
{
    *leaf = carom_arena_take(arena, (size_t)count, sizeof **leaf);
    for (int i = 0; *leaf && i < count; i++)
        (*leaf)[i] = carom_leaf(graph, op, i);
    return *leaf != NULL;
}

static bool take_expressions(const carom_traced_spec *spec, carom_arena *arena, expressions *e)
{
    *e = (expressions){.graph = spec->graph, .n = spec->dof, .constraints = spec->joints + spec->contacts};
    const size_t n = (size_t)e->n, constraints = (size_t)e->constraints;
    carom_node **per_constraint[] = {&e->g, &e->g_t, &e->rate, &e->h, &e->curvature};
    for (size_t i = 0; i < sizeof per_constraint / sizeof *per_constraint; i++)
        if (!(*per_constraint[i] = carom_arena_take(arena, constraints, sizeof(carom_node))))
            return false;
    e->rows = carom_arena_take(arena, constraints, sizeof *e->rows);
    e->residual = carom_arena_take(arena, n, sizeof(carom_node));
    e->time = carom_leaf(e->graph, CAROM_OP_TIME, 0);
    return e->rows && e->residual && take_leaves(e->graph, arena, CAROM_OP_COORDINATE, e->n, &e->q) &&
           take_leaves(e->graph, arena, CAROM_OP_VELOCITY, e->n, &e->v) &&
           take_leaves(e->graph, arena, CAROM_OP_ACCELERATION, e->n, &e->a) &&
           take_leaves(e->graph, arena, CAROM_OP_MULTIPLIER, e->constraints, &e->lambda);
}

static carom_node row_product(const expressions *e, const carom_node_row *row, const carom_node *x)
{
    carom_node sum = carom_constant(e->graph, 0.0);
    for (int k = 0; k < row->count; k++)
        sum = add(e->graph, sum, times(e->graph, row->entry[k].node, x[row->entry[k].index]));
    return sum;
}

/* g, G, g_t, the rate G v + g_t, its derivative along the motion h, and G a + h. */
static bool derive_constraints(const carom_traced_spec *spec, const derived_model *derived,
                               carom_arena *arena, expressions *e)
{
    for (int k = 0; k < e->constraints; k++) {
        const bool joint = k < spec->joints;
        e->g[k] = joint ? spec->joint[k].value : spec->contact[k - spec->joints].gap;
        if (!joint)
            e->rows[k] = derived->contact[k - spec->joints].row[0];
        else if (!carom_gradient_row(e->graph, e->g[k], CAROM_OP_COORDINATE, arena, &e->rows[k]))
            return false;
        carom_gradient(e->graph, e->g[k], 1, &e->time, &e->g_t[k]);
        e->rate[k] = add(e->graph, row_product(e, &e->rows[k], e->v), e->g_t[k]);
        carom_along_motion(e->graph, 1, &e->rate[k], &e->h[k]);
        e->curvature[k] = add(e->graph, row_product(e, &e->rows[k], e->a), e->h[k]);
    }
    return true;
}

static void derive_residual(const derived_model *derived, expressions *e)
{
    for (int i = 0; i < e->n; i++) {
        const carom_node_row *mass = &derived->mass[i];
        carom_node sum = carom_unary(e->graph, CAROM_OP_NEG, derived->force[i]);
        for (int k = 0; k < mass->count; k++)
            sum = add(e->graph, sum, times(e->graph, mass->entry[k].node, e->a[mass->entry[k].index]));
        e->residual[i] = sum;
    }
    for (int c = 0; c < e->constraints; c++)
        for (int k = 0; k < e->rows[c].count; k++) {
            const carom_node_entry *entry = &e->rows[c].entry[k];
            e->residual[entry->index] = carom_binary(e->graph, CAROM_OP_SUB, e->residual[entry->index],
                                                     times(e->graph, entry->node, e->lambda[c]));
        }
}

/* The Jacobian of some nodes, compiled. */
static bool compile_jacobian(expressions *e, int rows, const carom_node *nodes, carom_op leaf,
                             carom_arena *arena, sparse_tape *map)
{
    carom_arena *scratch = carom_arena_create();
    carom_node_row *row = scratch ? carom_arena_take(scratch, (size_t)rows, sizeof *row) : NULL;
    bool compiled = row != NULL;
    for (int i = 0; compiled && i < rows; i++)
        compiled = carom_gradient_row(e->graph, nodes[i], leaf, scratch, &row[i]);
    compiled = compiled && sparse_tape_compile(e->graph, rows, e->n, row, arena, map);
    carom_arena_free(scratch);
    return compiled;
}

/* -df/dv from df/dv, which the model has already. */
static bool compile_damping(expressions *e, const derived_model *derived, carom_arena *arena,
                            sparse_tape *map)
{
    carom_arena *scratch = carom_arena_create();
    carom_node_row *damping = scratch ? carom_arena_take(scratch, (size_t)e->n, sizeof *damping) : NULL;
    bool taken = damping != NULL;
    for (int i = 0; taken && i < e->n; i++) {
        const carom_node_row *by_u = &derived->force_by_u[i];
        damping[i] = (carom_node_row){
            by_u->count, carom_arena_take(scratch, (size_t)by_u->count, sizeof *damping[i].entry)};
        taken = damping[i].entry != NULL;
        for (int k = 0; taken && k < by_u->count; k++)
            damping[i].entry[k] = (carom_node_entry){
                by_u->entry[k].index, carom_unary(e->graph, CAROM_OP_NEG, by_u->entry[k].node)};
    }
    taken = taken && sparse_tape_compile(e->graph, e->n, e->n, damping, arena, map);
    carom_arena_free(scratch);
    return taken;
}

static bool compile_all(expressions *e, const derived_model *derived, carom_arena *arena,
                        traced_mechanism *mechanism)
{
    const int n = e->n, constraints = e->constraints;
    sparse_tape *block = mechanism->block;
    mechanism->g = carom_tape_compile(e->graph, constraints, e->g);
    mechanism->g_t = carom_tape_compile(e->graph, constraints, e->g_t);
    mechanism->h = carom_tape_compile(e->graph, constraints, e->h);
    return mechanism->g && mechanism->g_t && mechanism->h &&
           sparse_tape_compile(e->graph, n, n, derived->mass, arena, &block[CAROM_BLOCK_MASS]) &&
           sparse_tape_compile(e->graph, constraints, n, e->rows, arena, &block[CAROM_BLOCK_ROWS]) &&
           compile_jacobian(e, constraints, e->rate, CAROM_OP_COORDINATE, arena,
                            &block[CAROM_BLOCK_RATE_BY_Q]) &&
           compile_jacobian(e, n, e->residual, CAROM_OP_COORDINATE, arena, &block[CAROM_BLOCK_STIFFNESS]) &&
           compile_damping(e, derived, arena, &block[CAROM_BLOCK_DAMPING]) &&
           compile_jacobian(e, constraints, e->curvature, CAROM_OP_COORDINATE, arena,
                            &block[CAROM_BLOCK_CURVATURE_BY_Q]) &&
           compile_jacobian(e, constraints, e->h, CAROM_OP_VELOCITY, arena,
                            &block[CAROM_BLOCK_CURVATURE_BY_V]);
}

bool traced_mechanism_compile(const carom_traced_spec *spec, const derived_model *derived, carom_arena *arena,
                              traced_mechanism *mechanism)
{
    carom_arena *scratch = carom_arena_create();
    expressions e;
    bool compiled =
        scratch && take_expressions(spec, scratch, &e) && derive_constraints(spec, derived, scratch, &e);
    if (compiled) {
        derive_residual(derived, &e);
        compiled = compile_all(&e, derived, arena, mechanism);
    }
    carom_arena_free(scratch);
    return compiled;
}

void traced_mechanism_free(traced_mechanism *mechanism)
{
    for (int i = 0; i < CAROM_BLOCKS; i++)
        carom_tape_free(mechanism->block[i].tape);
    carom_tape_free(mechanism->g);
    carom_tape_free(mechanism->g_t);
    carom_tape_free(mechanism->h);
}

bool traced_mechanism_take_work(const traced_mechanism *mechanism, carom_arena *arena,
                                traced_mechanism_work *work)
{
    bool taken = true;
    for (int i = 0; i < CAROM_BLOCKS; i++) {
        work->block[i] =
            carom_arena_take(arena, carom_tape_work_size(mechanism->block[i].tape), sizeof(double));
        taken = taken && work->block[i];
    }
    work->g = carom_arena_take(arena, carom_tape_work_size(mechanism->g), sizeof(double));
    work->g_t = carom_arena_take(arena, carom_tape_work_size(mechanism->g_t), sizeof(double));
    work->h = carom_arena_take(arena, carom_tape_work_size(mechanism->h), sizeof(double));
    return taken && work->g && work->g_t && work->h;
}

void traced_mechanism_bind(const traced_mechanism *mechanism, const double *parameters,
                           traced_mechanism_work *work)
{
    for (int i = 0; i < CAROM_BLOCKS; i++)
        carom_tape_bind(mechanism->block[i].tape, parameters, work->block[i]);
    carom_tape_bind(mechanism->g, parameters, work->g);
    carom_tape_bind(mechanism->g_t, parameters, work->g_t);
    carom_tape_bind(mechanism->h, parameters, work->h);
}

static bool is_constant(const carom_tape *tape, int output)
{
    return (carom_tape_depends(tape, output) & ~(unsigned)CAROM_ON_PARAMETER) == 0;
}

bool traced_mechanism_block_is_constant(const traced_mechanism *mechanism, carom_mechanism_block block,
                                        int column)
{
    const sparse_tape *map = &mechanism->block[block];
    for (int k = map->pattern.column_start[column]; k < map->pattern.column_start[column + 1]; k++)
        if (!is_constant(map->tape, k))
            return false;
    return true;
}

bool traced_mechanism_rate_is_constant(const traced_mechanism *mechanism, int constraint)
{
    return is_constant(mechanism->g_t, constraint);
}

static carom_inputs inputs_of(const traced_mechanism_work *work, const carom_motion *motion)
{
    return (carom_inputs){.t = motion->t,
                          .q = motion->q,
                          .u = motion->v,
                          .acceleration = motion->a,
                          .multiplier = motion->lambda,
                          .outside = work->outside};
}

void traced_mechanism_block(const traced_mechanism *mechanism, traced_mechanism_work *work,
                            carom_mechanism_block block, const carom_motion *motion, double *entry)
{
    const carom_inputs inputs = inputs_of(work, motion);
    carom_tape_evaluate(mechanism->block[block].tape, work->block[block], &inputs, entry);
}

void traced_mechanism_constraints(const traced_mechanism *mechanism, traced_mechanism_work *work,
                                  const carom_motion *motion, double *g, double *g_t, double *h)
{
    const carom_inputs inputs = inputs_of(work, motion);
    if (g)
        carom_tape_evaluate(mechanism->g, work->g, &inputs, g);
    if (g_t)
        carom_tape_evaluate(mechanism->g_t, work->g_t, &inputs, g_t);
    if (h)
        carom_tape_evaluate(mechanism->h, work->h, &inputs, h);
}
