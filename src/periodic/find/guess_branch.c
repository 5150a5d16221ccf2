/* A guess where the linearised model is no help at the period asked for: its motion with one impact next to a
 * linear mode, where amplitudes are small and springs nearly linear, followed over the period. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"

enum {
    WINDOWS_MAX = 16,
    STARTS_MAX = 3, /* the nearest ones */
    POINTS = 600
};

/* Periods a little inside the windows, next to their linear modes; the nearest first. */
static carom_status find_starts(const carom_mode_basis *basis, double period, int *count, double *start,
                                carom_error *error)
{
    const double inside = 0.03, longest = 2.0 * acos(-1.0) / basis->frequency[0];
    carom_mode_window window[WINDOWS_MAX];
    int windows = 0;
    *count = 0;
    const carom_status status =
        carom_mode_scan(basis, 0.4 * period, fmax(1.5 * period, 1.05 * longest), period / 400.0, WINDOWS_MAX,
                        (carom_progress){0}, window, &windows, error);
    for (int i = 0; status == CAROM_OK && i < 2 * windows; i++) {
        const carom_mode_window *at = &window[i / 2];
        const int side = i % 2;
        if (at->end[side] != CAROM_END_LINEAR_MODE)
            continue;
        start[*count] = at->period[side] + inside * (at->period[1 - side] - at->period[side]);
        for (int k = (*count)++; k > 0 && fabs(start[k] - period) < fabs(start[k - 1] - period); k--) {
            const double nearer = start[k];
            start[k] = start[k - 1];
            start[k - 1] = nearer;
        }
    }
    return status;
}

/* From one start to the period asked for; FAILED when the branch ends before. */
static carom_status follow(const carom_periodic_model *periodic, const carom_mode_basis *basis,
                           const carom_linearised *linear, const carom_find_request *request, double start,
                           carom_shot *shot, carom_error *error)
{
    const int n = periodic->model->dof;
    const carom_shooting_problem problem = {.model = periodic->model,
                                            .parameter = periodic->parameter,
                                            .kind = CAROM_SHOOT_SYMMETRIC,
                                            .impacts = 1,
                                            .contact = request->impacts.contact,
                                            .period = start,
                                            .frequency = -1,
                                            .multiple = 1};
    carom_branch_options options = carom_branch_defaults();
    options.parameter_min = fmin(start, request->period);
    options.parameter_max = fmax(start, request->period);
    options.arclength.direction = request->period > start ? 1.0 : -1.0;
    options.points_max = POINTS;
    options.progress = periodic->progress;
    carom_mode *mode = NULL;
    carom_shooting *shooting = NULL;
    carom_branch branch = {0};
    carom_status status = carom_mode_one_impact(basis, start, &mode, error);
    if (status == CAROM_OK)
        status = carom_shooting_create(&problem, &shooting, error);
    if (status == CAROM_OK) {
        memcpy(shot->q, mode->q, (size_t)n * sizeof(double));
        memcpy(shot->v, mode->v, (size_t)n * sizeof(double));
        carom_axpy(n, 1.0, linear->rest, shot->q);
        shot->flight[0] = start;
        shot->t0 = 0.0;
    }
    if (status == CAROM_OK)
        status = find_follow_stages(shooting, CAROM_SHOOT_PERIOD, shot, &options, false, &branch, error);
    const double reached = branch.count > 0 ? branch.point[branch.count - 1].parameter : start;
    if (status == CAROM_OK && (reached - request->period) * (start - request->period) > 0.0)
        status = carom_fail(error, CAROM_FAILED, "the branch from period %.6g ends before: %s", start,
                            branch.text);
    carom_branch_free(&branch);
    carom_shooting_free(shooting);
    carom_mode_free(mode);
    return status;
}

carom_status find_guess_branch(const carom_periodic_model *periodic, const carom_linearised *linear,
                               const carom_find_request *request, carom_shot *shot, double *from,
                               carom_error *error)
{
    const int contact = request->impacts.contact[0];
    const carom_mode_system system = find_mode_system(periodic, linear, contact);
    carom_mode_basis *basis = NULL;
    double start[2 * WINDOWS_MAX];
    int count = 0;
    carom_status status = carom_mode_basis_create(&system, &basis, error);
    if (status == CAROM_OK)
        status = find_starts(basis, request->period, &count, start, error);
    if (status == CAROM_OK)
        status = carom_fail(error, CAROM_FAILED,
                            "the linearised model has no motion with one impact near this period");
    for (int i = 0; i < count && i < STARTS_MAX && status == CAROM_FAILED; i++) {
        *from = start[i];
        status = follow(periodic, basis, linear, request, start[i], shot, error);
    }
    carom_mode_basis_free(basis);
    return status;
}
