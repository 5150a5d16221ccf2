#include "further.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BRANCHES_MAX = 64
};

bool further_read_switch(const char *word, further_request *request)
{
    const bool all = strcmp(word, "all") == 0;
    request->flips = all || strcmp(word, carom_special_word(CAROM_SPECIAL_FLIP)) == 0;
    request->branchings = all || strcmp(word, carom_special_word(CAROM_SPECIAL_BRANCH)) == 0;
    return request->flips || request->branchings;
}

bool further_read_locus(const char *word, further_request *request)
{
    static const carom_special kind[] = {CAROM_SPECIAL_FOLD, CAROM_SPECIAL_FLIP, CAROM_SPECIAL_GRAZING};
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        if (strcmp(word, carom_special_word(kind[i])) == 0) {
            request->locus = kind[i];
            return true;
        }
    return false;
}

void further_free(further_branches *more)
{
    for (int i = 0; i < more->count; i++)
        carom_branch_free(&more->branch[i].branch);
    free(more->branch);
    *more = (further_branches){0};
}

/* A place at the end of the list; NULL when memory is short or there are enough. */
static further_branch *append(further_branches *more, const further_branch *branch)
{
    if (!more->branch)
        more->branch = carom_new_array(BRANCHES_MAX, sizeof *more->branch);
    if (!more->branch || more->count == BRANCHES_MAX)
        return NULL;
    more->branch[more->count] = *branch;
    return &more->branch[more->count++];
}

/* What cannot be followed says so and does not stop the others. */
static carom_status settle(carom_status status, further_branch *branch, const carom_error *why,
                           carom_error *error)
{
    if (status == CAROM_OK || (status == CAROM_FAILED && branch->branch.count > 0))
        return CAROM_OK;
    if (status != CAROM_FAILED) {
        *error = *why;
        return status;
    }
    branch->branch.end = CAROM_END_LOST;
    snprintf(branch->branch.text, sizeof branch->branch.text, "%.290s", why->text);
    return CAROM_OK;
}

static bool is_wanted(const further_request *further, carom_special special)
{
    return (further->flips && special == CAROM_SPECIAL_FLIP) ||
           (further->branchings && special == CAROM_SPECIAL_BRANCH);
}

/* The branches that begin at one; their index is that of its own among the further ones, -1: the first. */
static carom_status switch_from(const carom_periodic_model *model, const carom_found_orbit *start,
                                const carom_branch *branch, int from, int times,
                                const carom_continue_request *request, const further_request *further,
                                further_branches *more, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 1; i < branch->count && status == CAROM_OK; i++) {
        const carom_special special = branch->point[i].special;
        if (!is_wanted(further, special))
            continue;
        carom_error why = {0};
        further_branch *to = append(
            more, &(further_branch){
                      .from = from, .point = i, .times = special == CAROM_SPECIAL_FLIP ? 2 * times : times});
        if (!to)
            return CAROM_OK;
        status = carom_continue_switch(model, start, branch, times, i, request, &to->branch, &why);
        status = settle(status, to, &why, error);
    }
    return status;
}

carom_status further_check(const carom_periodic_model *model, const carom_continue_request *request,
                           const further_request *further, carom_error *error)
{
    if (further->locus == CAROM_SPECIAL_NONE)
        return CAROM_OK;
    const int second = carom_model_find_parameter(model->model, further->second);
    if (second < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--second: '%s' is no parameter of %s; carom show lists them", further->second,
                          model->name);
    if (second == request->parameter)
        return carom_fail(error, CAROM_BAD_INPUT, "--second: '%s' is --param already; name another parameter",
                          further->second);
    const carom_parameter *about = &model->model->parameter[second];
    if (further->to < about->min || further->to > about->max)
        return carom_fail(error, CAROM_BAD_INPUT, "--second-to %g: '%s' is from %g to %g", further->to,
                          further->second, about->min, about->max);
    if (request->parameter == CAROM_SHOOT_PERIOD)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--locus is over two parameters of the model, not over the period");
    return CAROM_OK;
}

static carom_status follow_locus(const carom_periodic_model *model, const carom_found_orbit *start,
                                 const carom_branch *branch, const carom_continue_request *request,
                                 const further_request *further, further_branches *more, carom_error *error)
{
    const int second = carom_model_find_parameter(model->model, further->second);
    int point = 0;
    while (point < branch->count && branch->point[point].special != further->locus)
        point++;
    if (point == branch->count)
        return carom_fail(error, CAROM_FAILED, "--locus: there is no %s on the branch",
                          carom_special_word(further->locus));
    further_branch *to =
        append(more, &(further_branch){.from = -1, .point = point, .times = 1, .locus = true});
    if (!to)
        return carom_fail_memory(error);
    carom_error why = {0};
    const carom_status status =
        carom_continue_locus(model, start, branch, point, request, second, further->to, &to->branch, &why);
    return settle(status, to, &why, error);
}

carom_status further_follow(const carom_periodic_model *model, const carom_found_orbit *start,
                            const carom_branch *branch, const carom_continue_request *request,
                            const further_request *further, further_branches *more, carom_error *error)
{
    carom_status status = CAROM_OK;
    if (further->flips || further->branchings)
        status = switch_from(model, start, branch, -1, 1, request, further, more, error);
    for (int depth = 2, first = 0; depth <= further->depth && status == CAROM_OK; depth++) {
        const int last = more->count;
        for (int i = first; i < last && status == CAROM_OK; i++)
            status = switch_from(model, start, &more->branch[i].branch, i, more->branch[i].times, request,
                                 further, more, error);
        first = last;
    }
    if (status == CAROM_OK && further->locus != CAROM_SPECIAL_NONE)
        status = follow_locus(model, start, branch, request, further, more, error);
    return status;
}
