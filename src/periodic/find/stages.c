/* A branch followed in stages. Shooting measures its steps by the size of the motion that a stage starts
 * from: next to a grazing motion they would stay tiny all the way. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "find.h"
#include "periodic/follower.h"

enum {
    STAGE_POINTS = 40
};

/* Appends a stage; its first point is the last one of the branch. */
static bool append_stage(carom_branch *branch, const carom_branch *stage)
{
    const int skipped = branch->count > 0, added = stage->count - skipped;
    const size_t width = (size_t)stage->width, count = (size_t)(branch->count + added);
    carom_branch_point *point = realloc(branch->point, (count + 1) * sizeof *point);
    if (point)
        branch->point = point;
    double *unknown = realloc(branch->unknown, (count + 1) * width * sizeof *unknown);
    if (unknown)
        branch->unknown = unknown;
    if (!point || !unknown)
        return false;
    if (skipped)
        point[branch->count - 1].fold = point[branch->count - 1].fold || stage->point[0].fold;
    for (int i = 0; i < added; i++)
        point[branch->count + i] = stage->point[skipped + i];
    memcpy(unknown + (size_t)branch->count * width, stage->unknown + (size_t)skipped * width,
           (size_t)added * width * sizeof *unknown);
    branch->width = stage->width;
    branch->count = (int)count;
    return true;
}

carom_status find_follow_stages(carom_shooting *shooting, int parameter, carom_shot *shot,
                                const carom_branch_options *options, bool branches_off, carom_branch *branch,
                                carom_error *error)
{
    carom_branch_options staged = *options;
    carom_status status = CAROM_OK;
    bool going = true;
    *branch = (carom_branch){.end = CAROM_END_LOST};
    while (status == CAROM_OK && going) {
        carom_branch stage = {0};
        const int room = options->points_max - branch->count + (branch->count > 0);
        staged.points_max = room < STAGE_POINTS ? room : STAGE_POINTS;
        status = branches_off && branch->count == 0
                     ? carom_shooting_branch_off(shooting, parameter, shot, &staged, &stage, error)
                     : carom_shooting_follow(shooting, parameter, shot, &staged, &stage, error);
        if (stage.count > 0 && !append_stage(branch, &stage))
            status = carom_fail_memory(error);
        branch->end = stage.end;
        memcpy(branch->text, stage.text, sizeof branch->text);
        going = status == CAROM_OK && stage.end == CAROM_END_OF_POINTS &&
                branch->count < options->points_max && stage.count > 1;
        if (going) {
            const carom_branch_point *last = &branch->point[branch->count - 1];
            staged.arclength.direction = last->parameter - last[-1].parameter;
            if (isfinite(options->energy_max))
                staged.energy_max = options->energy_max * branch->point[0].energy / last->energy;
        }
        carom_branch_free(&stage);
    }
    branch_note_failure(branch, status, error);
    if (status == CAROM_OK && branch->end == CAROM_END_OF_POINTS)
        carom_format(branch->text, sizeof branch->text, "%d points were followed, to parameter %.9g",
                     branch->count, branch->point[branch->count - 1].parameter);
    return status;
}
