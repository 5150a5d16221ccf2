/* 0 <= p _|_ G p + b >= 0, the problem inside every law with complementarity. */
#include <math.h>
#include <string.h>

#include "impact_law.h"

static const double tolerance = 1e-13;

size_t impact_lcp_work(const carom_impact_sizes *sizes)
{
    const size_t contacts = (size_t)sizes->contacts;
    return contacts * contacts + contacts + carom_lcp_active_set.work_size(sizes->contacts);
}

static double worst_residual(const impact_frame *frame, const double *b, const double *p, double *w)
{
    double worst = 0.0;
    impact_frame_multiply(frame, p, w);
    for (int i = 0; i < frame->contacts; i++)
        worst = fmax(worst, fabs(fmin(p[i] * frame->entry[frame->diagonal[i]], w[i] + b[i])));
    return worst;
}

double impact_lcp(const impact_frame *frame, const double *b, double *work, double *p)
{
    const int contacts = frame->contacts;
    const size_t square = (size_t)contacts * (size_t)contacts;
    double *matrix = work, *w = work + square;
    memset(matrix, 0, square * sizeof *matrix);
    memset(p, 0, (size_t)contacts * sizeof *p);
    for (int i = 0; i < contacts; i++)
        for (int k = frame->start[i]; k < frame->start[i + 1]; k++)
            matrix[(ptrdiff_t)i * contacts + frame->column[k]] = frame->entry[k];
    const carom_lcp problem = {.size = contacts, .matrix = matrix, .vector = b};
    carom_lcp_active_set.solve(&problem, tolerance, w + contacts, p);
    return worst_residual(frame, b, p, w);
}
