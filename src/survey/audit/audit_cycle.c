/* The largest cycle of a sample, by Floyd and Warshall's way of growing paths.
 *
 * Every step of a path costs a little, slack / count, so that rounding makes no cycle; the walk ends with the
 * first cycle whose weight is positive still, because paths through it would mean nothing. */
#include <math.h>

#include "impact_audit.h"

typedef struct paths {
    int count;
    double *weight; /* count x count: of the heaviest path from i to j found so far, less its cost */
    double *next;   /* the point after i on it */
} paths;

size_t audit_cycle_work(int count)
{
    return 2 * (size_t)count * (size_t)count;
}

static double *at(double *matrix, const paths *p, int i, int j)
{
    return matrix + (ptrdiff_t)i * p->count + j;
}

static void fill_steps(const paths *p, int n, const double *x, const double *y, double cost)
{
    for (int i = 0; i < p->count; i++)
        for (int j = 0; j < p->count; j++) {
            const double *from = x + (ptrdiff_t)i * n, *to = x + (ptrdiff_t)j * n;
            double sum = 0.0;
            for (int k = 0; k < n; k++)
                sum += y[(ptrdiff_t)i * n + k] * (to[k] - from[k]);
            *at(p->weight, p, i, j) = i == j ? -INFINITY : sum - cost;
            *at(p->next, p, i, j) = j;
        }
}

/* The heaviest cycle through `middle` and another point whose paths are known. */
static int heaviest_through(const paths *p, int middle)
{
    int best = middle == 0 ? 1 : 0;
    for (int i = 0; i < p->count; i++)
        if (i != middle && *at(p->weight, p, i, middle) + *at(p->weight, p, middle, i) >
                               *at(p->weight, p, best, middle) + *at(p->weight, p, middle, best))
            best = i;
    return best;
}

static int steps_between(const paths *p, int from, int to)
{
    int steps = 0;
    for (int i = from; i != to && steps <= p->count; steps++)
        i = (int)*at(p->next, p, i, to);
    return steps;
}

static void pass_through(const paths *p, int middle)
{
    for (int i = 0; i < p->count; i++) {
        const double to_middle = *at(p->weight, p, i, middle);
        if (i == middle)
            continue;
        for (int j = 0; j < p->count; j++) {
            const double sum = to_middle + *at(p->weight, p, middle, j);
            if (j == middle || !(sum > *at(p->weight, p, i, j)))
                continue;
            *at(p->weight, p, i, j) = sum;
            *at(p->next, p, i, j) = *at(p->next, p, i, middle);
        }
    }
}

/* The way round all points in their order, from point 0 to point `second`: 1, or the last one for the way
 * back.
 */
static audit_cycle way_round(int count, int n, const double *x, const double *y, int second)
{
    audit_cycle cycle = {.second = second};
    for (int i = 0; i < count; i++) {
        const double *from = x + (ptrdiff_t)i * n, *to = x + (ptrdiff_t)((i + second) % count) * n;
        for (int k = 0; k < n; k++)
            cycle.weight += y[(ptrdiff_t)i * n + k] * (to[k] - from[k]);
    }
    return cycle;
}

/* The first cycle above the slack, or the largest one. */
static audit_cycle grow_paths(const paths *p, double cost)
{
    audit_cycle largest = {.weight = -INFINITY};
    for (int middle = 0; middle < p->count; middle++) {
        const int other = heaviest_through(p, middle);
        const double net = *at(p->weight, p, other, middle) + *at(p->weight, p, middle, other);
        const int steps = steps_between(p, other, middle) + steps_between(p, middle, other);
        const audit_cycle cycle = {net + cost * steps, other, (int)*at(p->next, p, other, middle)};
        if (net > 0.0)
            return cycle;
        if (cycle.weight > largest.weight)
            largest = cycle;
        pass_through(p, middle);
    }
    return largest;
}

audit_cycle audit_largest_cycle(int count, int n, const double *x, const double *y, double slack,
                                double *work)
{
    const paths p = {.count = count, .weight = work, .next = work + (ptrdiff_t)count * count};
    fill_steps(&p, n, x, y, slack / count);
    const audit_cycle found[] = {grow_paths(&p, slack / count), way_round(count, n, x, y, 1),
                                 way_round(count, n, x, y, count - 1)};
    int best = 0;
    for (int i = 1; i < 3; i++)
        if (found[i].weight > found[best].weight)
            best = i;
    return found[best];
}
