/* 0 <= p _|_ G p + b >= 0 for a large sparse G that is no chain: minimises p.G p / 2 + b.p over p >= 0 by
 * conjugate gradients on the positive impulses, with projected steps where an impulse reaches zero
 * (modified proportioning with reduced gradient projections, Dostal and Schoeberl 2005). Needs products with
 * G only. Unknowns are scaled to a unit diagonal. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "impact_law.h"

typedef struct descent {
    const carom_contact_space *space;
    const double *b;
    int n;
    double *scale;     /* 1 / sqrt(G_ii) */
    double *x;         /* p / scale */
    double *gradient;  /* scaled G p + b */
    double *direction; /* conjugate, zero where x is */
    double *image;     /* scaled G direction */
    double *product;   /* a vector to multiply with */
    double step;       /* below 2 / |G| */
} descent;

typedef enum descent_end {
    DESCENT_GOES_ON,
    DESCENT_STUCK,     /* only rounding is left of the direction */
    DESCENT_UNBOUNDED, /* impulses grow for ever */
} descent_end;

/* Curvature per square of a direction that is none. */
static const double flat_curvature = 16.0 * DBL_EPSILON;
/* Slope per length of a flat direction and of b that is none. */
static const double flat_slope = 1e-8;

size_t impact_gradient_work(const carom_impact_sizes *sizes)
{
    return 6 * (size_t)sizes->contacts;
}

static void multiply(const descent *d, const double *x, double *y)
{
    for (int i = 0; i < d->n; i++)
        d->product[i] = d->scale[i] * x[i];
    carom_contact_space_multiply(d->space, d->product, y);
    for (int i = 0; i < d->n; i++)
        y[i] *= d->scale[i];
}

static void evaluate(const descent *d)
{
    multiply(d, d->x, d->gradient);
    for (int i = 0; i < d->n; i++)
        d->gradient[i] += d->scale[i] * d->b[i];
}

static descent set_up(const carom_contact_space *space, const double *b, double *work, const double *p)
{
    const int n = space->contacts;
    descent d = {.space = space, .b = b, .n = n, .scale = work};
    d.x = work + n;
    d.gradient = d.x + n;
    d.direction = d.gradient + n;
    d.image = d.direction + n;
    d.product = d.image + n;
    for (int i = 0; i < n; i++) {
        d.scale[i] = 1.0 / sqrt(space->entry[space->diagonal[i]]);
        d.x[i] = p[i] / d.scale[i];
    }
    double largest = 0.0; /* sum of a row: no eigenvalue is larger */
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int k = space->start[i]; k < space->start[i + 1]; k++)
            sum += fabs(space->entry[k]) * d.scale[i] * d.scale[space->column[k]];
        largest = fmax(largest, sum);
    }
    d.step = 1.9 / largest;
    evaluate(&d);
    return d;
}

static bool is_free(const descent *d, int i)
{
    return d->x[i] > 0.0;
}

/* The direction begins again with the gradient of the positive impulses. */
static void restart(const descent *d)
{
    for (int i = 0; i < d->n; i++)
        d->direction[i] = is_free(d, i) ? d->gradient[i] : 0.0;
}

/* What a projected step can use of the gradient where x > 0, and where impulses that are zero should grow. */
static void measure(const descent *d, double *reduced, double *chopped)
{
    *reduced = *chopped = 0.0;
    for (int i = 0; i < d->n; i++) {
        const double g = d->gradient[i];
        if (is_free(d, i))
            *reduced += g * fmin(g, d->x[i] / d->step);
        else if (g < 0.0)
            *chopped += g * g;
    }
}

/* The largest |min(x, gradient)| in velocities. */
static double error_of(const descent *d)
{
    double worst = 0.0;
    for (int i = 0; i < d->n; i++)
        worst = fmax(worst, fabs(fmin(d->x[i], d->gradient[i])) / d->scale[i]);
    return worst;
}

static void advance(const descent *d, double step)
{
    for (int i = 0; i < d->n; i++) {
        d->x[i] = fmax(0.0, d->x[i] - step * d->direction[i]);
        d->gradient[i] -= step * d->image[i];
    }
}

/* Down to the first impulse that reaches zero, and a projected step from there. */
static void expand(const descent *d, double feasible)
{
    advance(d, feasible);
    for (int i = 0; i < d->n; i++)
        if (is_free(d, i))
            d->x[i] = fmax(0.0, d->x[i] - d->step * d->gradient[i]);
    evaluate(d);
    restart(d);
}

static double largest_feasible(const descent *d)
{
    double feasible = INFINITY;
    for (int i = 0; i < d->n; i++)
        if (d->direction[i] > 0.0)
            feasible = fmin(feasible, d->x[i] / d->direction[i]);
    return feasible;
}

static bool is_flat(const descent *d, double curvature)
{
    return !(curvature > flat_curvature * carom_dot(d->n, d->direction, d->direction));
}

/* Of a flat direction along which no impulse falls. */
static descent_end end_of(const descent *d, double slope)
{
    double b = 0.0;
    for (int i = 0; i < d->n; i++)
        b += d->scale[i] * d->b[i] * d->scale[i] * d->b[i];
    const double length = sqrt(b * carom_dot(d->n, d->direction, d->direction));
    return slope > flat_slope * length ? DESCENT_UNBOUNDED : DESCENT_STUCK;
}

/* Conjugate gradients on the positive impulses. */
static descent_end minimise(const descent *d)
{
    multiply(d, d->direction, d->image);
    const double curvature = carom_dot(d->n, d->direction, d->image);
    const double slope = carom_dot(d->n, d->direction, d->gradient);
    const double feasible = largest_feasible(d);
    const bool flat = is_flat(d, curvature);
    if (flat && !isfinite(feasible))
        return end_of(d, slope);
    if (flat || slope / curvature > feasible) {
        expand(d, feasible);
        return DESCENT_GOES_ON;
    }
    advance(d, slope / curvature);
    double along = 0.0;
    for (int i = 0; i < d->n; i++)
        along += is_free(d, i) ? d->gradient[i] * d->image[i] : 0.0;
    for (int i = 0; i < d->n; i++)
        d->direction[i] = is_free(d, i) ? d->gradient[i] - along / curvature * d->direction[i] : 0.0;
    return DESCENT_GOES_ON;
}

/* Lets impulses grow that are zero and pressed together. */
static descent_end release(const descent *d)
{
    for (int i = 0; i < d->n; i++)
        d->direction[i] = is_free(d, i) ? 0.0 : fmin(d->gradient[i], 0.0);
    multiply(d, d->direction, d->image);
    const double curvature = carom_dot(d->n, d->direction, d->image);
    const double slope = carom_dot(d->n, d->direction, d->gradient);
    if (is_flat(d, curvature))
        return end_of(d, slope);
    advance(d, slope / curvature);
    restart(d);
    return DESCENT_GOES_ON;
}

double impact_gradient_solve(const carom_contact_space *space, const double *b, double tolerance,
                             double *work, double *p)
{
    const descent d = set_up(space, b, work, p);
    const int limit = 1000 + (d.n < 5000 ? 10 * d.n : 50000);
    descent_end end = DESCENT_GOES_ON;
    restart(&d);
    for (int k = 0; k < limit && end == DESCENT_GOES_ON; k++) {
        if (k % 100 == 99 || error_of(&d) <= tolerance) {
            evaluate(&d); /* removes the rounding that updates gathered */
            if (error_of(&d) <= tolerance)
                break;
        }
        double reduced, chopped;
        measure(&d, &reduced, &chopped);
        end = chopped <= reduced ? minimise(&d) : release(&d);
    }
    for (int i = 0; i < d.n; i++)
        p[i] = end == DESCENT_UNBOUNDED ? 0.0 : d.scale[i] * d.x[i];
    return end == DESCENT_UNBOUNDED ? INFINITY : error_of(&d);
}
