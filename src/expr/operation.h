/* What each operation computes: used when constants are folded and when tapes are evaluated. */
#ifndef CAROM_EXPR_OPERATION_H
#define CAROM_EXPR_OPERATION_H

#include <math.h>

#include "carom/expr.h"

static inline double sign_of(double x)
{
    return (double)((x > 0.0) - (x < 0.0));
}

static inline double apply_operation(carom_op op, double a, double b, double c)
{
    switch (op) {
    case CAROM_OP_ADD:
        return a + b;
    case CAROM_OP_SUB:
        return a - b;
    case CAROM_OP_MUL:
        return a * b;
    case CAROM_OP_DIV:
        return a / b;
    case CAROM_OP_POW:
        return pow(a, b);
    case CAROM_OP_ATAN2:
        return atan2(a, b);
    case CAROM_OP_MIN: /* a NaN operand must not disappear, as it would with fmin */
        return a < b || isnan(a) ? a : b;
    case CAROM_OP_MAX:
        return a > b || isnan(a) ? a : b;
    case CAROM_OP_HYPOT:
        return hypot(a, b);
    case CAROM_OP_NEG:
        return -a;
    case CAROM_OP_SQRT:
        return sqrt(a);
    case CAROM_OP_EXP:
        return exp(a);
    case CAROM_OP_LOG:
        return log(a);
    case CAROM_OP_SIN:
        return sin(a);
    case CAROM_OP_COS:
        return cos(a);
    case CAROM_OP_TAN:
        return tan(a);
    case CAROM_OP_ASIN:
        return asin(a);
    case CAROM_OP_ACOS:
        return acos(a);
    case CAROM_OP_ATAN:
        return atan(a);
    case CAROM_OP_SINH:
        return sinh(a);
    case CAROM_OP_COSH:
        return cosh(a);
    case CAROM_OP_TANH:
        return tanh(a);
    case CAROM_OP_ABS:
        return fabs(a);
    case CAROM_OP_SIGN:
        return sign_of(a);
    case CAROM_OP_SELECT:
        return a > 0.0 ? b : c;
    case CAROM_OP_TABLE: /* see table.c */
    case CAROM_OP_CONSTANT:
    case CAROM_OP_PARAMETER:
    case CAROM_OP_TIME:
    case CAROM_OP_COORDINATE:
    case CAROM_OP_VELOCITY:
    case CAROM_OP_IMPULSE:
    case CAROM_OP_PLACE:
    case CAROM_OP_OBSERVED:
    case CAROM_OP_ACCELERATION:
    case CAROM_OP_MULTIPLIER:
    case CAROM_OP_INPUT:
    case CAROM_OP_COUNT:
        break;
    }
    return NAN; /* leaves and tables are not computed here */
}

#endif
