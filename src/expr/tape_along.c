/* Derivatives of a tape's outputs along a direction of all its leaves: forward tangents.
 *
 *   tangent: | 0 | parameters | prologue | inputs | t | place | q | u | impulses ... | body |      as work
 *              '--------- written by along_bind ---'
 *
 * Each operation adds up partial derivative times tangent of its operands. An operand whose tangent is zero adds nothing,
 * whatever the partial derivative is: 0 * infinity does not become NaN where a branch or a root does not move. */
#include <string.h>

#include "operation.h"
#include "tape.h"

/* d f = f' da of a function of one operand; self = f(a). */
static double unary_along(carom_op op, double a, double self, double da)
{
    switch (op) {
    case CAROM_OP_NEG:
        return -da;
    case CAROM_OP_SQRT:
        return 0.5 * da / self;
    case CAROM_OP_EXP:
        return self * da;
    case CAROM_OP_LOG:
        return da / a;
    case CAROM_OP_SIN:
        return cos(a) * da;
    case CAROM_OP_COS:
        return -sin(a) * da;
    case CAROM_OP_TAN:
        return (1.0 + self * self) * da;
    case CAROM_OP_ASIN:
        return da / sqrt((1.0 - a) * (1.0 + a));
    case CAROM_OP_ACOS:
        return -da / sqrt((1.0 - a) * (1.0 + a));
    case CAROM_OP_ATAN:
        return da / (1.0 + a * a);
    case CAROM_OP_SINH:
        return cosh(a) * da;
    case CAROM_OP_COSH:
        return sinh(a) * da;
    case CAROM_OP_TANH: { /* 1 - tanh^2 loses its digits where tanh is nearly 1 */
        const double c = cosh(a);
        return da / (c * c);
    }
    case CAROM_OP_ABS:
        return sign_of(a) * da;
    default: /* sign is piecewise constant */
        return 0.0;
    }
}

/* d a^b = b a^(b-1) da + a^b log(a) db; at a = 0 the second term is its limit, 0 for b > 0. */
static double power_along(double a, double b, double self, double da, double db)
{
    double along = 0.0;
    if (da != 0.0 && b != 0.0)
        along += b * pow(a, b - 1.0) * da;
    if (db != 0.0 && !(a == 0.0 && b > 0.0))
        along += self * log(a) * db;
    return along;
}

/* (a da + b db) / hypot(a, b); 0 at the origin, as abs has it. */
static double hypot_along(double a, double b, double self, double da, double db)
{
    return self > 0.0 ? a / self * da + b / self * db : 0.0;
}

static double binary_along(carom_op op, double a, double b, double self, double da, double db)
{
    switch (op) {
    case CAROM_OP_ADD:
        return da + db;
    case CAROM_OP_SUB:
        return da - db;
    case CAROM_OP_MUL:
        return (da != 0.0 ? da * b : 0.0) + (db != 0.0 ? a * db : 0.0);
    case CAROM_OP_DIV:
        return (da - (db != 0.0 ? self * db : 0.0)) / b;
    case CAROM_OP_POW:
        return power_along(a, b, self, da, db);
    case CAROM_OP_ATAN2: { /* a = y, b = x: (x dy - y dx) / (x^2 + y^2) */
        const double r = hypot(a, b);
        return b / r * (da / r) - a / r * (db / r);
    }
    case CAROM_OP_MIN: /* the operand that apply_operation takes */
        return a < b ? da : db;
    case CAROM_OP_MAX:
        return a > b ? da : db;
    default:
        return hypot_along(a, b, self, da, db);
    }
}

/* Tangents of the results of a program; those of all operands are known. */
static void run_along(const carom_tape *tape, int length, const instruction *program, const double *work,
                      const double *result, const double *tangent, double *along)
{
    for (int i = 0; i < length; i++) {
        const instruction *step = &program[i];
        const double a = work[step->a], da = tangent[step->a];
        if (step->op == CAROM_OP_SELECT) {
            along[i] = a > 0.0 ? tangent[step->b] : tangent[step->c];
        } else if (step->op == CAROM_OP_TABLE) {
            const table_lookup *lookup = &tape->lookup[step->c];
            along[i] = da != 0.0 ? carom_table_value(lookup->table, lookup->order + 1, a) * da : 0.0;
        } else if (step->op >= CAROM_OP_NEG) { /* of one operand */
            along[i] = da != 0.0 ? unary_along(step->op, a, result[i], da) : 0.0;
        } else {
            const double db = tangent[step->b];
            along[i] =
                da != 0.0 || db != 0.0 ? binary_along(step->op, a, work[step->b], result[i], da, db) : 0.0;
        }
    }
}

/* Copies the entries that the tape reads, zeros where there is no direction; returns the place behind them. */
static double *load(int count, const int *index, const double *from, double *to)
{
    for (int i = 0; i < count; i++)
        to[i] = from ? from[index[i]] : 0.0;
    return to + count;
}

void carom_tape_along_bind(const carom_tape *tape, const double *work, const double *parameters,
                           double *tangent)
{
    memset(tangent, 0, carom_tape_work_size(tape) * sizeof *tangent);
    const ptrdiff_t prologue = (ptrdiff_t)tape->constants + tape->parameters;
    load(tape->parameters, tape->parameter, parameters, tangent + tape->constants);
    run_along(tape, tape->prologue_length, tape->prologue, work, work + prologue, tangent,
              tangent + prologue);
    load(tape->outside, tape->from_outside, parameters, tangent + prologue + tape->prologue_length);
}

void carom_tape_along(const carom_tape *tape, const double *work, double *tangent,
                      const carom_inputs *direction, double *along)
{
    const double *const from[INPUTS] = {
        &direction->t,       &direction->place,       direction->q,         direction->u, direction->impulse,
        direction->observed, direction->acceleration, direction->multiplier};
    double *place = tangent + tape->constants + tape->parameters + tape->prologue_length;
    const int *index = tape->input;
    if (tape->outside > 0 && direction->outside)
        load(tape->outside, tape->from_outside, direction->outside, place);
    place += tape->outside;
    for (int k = tape->first_kind; k < tape->end_kind; k++) {
        place = load(tape->inputs[k], index, from[k], place);
        index += tape->inputs[k];
    }
    if (tape->factor)
        tape_apply_factors((int)(index - tape->input), tape->factor, place - (index - tape->input));
    run_along(tape, tape->body_length, tape->body, work, work + (place - tangent), tangent, place);
    for (int i = 0; i < tape->outputs; i++)
        along[i] = tangent[tape->output[i]];
    if (tape->factor)
        tape_apply_factors(tape->outputs, tape->factor + tape_input_count(tape), along);
}
