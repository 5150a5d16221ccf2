#include "study_inputs.h"

#include <string.h>

const char *const bipotential_sweeps[] = {"gauss-seidel", "jacobi", NULL};

/* Both or none of two inputs; true when they are there. */
static bool read_pair(carom_study_call *call, const char *x, const char *y, double pair[2])
{
    const bool has_x = carom_study_given(call, x), has_y = carom_study_given(call, y);
    if (has_x != has_y)
        carom_study_fail(call, CAROM_BAD_INPUT, "give both %s and %s", x, y);
    pair[0] = carom_study_number(call, x);
    pair[1] = carom_study_number(call, y);
    return has_x && has_y;
}

carom_elliptic_cone cone_read(carom_study_call *call)
{
    carom_elliptic_cone cone = {0};
    carom_error error;
    double mu[2], slip[2] = {0.0, 0.0};
    const bool isotropic = carom_study_given(call, "mu");
    if (read_pair(call, "mu_x", "mu_y", mu) == isotropic)
        carom_study_fail(call, CAROM_BAD_INPUT, "friction is mu, or mu_x and mu_y");
    if (isotropic)
        mu[0] = mu[1] = carom_study_number(call, "mu");
    const bool other = read_pair(call, "p_x", "p_y", slip);
    if (call->status == CAROM_OK &&
        carom_elliptic_cone_make(mu, other ? slip : NULL, &cone, &error) != CAROM_OK)
        carom_study_fail(call, CAROM_BAD_INPUT, "%s", error.text);
    return cone;
}

const double *bipotential_read_needed(carom_study_call *call, const char *key, int count)
{
    const int length = carom_study_list_length(call, key);
    const double *list = length == count ? carom_study_list(call, key, count) : NULL;
    if (!list)
        carom_study_fail(call, CAROM_BAD_INPUT, "needs %s = a list of %d numbers; got %d", key, count,
                         length);
    for (int k = 0; list && k < count; k++)
        if (!isfinite(list[k]))
            carom_study_fail(call, CAROM_BAD_INPUT, "%s has the entry %g; it must be finite", key, list[k]);
    return list;
}

/* W row by row in one list, as blocks. */
static carom_blocks read_matrix(carom_study_call *call, int contacts)
{
    const size_t n = (size_t)contacts, size = 3 * n;
    const double *list = bipotential_read_needed(call, "W", (int)(size * size));
    int *start = carom_study_take(call, n + 1, sizeof *start),
        *diagonal = carom_study_take(call, n, sizeof *start);
    int *column = carom_study_take(call, carom_product(n, n), sizeof *column);
    double *block = carom_study_take(call, carom_product(size, size), sizeof *block);
    if (call->status != CAROM_OK)
        return (carom_blocks){0};
    for (size_t a = 0; a < n; a++) {
        start[a + 1] = (int)((a + 1) * n);
        diagonal[a] = (int)(a * n + a);
        for (size_t b = 0; b < n; b++) {
            column[a * n + b] = (int)b;
            for (size_t k = 0; k < 9; k++)
                block[9 * (a * n + b) + k] = list[(3 * a + k / 3) * size + 3 * b + k % 3];
        }
    }
    return (carom_blocks){contacts, start, column, diagonal, block};
}

carom_elliptic_problem bipotential_read_problem(carom_study_call *call, int contacts)
{
    carom_elliptic_cone *cone = carom_study_take(call, (size_t)contacts, sizeof *cone);
    double *axes = carom_study_take(call, (size_t)contacts, sizeof *axes);
    if (!cone || !axes)
        return (carom_elliptic_problem){0};
    cone[0] = cone_read(call);
    axes[0] = carom_study_number(call, "axes");
    for (int a = 1; a < contacts; a++) {
        cone[a] = cone[0];
        axes[a] = axes[0];
    }
    return (carom_elliptic_problem){.contacts = contacts,
                                    .W = read_matrix(call, contacts),
                                    .cone = cone,
                                    .gap = carom_study_list(call, "gap", contacts),
                                    .axes = axes};
}

carom_uzawa_options bipotential_read_options(carom_study_call *call)
{
    carom_uzawa_options options = carom_uzawa_defaults();
    options.sweep = (carom_uzawa_sweep)carom_study_word(call, "sweep");
    const double rho = carom_study_number(call, "rho");
    if (rho <= 0.0)
        carom_study_fail(call, CAROM_BAD_INPUT,
                         "rho = %g must be positive; leave it out for 1 / largest eigenvalue", rho);
    options.rho = isnan(rho) ? 0.0 : rho;
    if (carom_study_given(call, "tolerance"))
        options.tolerance = carom_exactly(carom_study_number(call, "tolerance"));
    if (carom_study_given(call, "iterations"))
        options.max_iterations = carom_study_whole(call, "iterations");
    if (carom_study_given(call, "visits"))
        options.visits = carom_study_whole(call, "visits");
    return options;
}

int bipotential_state(const carom_elliptic_cone *cone, const double r[3])
{
    if (!(r[0] > 0.0))
        return 0;
    double inner[3] = {r[0] * (1.0 - 1e-9), r[1], r[2]}, nearest[3];
    return carom_elliptic_cone_project(cone->mu, inner, nearest) == CAROM_CONE_INSIDE ? 2 : 1;
}
