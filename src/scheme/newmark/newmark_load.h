/* The load of a Newmark step: g^n = beta m(t_{n+1}) + (1 - 2 beta) m(t_n) + beta m(t_{n-1}), where m(t) is
 * the load at t, or its mean over [t, t + h] as Dumont and Paoli 2008 take it. */
#ifndef CAROM_SCHEME_NEWMARK_NEWMARK_LOAD_H
#define CAROM_SCHEME_NEWMARK_NEWMARK_LOAD_H

#include "carom/model.h"

typedef struct newmark_load {
    carom_model_work *work;
    int size;
    double h, beta;
    bool mean;       /* over the step that follows; else the value */
    double *term[3]; /* m(t_{n-1}), m(t_n), m(t_{n+1}) */
} newmark_load;

/* False when memory is short. */
bool newmark_load_take(newmark_load *load, carom_arena *arena, carom_model_work *work, double h, double beta,
                       bool mean);

/* Makes m(t_0) and m(t_1) ready for the step that ends at t_2. */
void newmark_load_start(newmark_load *load, double t0);

/* The load is another one from t = t_n on: m(t_n) again, before the step that ends at t_{n+1}. */
void newmark_load_renew(newmark_load *load, double t);

/* x += h^2 g^n for the step that ends at t_{n+1}. */
void newmark_load_add(newmark_load *load, double t_next, double *x);

/* Derivative of m(t) along a direction of the parameters (NULL: they do not change), as t and h move. */
void newmark_load_along(const newmark_load *load, const double *parameter, double t, double t_along,
                        double h_along, double *m);

#endif
