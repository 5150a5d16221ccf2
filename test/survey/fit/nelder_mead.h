/* The simplex search of Nelder and Mead (1965), to compare with: it knows values only. */
#ifndef CAROM_TEST_SURVEY_FIT_NELDER_MEAD_H
#define CAROM_TEST_SURVEY_FIT_NELDER_MEAD_H

#include <string.h>

enum {
    SIMPLEX_MAX = 8
};

typedef double (*simplex_value)(void *context, const double *x);

static inline void simplex_toward(int n, const double *from, const double *to, double share, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = from[i] + share * (to[i] - from[i]);
}

/* From x, with first steps of 5 % of it, until the value is at most `goal` or there were `most` evaluations. Returns how many. */
static inline int simplex_search(int n, double *x, simplex_value value, void *context, double goal, int most)
{
    double point[SIMPLEX_MAX + 1][SIMPLEX_MAX], f[SIMPLEX_MAX + 1];
    int count = 0;
    for (int k = 0; k <= n; k++) {
        memcpy(point[k], x, sizeof(double) * (size_t)n);
        if (k > 0)
            point[k][k - 1] = x[k - 1] != 0.0 ? 1.05 * x[k - 1] : 0.00025;
        f[k] = value(context, point[k]);
        count++;
    }
    for (;;) {
        int best = 0, worst = 0;
        for (int k = 1; k <= n; k++) {
            best = f[k] < f[best] ? k : best;
            worst = f[k] > f[worst] ? k : worst;
        }
        memcpy(x, point[best], sizeof(double) * (size_t)n);
        if (f[best] <= goal || count >= most)
            return count;
        double second = f[best], centre[SIMPLEX_MAX] = {0}, trial[SIMPLEX_MAX], other[SIMPLEX_MAX];
        for (int k = 0; k <= n; k++) {
            if (k == worst)
                continue;
            second = f[k] > second ? f[k] : second;
            for (int i = 0; i < n; i++)
                centre[i] += point[k][i] / n;
        }
        simplex_toward(n, centre, point[worst], -1.0, trial);
        double reached = value(context, trial);
        count++;
        if (reached < f[best]) {
            simplex_toward(n, centre, point[worst], -2.0, other);
            const double farther = value(context, other);
            count++;
            if (farther < reached) {
                reached = farther;
                memcpy(trial, other, sizeof trial);
            }
        } else if (reached >= second) {
            simplex_toward(n, centre, reached < f[worst] ? trial : point[worst], 0.5, other);
            const double nearer = value(context, other);
            count++;
            if (nearer >= (reached < f[worst] ? reached : f[worst])) {
                for (int k = 0; k <= n; k++)
                    if (k != best) {
                        simplex_toward(n, point[best], point[k], 0.5, point[k]);
                        f[k] = value(context, point[k]);
                        count++;
                    }
                continue;
            }
            reached = nearer;
            memcpy(trial, other, sizeof trial);
        }
        memcpy(point[worst], trial, sizeof(double) * (size_t)n);
        f[worst] = reached;
    }
}

#endif
