/* What `carom modes` tells: text and JSON. */
#include <math.h>
#include <stdio.h>

#include "app/orbit_output.h"

static const char *end_sentence(carom_branch_end end)
{
    switch (end) {
    case CAROM_END_LINEAR_MODE:
        return "linear mode that grazes";
    case CAROM_END_ENERGY:
        return "infinite energy";
    case CAROM_END_JUNCTION:
        return "junction: the gap touches";
    case CAROM_END_GRAZE:
        return "graze: an impact less";
    case CAROM_END_STICKING:
        return "sticking";
    case CAROM_END_OF_RANGE:
        return "end of the range";
    case CAROM_END_OF_POINTS:
        return "as many points as asked for";
    case CAROM_END_LOST:
        return "lost";
    }
    return "";
}

static void print_linear(const carom_mode_survey *survey)
{
    printf("  linear modes\n  %6s %14s %14s %16s\n", "", "omega", "period", "grazing energy");
    for (int i = 0; i < survey->basis->size; i++)
        printf("  %6d %14.10g %14.10g %16.10g\n", i + 1, survey->basis->frequency[i],
               2.0 * acos(-1.0) / survey->basis->frequency[i], carom_mode_grazing_energy(survey->basis, i));
}

static void print_windows(const carom_mode_survey *survey)
{
    if (!survey->window)
        return;
    printf("\n  one impact per period: %d window%s of periods\n", survey->windows, plural(survey->windows));
    for (int i = 0; i < survey->windows; i++)
        for (int k = 0; k < 2; k++) {
            const carom_mode_window *window = &survey->window[i];
            printf("  %-6s %14.9g %14.8g  %s", k ? "   to" : " from", window->period[k], window->energy[k],
                   end_sentence(window->end[k]));
            if (window->end[k] == CAROM_END_JUNCTION)
                printf(" at t = %.6g", window->touch_time[k]);
            printf("\n");
        }
}

static int count_changes(const carom_mode_branch *branch)
{
    int changes = 0;
    for (int i = 1; i < branch->count; i++)
        changes += branch->point[i].stable != branch->point[i - 1].stable;
    return changes;
}

static void print_branches(const carom_mode_survey *survey)
{
    for (int i = 0; i < survey->branches; i++) {
        const carom_mode_branch *branch = &survey->branch[i];
        if (branch->impacts == 1 || branch->count == 0)
            continue;
        printf("\n  %d impacts per period: a branch of %d points, %d change%s of stability\n",
               branch->impacts, branch->count, count_changes(branch), plural(count_changes(branch)));
        for (int k = 0; k < 2; k++) {
            const carom_branch_point *point = &branch->point[k ? branch->count - 1 : 0];
            printf("  %-6s %14.9g %14.8g  %s\n", k ? "   to" : " from", point->period, point->energy,
                   end_sentence(branch->end[k]));
        }
    }
}

static void print_sticking(const carom_mode_survey *survey)
{
    if (!survey->sticking)
        return;
    printf("\n  one sticking phase per period: %d motion%s\n", survey->stickings, plural(survey->stickings));
    if (survey->stickings > 0)
        printf("  %14s %14s %14s %14s\n", "period", "flight", "contact", "energy");
    for (int i = 0; i < survey->stickings; i++)
        printf("  %14.10g %14.10g %14.10g %14.10g\n", survey->sticking[i].period, survey->sticking[i].flight,
               survey->sticking[i].contact, survey->sticking[i].energy);
}

/* Ends at which the search gave up or was to stop: what comes behind them is not known. */
static int count_unknown_ends(const carom_mode_survey *survey, carom_branch_end end)
{
    int count = 0;
    for (int i = 0; i < 2 * survey->branches; i++)
        count += survey->branch[i / 2].end[i % 2] == end;
    for (int i = 0; survey->window && i < 2 * survey->windows; i++)
        count += survey->window[i / 2].end[i % 2] == end;
    return count;
}

void print_modes_text(const carom_periodic_model *model, const carom_mode_survey *survey)
{
    printf("%s\n", model->name);
    print_linear(survey);
    print_windows(survey);
    print_branches(survey);
    print_sticking(survey);
    if (survey->full)
        printf("\n  there may be more: narrow --periods\n");
    const int lost = count_unknown_ends(survey, CAROM_END_LOST),
              limited = count_unknown_ends(survey, CAROM_END_OF_POINTS);
    if (lost > 0)
        printf("\n  not complete: %d end%s lost, where Newton's method failed\n", lost,
               lost == 1 ? " is" : "s are");
    if (limited > 0)
        printf("\n  not complete: %d end%s only where --points ended it\n", limited,
               limited == 1 ? " is" : "s are");
}

/* ---- JSON ------------------------------------------------------------------------------------------- */

static void write_linear(carom_json *json, const carom_mode_survey *survey)
{
    carom_json_array_begin(json, "modes");
    for (int i = 0; i < survey->basis->size; i++) {
        carom_json_object_begin(json, NULL);
        carom_json_number(json, "omega", survey->basis->frequency[i]);
        carom_json_number(json, "period", 2.0 * acos(-1.0) / survey->basis->frequency[i]);
        carom_json_number(json, "grazing_energy", carom_mode_grazing_energy(survey->basis, i));
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void write_windows(carom_json *json, const carom_mode_survey *survey)
{
    carom_json_array_begin(json, "windows");
    for (int i = 0; i < survey->windows; i++) {
        const carom_mode_window *window = &survey->window[i];
        carom_json_object_begin(json, NULL);
        for (int k = 0; k < 2; k++) {
            carom_json_object_begin(json, k ? "to" : "from");
            carom_json_number(json, "period", window->period[k]);
            carom_json_number(json, "energy", window->energy[k]);
            carom_json_text(json, "end", carom_branch_end_word(window->end[k]));
            if (window->end[k] == CAROM_END_JUNCTION)
                carom_json_number(json, "touch_time", window->touch_time[k]);
            carom_json_object_end(json);
        }
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void write_points(carom_json *json, const carom_mode_branch *branch)
{
    carom_json_array_begin(json, "points");
    for (int i = 0; i < branch->count; i++) {
        const carom_branch_point *point = &branch->point[i];
        carom_json_object_begin(json, NULL);
        carom_json_number(json, "period", point->period);
        carom_json_number(json, "energy", point->energy);
        carom_json_number(json, "largest_multiplier", point->multiplier);
        carom_json_bool(json, "stable", point->stable);
        carom_json_bool(json, "fold", point->fold);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

static void write_named(carom_json *json, const char *key, const carom_model *model, const double *value)
{
    carom_json_object_begin(json, key);
    for (int i = 0; i < model->dof; i++)
        carom_json_number(json, model->coordinate[i], value[i]);
    carom_json_object_end(json);
}

/* The state is that at release; displacements are from the rest. */
static void write_sticking(carom_json *json, const carom_model *model, const carom_mode_survey *survey)
{
    carom_json_array_begin(json, "sticking");
    for (int i = 0; i < survey->stickings; i++) {
        const carom_mode_sticking *motion = &survey->sticking[i];
        carom_json_object_begin(json, NULL);
        carom_json_number(json, "period", motion->period);
        carom_json_number(json, "flight", motion->flight);
        carom_json_number(json, "contact", motion->contact);
        carom_json_number(json, "energy", motion->energy);
        carom_json_number(json, "least_reaction", motion->reaction);
        write_named(json, "displacement", model, motion->q);
        write_named(json, "velocity", model, motion->v);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

void print_modes_json(const carom_periodic_model *model, const carom_mode_survey *survey)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "experiment", model->name);
    carom_json_text(&json, "contact", model->model->contact[0].name);
    write_linear(&json, survey);
    carom_json_array_begin(&json, "periods");
    carom_json_number(&json, NULL, survey->from);
    carom_json_number(&json, NULL, survey->to);
    carom_json_array_end(&json);
    write_windows(&json, survey);
    carom_json_array_begin(&json, "branches");
    for (int i = 0; i < survey->branches; i++) {
        const carom_mode_branch *branch = &survey->branch[i];
        carom_json_object_begin(&json, NULL);
        carom_json_number(&json, "impacts", branch->impacts);
        carom_json_array_begin(&json, "ends");
        for (int k = 0; k < 2; k++)
            carom_json_text(&json, NULL, carom_branch_end_word(branch->end[k]));
        carom_json_array_end(&json);
        write_points(&json, branch);
        carom_json_object_end(&json);
    }
    carom_json_array_end(&json);
    if (survey->sticking)
        write_sticking(&json, model->model, survey);
    carom_json_bool(&json, "complete",
                    !survey->full && count_unknown_ends(survey, CAROM_END_LOST) == 0 &&
                        count_unknown_ends(survey, CAROM_END_OF_POINTS) == 0);
    carom_json_object_end(&json);
    print_whole(&text);
}
