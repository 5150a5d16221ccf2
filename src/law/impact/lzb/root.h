/* The root of a function of one variable between two points where it has different signs. */
#ifndef CAROM_LAW_IMPACT_LZB_ROOT_H
#define CAROM_LAW_IMPACT_LZB_ROOT_H

typedef double lzb_function(void *context, double x);

/* Inverse quadratic interpolation, or bisection where that is not safe (Chandrupatla 1997). Starts from f(a)
 * and f(b), of different signs; ends when |f| <= tolerance or the root is known to `width`. The function was
 * last evaluated at the point returned, unless that is a or b itself. */
double lzb_root(lzb_function *f, void *context, double a, double f_a, double b, double f_b, double tolerance,
                double width);

#endif
