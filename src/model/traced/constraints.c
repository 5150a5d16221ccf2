#include "constraints.h"

#include <stdlib.h>

/* Expressions on the way to the tapes; memory from a scratch arena. */
typedef struct expressions {
    carom_graph *graph;
    int n, constraints;
    carom_node *q, *v, *a, *lambda, time;
    carom_node *g, *g_t, *rate, *h; /* per constraint */
    carom_node *rows;               /* constraints x n */
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

static bool is_zero(const carom_graph *graph, carom_node node)
{
    double value;
    return carom_node_is_constant(graph, node, &value) && value == 0.0;
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
    e->rows = carom_arena_take(arena, carom_product(n, constraints), sizeof(carom_node));
    e->residual = carom_arena_take(arena, n, sizeof(carom_node));
    e->time = carom_leaf(e->graph, CAROM_OP_TIME, 0);
    return e->rows && e->residual && take_leaves(e->graph, arena, CAROM_OP_COORDINATE, e->n, &e->q) &&
           take_leaves(e->graph, arena, CAROM_OP_VELOCITY, e->n, &e->v) &&
           take_leaves(e->graph, arena, CAROM_OP_ACCELERATION, e->n, &e->a) &&
           take_leaves(e->graph, arena, CAROM_OP_MULTIPLIER, e->constraints, &e->lambda);
}

/* row . x, without the zeros of the row */
static carom_node row_product(const expressions *e, int constraint, const carom_node *x)
{
    const carom_node *row = e->rows + (ptrdiff_t)constraint * e->n;
    carom_node sum = carom_constant(e->graph, 0.0);
    for (int i = 0; i < e->n; i++)
        if (!is_zero(e->graph, row[i]))
            sum = add(e->graph, sum, times(e->graph, row[i], x[i]));
    return sum;
}

/* g, G, g_t, the rate G v + g_t, its derivative along the motion h, and G a + h. */
static bool derive_constraints(const carom_traced_spec *spec, carom_arena *arena, expressions *e)
{
    const int n = e->n;
    carom_node *wrt = carom_arena_take(arena, (size_t)n + 1, sizeof *wrt);
    carom_node *direction = carom_arena_take(arena, (size_t)n + 1, sizeof *direction);
    if (!wrt || !direction)
        return false;
    for (int i = 0; i < n; i++) {
        wrt[i] = e->q[i];
        direction[i] = e->v[i];
    }
    wrt[n] = e->time;
    direction[n] = carom_constant(e->graph, 1.0);
    for (int k = 0; k < e->constraints; k++) {
        e->g[k] = k < spec->joints ? spec->joint[k].value : spec->contact[k - spec->joints].gap;
        carom_gradient(e->graph, e->g[k], n, e->q, e->rows + (ptrdiff_t)k * n);
        carom_gradient(e->graph, e->g[k], 1, &e->time, &e->g_t[k]);
        e->rate[k] = add(e->graph, row_product(e, k, e->v), e->g_t[k]);
        carom_directional(e->graph, 1, &e->rate[k], n + 1, wrt, direction, &e->h[k]);
        e->curvature[k] = add(e->graph, row_product(e, k, e->a), e->h[k]);
    }
    return true;
}

static void derive_residual(const derived_model *derived, expressions *e)
{
    const int n = e->n;
    for (int i = 0; i < n; i++) {
        carom_node sum = carom_unary(e->graph, CAROM_OP_NEG, derived->force[i]);
        for (int j = 0; j < n; j++)
            if (!is_zero(e->graph, derived->mass[i * n + j]))
                sum = add(e->graph, sum, times(e->graph, derived->mass[i * n + j], e->a[j]));
        e->residual[i] = sum;
    }
    for (int k = 0; k < e->constraints; k++)
        for (int i = 0; i < n; i++) {
            const carom_node entry = e->rows[(ptrdiff_t)k * n + i];
            if (!is_zero(e->graph, entry))
                e->residual[i] = carom_binary(e->graph, CAROM_OP_SUB, e->residual[i],
                                              times(e->graph, entry, e->lambda[k]));
        }
}

/* The entries of a matrix of nodes (row-major) that are not zero, by columns. */
static bool compile_block(const carom_graph *graph, int rows, int columns, const carom_node *node,
                          carom_arena *arena, sparse_tape *map)
{
    const size_t size = (size_t)rows * (size_t)columns;
    carom_node *packed = carom_new_array(size, sizeof *packed);
    int *start = carom_arena_take(arena, (size_t)columns + 1, sizeof *start);
    int entries = 0;
    for (size_t i = 0; packed && i < size; i++)
        entries += !is_zero(graph, node[i]);
    int *row = carom_arena_take(arena, (size_t)entries, sizeof *row);
    if (packed && start && row) {
        int place = 0;
        for (int j = 0; j < columns; j++) {
            start[j] = place;
            for (int i = 0; i < rows; i++) {
                const carom_node entry = node[(size_t)i * (size_t)columns + (size_t)j];
                if (is_zero(graph, entry))
                    continue;
                row[place] = i;
                packed[place++] = entry;
            }
        }
        start[columns] = place;
        map->pattern = (carom_sparse){rows, columns, start, row, NULL};
        map->tape = carom_tape_compile(graph, place, packed);
    }
    free(packed);
    return map->tape != NULL;
}

/* The Jacobian of some nodes, compiled. */
static bool compile_jacobian(expressions *e, int rows, const carom_node *nodes, const carom_node *wrt,
                             carom_arena *arena, sparse_tape *map)
{
    carom_node *jacobian = carom_new_array(carom_product((size_t)rows, (size_t)e->n), sizeof *jacobian);
    if (!jacobian)
        return false;
    carom_jacobian(e->graph, rows, nodes, e->n, wrt, jacobian);
    const bool compiled = compile_block(e->graph, rows, e->n, jacobian, arena, map);
    free(jacobian);
    return compiled;
}

/* -df/dv from df/dv, which the model has already. */
static bool compile_damping(expressions *e, const derived_model *derived, carom_arena *arena,
                            sparse_tape *map)
{
    const size_t size = (size_t)e->n * (size_t)e->n;
    carom_node *damping = carom_new_array(size, sizeof *damping);
    if (!damping)
        return false;
    for (size_t i = 0; i < size; i++)
        damping[i] = is_zero(e->graph, derived->force_by_u[i])
                         ? derived->force_by_u[i]
                         : carom_unary(e->graph, CAROM_OP_NEG, derived->force_by_u[i]);
    const bool compiled = compile_block(e->graph, e->n, e->n, damping, arena, map);
    free(damping);
    return compiled;
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
           compile_block(e->graph, n, n, derived->mass, arena, &block[CAROM_BLOCK_MASS]) &&
           compile_block(e->graph, constraints, n, e->rows, arena, &block[CAROM_BLOCK_ROWS]) &&
           compile_jacobian(e, constraints, e->rate, e->q, arena, &block[CAROM_BLOCK_RATE_BY_Q]) &&
           compile_jacobian(e, n, e->residual, e->q, arena, &block[CAROM_BLOCK_STIFFNESS]) &&
           compile_damping(e, derived, arena, &block[CAROM_BLOCK_DAMPING]) &&
           compile_jacobian(e, constraints, e->curvature, e->q, arena, &block[CAROM_BLOCK_CURVATURE_BY_Q]) &&
           compile_jacobian(e, constraints, e->h, e->v, arena, &block[CAROM_BLOCK_CURVATURE_BY_V]);
}

bool traced_mechanism_compile(const carom_traced_spec *spec, const derived_model *derived, carom_arena *arena,
                              traced_mechanism *mechanism)
{
    carom_arena *scratch = carom_arena_create();
    expressions e;
    bool compiled = scratch && take_expressions(spec, scratch, &e) && derive_constraints(spec, scratch, &e);
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

static carom_inputs inputs_of(const carom_motion *motion)
{
    return (carom_inputs){.t = motion->t,
                          .q = motion->q,
                          .u = motion->v,
                          .acceleration = motion->a,
                          .multiplier = motion->lambda};
}

void traced_mechanism_block(const traced_mechanism *mechanism, traced_mechanism_work *work,
                            carom_mechanism_block block, const carom_motion *motion, double *entry)
{
    const carom_inputs inputs = inputs_of(motion);
    carom_tape_evaluate(mechanism->block[block].tape, work->block[block], &inputs, entry);
}

void traced_mechanism_constraints(const traced_mechanism *mechanism, traced_mechanism_work *work,
                                  const carom_motion *motion, double *g, double *g_t, double *h)
{
    const carom_inputs inputs = inputs_of(motion);
    if (g)
        carom_tape_evaluate(mechanism->g, work->g, &inputs, g);
    if (g_t)
        carom_tape_evaluate(mechanism->g_t, work->g_t, &inputs, g_t);
    if (h)
        carom_tape_evaluate(mechanism->h, work->h, &inputs, h);
}
