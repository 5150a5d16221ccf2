#include "newmark_load.h"

/* Gauss-Legendre points on [0, 1]: exact for polynomials of degree 7, so that a load that is smooth over a
 * step is averaged to rounding. */
enum {
    POINTS = 4
};
static const double point[POINTS] = {0.069431844202973712388, 0.330009478207571867599,
                                     0.669990521792428132401, 0.930568155797026287612};
static const double weight[POINTS] = {0.173927422568726928687, 0.326072577431273071313,
                                      0.326072577431273071313, 0.173927422568726928687};

bool newmark_load_take(newmark_load *load, carom_arena *arena, carom_model_work *work, double h, double beta,
                       bool mean)
{
    const size_t size = (size_t)work->model->dof;
    *load = (newmark_load){.work = work, .size = work->model->dof, .h = h, .beta = beta, .mean = mean};
    for (int k = 0; k < 3; k++)
        if (!(load->term[k] = carom_arena_take(arena, size, sizeof(double))))
            return false;
    return true;
}

static void evaluate(const newmark_load *load, double t, double *m)
{
    const carom_model_ops *ops = load->work->model->ops;
    if (!load->mean) {
        ops->load(load->work, 1, &t, &(const double){1.0}, m);
        return;
    }
    double instant[POINTS];
    for (int k = 0; k < POINTS; k++)
        instant[k] = t + point[k] * load->h;
    ops->load(load->work, POINTS, instant, weight, m);
}

void newmark_load_start(newmark_load *load, double t0)
{
    evaluate(load, t0, load->term[1]);
    evaluate(load, t0 + load->h, load->term[2]);
}

void newmark_load_renew(newmark_load *load, double t)
{
    evaluate(load, t, load->term[2]);
}

void newmark_load_add(newmark_load *load, double t_next, double *x)
{
    double *oldest = load->term[0];
    load->term[0] = load->term[1];
    load->term[1] = load->term[2];
    load->term[2] = oldest;
    evaluate(load, t_next, oldest);
    const double h2 = load->h * load->h, outer = h2 * load->beta, inner = h2 * (1.0 - 2.0 * load->beta);
    const double *restrict before = load->term[0], *restrict now = load->term[1],
                           *restrict after = load->term[2];
    for (int i = 0; i < load->size; i++)
        x[i] += outer * (before[i] + after[i]) + inner * now[i];
}

void newmark_load_along(const newmark_load *load, const double *parameter, double t, double t_along,
                        double h_along, double *m)
{
    const carom_model_tangent_ops *ops = load->work->model->ops->tangent;
    if (!load->mean) {
        ops->load(load->work, parameter, 1, &t, &(const double){1.0}, &t_along, m);
        return;
    }
    double instant[POINTS], moved[POINTS];
    for (int k = 0; k < POINTS; k++) {
        instant[k] = t + point[k] * load->h;
        moved[k] = t_along + point[k] * h_along;
    }
    ops->load(load->work, parameter, POINTS, instant, weight, moved, m);
}
