/* expr: expressions as a graph with shared subexpressions, exact derivatives, and tapes that evaluate them.
 *
 *   graph (grows while a model is read)  --derivatives are more graph-->  tape (immutable, fast)
 *
 * A node is an index into its graph; operands always have smaller indices. Constants are folded, equal
 * subexpressions are one node. */
#ifndef CAROM_EXPR_H
#define CAROM_EXPR_H

#include "carom/base.h"

typedef int carom_node; /* >= 0; CAROM_NO_NODE after an error (memory or size limit) */
enum {
    CAROM_NO_NODE = -1
};

typedef enum carom_op {
    CAROM_OP_CONSTANT,
    CAROM_OP_PARAMETER,
    CAROM_OP_TIME,
    CAROM_OP_COORDINATE,
    CAROM_OP_VELOCITY,
    CAROM_OP_IMPULSE,      /* contact impulses of the step, for records only */
    CAROM_OP_PLACE,        /* place along a structure, for its obstacles, loads and initial shape */
    CAROM_OP_OBSERVED,     /* 0: energy of the output; 1, 2, ...: the model's observables; for records only */
    CAROM_OP_ACCELERATION, /* in a model's own residuals, for their derivatives */
    CAROM_OP_MULTIPLIER,   /* likewise */
    CAROM_OP_INPUT,        /* a value from outside, which may change from step to step */
    CAROM_OP_ADD,
    CAROM_OP_SUB,
    CAROM_OP_MUL,
    CAROM_OP_DIV,
    CAROM_OP_POW,
    CAROM_OP_ATAN2,
    CAROM_OP_MIN,
    CAROM_OP_MAX,
    CAROM_OP_HYPOT,
    CAROM_OP_NEG,
    CAROM_OP_SQRT,
    CAROM_OP_EXP,
    CAROM_OP_LOG,
    CAROM_OP_SIN,
    CAROM_OP_COS,
    CAROM_OP_TAN,
    CAROM_OP_ASIN,
    CAROM_OP_ACOS,
    CAROM_OP_ATAN,
    CAROM_OP_SINH,
    CAROM_OP_COSH,
    CAROM_OP_TANH,
    CAROM_OP_ABS,
    CAROM_OP_SIGN,
    CAROM_OP_SELECT, /* a > 0 ? b : c */
    CAROM_OP_TABLE,  /* data at a, made by carom_lookup only */
    CAROM_OP_COUNT,
} carom_op;

/* What an expression depends on: a set of bits. */
enum {
    CAROM_ON_PARAMETER = 1,
    CAROM_ON_TIME = 2,
    CAROM_ON_COORDINATE = 4,
    CAROM_ON_VELOCITY = 8,
    CAROM_ON_IMPULSE = 16,
    CAROM_ON_PLACE = 32,
    CAROM_ON_OBSERVED = 64,
    CAROM_ON_ACCELERATION = 128,
    CAROM_ON_MULTIPLIER = 256,
    /* what the equations of motion cannot depend on */
    CAROM_ON_NO_MOTION =
        CAROM_ON_IMPULSE | CAROM_ON_PLACE | CAROM_ON_OBSERVED | CAROM_ON_ACCELERATION | CAROM_ON_MULTIPLIER,
};

/* "+", "sin", "select", ...; operands that an operation takes, 0 for leaves. */
const char *carom_op_name(carom_op op);
int carom_op_arity(carom_op op);

/* ---- graph -------------------------------------------------------------------------------- */

typedef struct carom_graph carom_graph;

/* max_nodes bounds memory against runaway scripts; 0 gives the default of ten million. NULL when memory is
 * short; the caller frees it. */
carom_graph *carom_graph_create(int max_nodes);
void carom_graph_free(carom_graph *graph);
/* Raises the bound: derivatives of a large model are more than what a script may write. */
void carom_graph_allow(carom_graph *graph, int max_nodes);
/* CAROM_OK, or why nodes could not be made (then all later nodes are CAROM_NO_NODE). */
carom_status carom_graph_status(const carom_graph *graph, carom_error *error);
/* Number of nodes. */
int carom_graph_size(const carom_graph *graph);

/* A number; equal ones are one node. */
carom_node carom_constant(carom_graph *graph, double value);
/* A leaf: CAROM_OP_PARAMETER, TIME or PLACE (index 0), COORDINATE, VELOCITY, IMPULSE, OBSERVED, ACCELERATION
 * or MULTIPLIER, INPUT. An INPUT has the index of the parameter that holds its value while nobody gives another; it
 * counts as something that changes with time (CAROM_ON_TIME), and all derivatives by it are 0. */
carom_node carom_leaf(carom_graph *graph, carom_op op, int index);
/* Operations of one, two and three operands; CAROM_NO_NODE when an operand is. A select is `positive` where
 * condition > 0, else `otherwise`. */
carom_node carom_unary(carom_graph *graph, carom_op op, carom_node a);
carom_node carom_binary(carom_graph *graph, carom_op op, carom_node a, carom_node b);
carom_node carom_select(carom_graph *graph, carom_node condition, carom_node positive, carom_node otherwise);

/* ---- tables: functions that are given by data ------------------------------------------------ */

/* What a table is beyond its first and last point. */
typedef enum carom_table_outside {
    CAROM_OUTSIDE_HOLD, /* the value of the nearest point */
    CAROM_OUTSIDE_ZERO,
    CAROM_OUTSIDE_NONE, /* not a number: who gets there has made a mistake */
} carom_table_outside;

typedef struct carom_table_spec {
    int count;           /* at least 2 */
    const double *x, *y; /* finite, x grows */
    bool smooth;         /* cubics with continuous derivative, monotone between the points; otherwise lines */
    carom_table_outside outside;
} carom_table_spec;

typedef struct carom_table carom_table;

/* Copies the data. BAD_INPUT says which entry (from 1) is wrong; *table is NULL then. */
carom_status carom_table_create(const carom_table_spec *spec, carom_table **table, carom_error *error);
/* The same table for one more owner; each frees it. Any thread may. */
carom_table *carom_table_share(carom_table *table);
void carom_table_free(carom_table *table);

enum {
    CAROM_TABLE_INTEGRALS = 2 /* orders -1 and -2 are there */
};
/* Its value at x (order 0), its derivatives (1, 2, ...), its integral from the first point on (-1), and the integral of
 * that (-2), all exact for the curve that the table is. At a kink derivatives are those of the right side. */
double carom_table_value(const carom_table *table, int order, double x);

/* The node of carom_table_value at a; the graph shares the table, and so do tapes. */
carom_node carom_lookup(carom_graph *graph, carom_table *table, int order, carom_node a);

/* ---- formulas -------------------------------------------------------------------------------- */

/* What names in a formula mean: the node of a symbol or, with `rate`, of its velocity; CAROM_NO_NODE: there
 * is no such symbol. */
typedef struct carom_symbols {
    carom_node (*find)(void *context, const char *name, bool rate);
    void *context;
} carom_symbols;

/* The node of a formula such as "1/2 * m * dot(x)^2 - m*g*cos(x)": numbers, names (also disc.x), dot(name), + - * / ^,
 * parentheses, and functions by their names: sqrt exp log sin cos tan asin acos atan sinh cosh tanh abs sign,
 * atan2 min max hypot of two, select(a, b, c) = b where a > 0, else c. CAROM_NO_NODE and an error that says
 * where and what is wrong; symbols NULL: no names are known. */
carom_node carom_formula(carom_graph *graph, const char *text, const carom_symbols *symbols,
                         carom_error *error);

carom_op carom_node_op(const carom_graph *graph, carom_node node);
/* Index of a leaf; -1 for others. */
int carom_node_index(const carom_graph *graph, carom_node node);
/* Operand k of an operation; CAROM_NO_NODE where it has none. */
carom_node carom_node_operand(const carom_graph *graph, carom_node node, int k);
/* How many nodes an expression consists of, itself included; 0 when memory is short. */
int carom_node_size(carom_graph *graph, carom_node node);
/* A set of CAROM_ON_... bits. */
unsigned carom_node_depends(const carom_graph *graph, carom_node node);
/* Whether the node is a plain number, and which. */
bool carom_node_is_constant(const carom_graph *graph, carom_node node, double *value);

/* ---- derivatives, exact, as new nodes of the same graph ------------------------------------- */

/* gradient[i] = d node / d wrt[i]; wrt are leaves. Reverse accumulation: the cost is a small multiple of the
 * expression's size, whatever the count. */
void carom_gradient(carom_graph *graph, carom_node node, int count, const carom_node *wrt,
                    carom_node *gradient);

/* The derivatives of one node that are not the constant 0: by which leaves, ascending, and what they are. */
typedef struct carom_node_entry {
    int index;
    carom_node node;
} carom_node_entry;
typedef struct carom_node_row {
    int count;
    carom_node_entry *entry;
} carom_node_row;

/* carom_gradient by all leaves of one kind (CAROM_OP_COORDINATE, CAROM_OP_VELOCITY, ...): it costs what the
 * expression costs, however many such leaves the graph has. The entries are the arena's; false when memory is
 * short or the node is CAROM_NO_NODE. */
bool carom_gradient_row(carom_graph *graph, carom_node node, carom_op leaf, carom_arena *arena,
                        carom_node_row *row);

/* jacobian[r * count + i] = d nodes[r] / d wrt[i]. */
void carom_jacobian(carom_graph *graph, int rows, const carom_node *nodes, int count, const carom_node *wrt,
                    carom_node *jacobian);

/* Derivative of nodes[r] in the direction d wrt[i] = direction[i]: result[r] (forward accumulation). */
void carom_directional(carom_graph *graph, int rows, const carom_node *nodes, int count,
                       const carom_node *wrt, const carom_node *direction, carom_node *result);

/* Hessian of `node` in wrt, times `vector`: result[i], i < count (forward over reverse). */
void carom_hessian_vector(carom_graph *graph, carom_node node, int count, const carom_node *wrt,
                          const carom_node *vector, carom_node *result);

/* result[r] = d nodes[r] / dt + sum u_i d nodes[r] / dq_i, velocities held: along a motion, but for what the
 * acceleration adds. */
void carom_along_motion(carom_graph *graph, int rows, const carom_node *nodes, carom_node *result);

/* Total time derivative along a motion: d/dt + sum u_i d/dq_i. The expression must not depend on velocities
 * (accelerations are not symbols); CAROM_NO_NODE otherwise. */
carom_node carom_time_derivative(carom_graph *graph, carom_node node);

/* True when an operation with a kink or a jump (abs, sign, min, max, select, a table) under the nodes depends on
 * `mask`. A derivative does not see a jump: it is zero on both sides. */
bool carom_has_kinks(carom_graph *graph, int count, const carom_node *nodes, unsigned mask);

/* Expressions whose sign decides which branch such operations under the nodes take (of abs(a) it is a, of max(a, b) a - b, of a
 * table its argument minus each of its points), as far as they depend on `allowed` alone. Returns their number; -1: there are
 * more than `most`, or allocation fails. */
int carom_switches(carom_graph *graph, int count, const carom_node *nodes, unsigned allowed, int most,
                   carom_node *found);

/* `node` with every wrt[i], a leaf or a subexpression, replaced by replacement[i]. */
carom_node carom_substitute(carom_graph *graph, carom_node node, int count, const carom_node *wrt,
                            const carom_node *replacement);
/* `node` with every leaf of one kind replaced by the same node. */
carom_node carom_substitute_leaves(carom_graph *graph, carom_node node, carom_op leaf,
                                   carom_node replacement);

/* The same value with like terms collected and sin(x)^2 + cos(x)^2 = 1, equal but for rounding: what differentiation and sums in
 * loops write at length. Of positions no sums are multiplied out, which could lose digits. The node itself where there is
 * nothing to collect, or too much. */
carom_node carom_collect(carom_graph *graph, carom_node node);

/* ---- tape ----------------------------------------------------------------------------------- */

typedef struct carom_tape carom_tape;

/* Sine and cosine of an angle, as they were found last, and of which. Tapes of one model ask for those of the same angles again and again:
 * they share these, CAROM_ANGLES of them, which belong to one thread. What is evaluated does not depend on them. */
typedef struct carom_angle {
    double sine_at, sine, cosine_at, cosine;
} carom_angle;
enum {
    CAROM_ANGLES = 256
};
/* None is known: to be called before the first evaluation. */
void carom_angles_forget(carom_angle *angles);

/* Values of the leaves. Arrays may be NULL when no expression of the tape uses them. */
typedef struct carom_inputs {
    double t;
    const double *q, *u, *impulse;
    double place;
    const double *observed, *acceleration, *multiplier;
    const double *outside; /* of CAROM_OP_INPUT, by index; NULL: the parameters of the last bind */
    carom_angle *angles;   /* CAROM_ANGLES of them; NULL: nothing is kept */
} carom_inputs;

/* Compiles the given nodes and what they need. Instructions that depend on parameters only go to a
 * prologue, run once per carom_tape_bind. NULL when memory is short or a node is CAROM_NO_NODE. */
carom_tape *carom_tape_compile(const carom_graph *graph, int outputs, const carom_node *nodes);
void carom_tape_free(carom_tape *tape);
int carom_tape_outputs(const carom_tape *tape);
/* Instructions per evaluation (without the prologue). */
int carom_tape_length(const carom_tape *tape);
/* What output `index` depends on (CAROM_ON_...). */
unsigned carom_tape_depends(const carom_tape *tape, int index);

/* Which coordinates the tape reads, as indices; returns their number. */
int carom_tape_coordinates(const carom_tape *tape, const int **index);

/* Work space of one thread: this many doubles. bind() writes constants and parameters into it; evaluate()
 * then allocates nothing and may be called any number of times. */
size_t carom_tape_work_size(const carom_tape *tape);
void carom_tape_bind(const carom_tape *tape, const double *parameters, double *work);
void carom_tape_evaluate(const carom_tape *tape, double *work, const carom_inputs *inputs, double *outputs);

/* ---- tapes as compiled code -------------------------------------------------------------------- */

/* From now on every input is multiplied by its factor before an evaluation and every output by its own after it, derivatives
 * with them: the same expressions in other units. `input` has the factors at the places of the inputs; arrays that are NULL,
 * and output = NULL, stand for ones. Such a tape has no compiled code. Returns false if allocation fails. */
bool carom_tape_rescale(carom_tape *tape, const carom_inputs *input, const double *output);

/* One evaluation of a tape, as carom_tape_evaluate does it; `look_up` serves its tables. */
typedef void carom_tape_code(const carom_tape *tape, double (*look_up)(const carom_tape *, int, double),
                             double *work, const carom_inputs *inputs, double *outputs);

/* C source of all tapes that were compiled from the graph and are still there: functions carom_tape_0, carom_tape_1, ... of the
 * type above, without includes. It is to be compiled without contraction of a * b + c and without assumptions about sin and the
 * like, for the machine and program that asks. Returns how many instructions they have. */
size_t carom_graph_source(const carom_graph *graph, carom_text *source);
/* Gives the tapes their code, by the names of the source, where it is found and where it has the same bits as the tape at some
 * points; the others are interpreted as before. The code must outlive the tapes. Returns how many tapes have code; *tapes, how
 * many there are. */
typedef carom_tape_code *carom_tape_find(void *context, const char *name);
int carom_graph_attach(carom_graph *graph, carom_tape_find *find, void *context, int *tapes);
/* Gives the graph's tapes that have no code yet machine code of carom's own, without a compiler: on Linux and x86-64, where memory
 * may be made executable; elsewhere they are interpreted as before. It goes with the tapes. To be called once all tapes are
 * there; returns how many were given code. The bits are those of the interpreter. */
int carom_graph_to_machine(carom_graph *graph);

/* Derivatives of the outputs along a direction of all leaves, at the values that `work` has from the last evaluate: one
 * evaluation, any number of directions. `tangent` is a second array of carom_tape_work_size doubles, one per direction of
 * the parameters: along_bind writes it (parameters NULL: they do not change; to be called again when bind is). In the
 * direction arrays that are NULL do not change; `outside` NULL: inputs change as their parameters do.
 *
 * At kinks and jumps (abs, sign, min, max, select, tables) it is the derivative of the branch that evaluate has taken. Where
 * a derivative does not exist (sqrt at 0) and its operand changes the result is not finite. Allocates nothing. */
void carom_tape_along_bind(const carom_tape *tape, const double *work, const double *parameters,
                           double *tangent);
void carom_tape_along(const carom_tape *tape, const double *work, double *tangent,
                      const carom_inputs *direction, double *along);

#endif
