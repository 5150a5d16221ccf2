/* The text and the JSON object of `carom basin`. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/diagram_output.h"

enum {
    LINES_MAX = 30 /* attractors that are printed */
};

const char *attractor_name(const carom_basin *basin, const carom_attractor *attractor, char *text,
                           size_t size)
{
    if (attractor->end == CAROM_BASIN_NOT_PERIODIC)
        snprintf(text, size, "not periodic up to %d, %.3g impacts per period", basin->longest,
                 attractor->impact_rate);
    else
        snprintf(text, size, "period %d, %d impact%s", attractor->period, attractor->impacts,
                 plural(attractor->impacts));
    return text;
}

static double share_of(const carom_basin *basin, int cells)
{
    return (double)cells / basin->cells;
}

/* ---- text --------------------------------------------------------------------------------------------------- */

static void print_point(const carom_basin *basin, const double *point)
{
    for (int i = 0; i < basin->state && i < 6; i++) {
        char name[80];
        printf("%s%s = %.6g", i ? ", " : "", state_name(basin->model, i, name, sizeof name), point[i]);
    }
    printf("%s\n", basin->state > 6 ? ", ..." : "");
}

void print_basin_text(const basin_output *output)
{
    static const char *const told[CAROM_BASIN_ENDS] = {[CAROM_BASIN_UNSETTLED] =
                                                           "not settled yet: give more --periods",
                                                       [CAROM_BASIN_ESCAPED] = "escaped",
                                                       [CAROM_BASIN_FAILED] = "failed",
                                                       [CAROM_BASIN_OUTSIDE] = "start inside an obstacle"};
    const carom_experiment *experiment = output->experiment;
    const carom_basin *basin = output->basin;
    printf("%s%s%s\n", experiment->name, experiment->title ? ": " : "",
           experiment->title ? experiment->title : "");
    for (int i = 0; i < basin->axis_count; i++)
        printf("  %-11s%s = %.6g .. %.6g, %d values\n", i ? "and" : "over", output->axis[i],
               basin->axis[i].from, basin->axis[i].to, basin->axis[i].count);
    printf("  periods    %d", basin->periods);
    if (!isnan(basin->period))
        printf(" of %.9g", basin->period);
    printf("\n  scheme     %s\n\n", basin->scheme->name);
    for (int i = 0; i < basin->attractor_count && i < LINES_MAX; i++) {
        char name[120];
        printf("  %2d  %6.2f %%  %-24s ", i + 1, 100.0 * share_of(basin, basin->attractor[i].cells),
               attractor_name(basin, &basin->attractor[i], name, sizeof name));
        print_point(basin, basin->attractor[i].point);
    }
    if (basin->attractor_count > LINES_MAX)
        printf("  ... %d more (in --json)\n", basin->attractor_count - LINES_MAX);
    for (int end = 0; end < CAROM_BASIN_ENDS; end++)
        if (told[end] && basin->ends[end] > 0)
            printf("      %6.2f %%  %s\n", 100.0 * share_of(basin, basin->ends[end]), told[end]);
}

/* ---- JSON ----------------------------------------------------------------------------------------------------- */

static void write_point(carom_json *json, const char *key, const carom_basin *basin, const double *point)
{
    carom_json_object_begin(json, key);
    for (int i = 0; i < basin->state; i++) {
        char name[200];
        carom_json_number(json, state_name(basin->model, i, name, sizeof name), point[i]);
    }
    carom_json_object_end(json);
}

static void write_attractor(carom_json *json, const carom_basin *basin, int index)
{
    const carom_attractor *attractor = &basin->attractor[index];
    const bool periodic = attractor->end == CAROM_BASIN_PERIODIC;
    char name[120];
    carom_json_object_begin(json, NULL);
    carom_json_number(json, "id", index + 1);
    carom_json_text(json, "name", attractor_name(basin, attractor, name, sizeof name));
    carom_json_number(json, "period", periodic ? (double)attractor->period : NAN);
    carom_json_number(json, "impacts", periodic ? (double)attractor->impacts : NAN);
    carom_json_number(json, "impacts_per_period", attractor->impact_rate);
    carom_json_number(json, "share", share_of(basin, attractor->cells));
    carom_json_number(json, "cells", attractor->cells);
    write_point(json, "point", basin, attractor->point);
    carom_json_array_begin(json, "points");
    for (int k = 0; periodic && !basin->by_name && k < attractor->period; k++)
        write_point(json, NULL, basin, attractor->point + (ptrdiff_t)k * basin->state);
    carom_json_array_end(json);
    carom_json_object_end(json);
}

/* The map: numbers of attractors, 0 for none; a row per value of the first axis. */
static void write_map(carom_json *json, const carom_basin *basin)
{
    const int fast = basin->axis[basin->axis_count - 1].count;
    carom_json_array_begin(json, "map");
    for (int i = 0; i < basin->cells; i++) {
        if (basin->axis_count == 2 && i % fast == 0)
            carom_json_array_begin(json, NULL);
        carom_json_number(json, NULL, basin->done[i / basin->block] ? basin->cell[i].attractor + 1 : 0);
        if (basin->axis_count == 2 && i % fast == fast - 1)
            carom_json_array_end(json);
    }
    carom_json_array_end(json);
}

static void write_axes(carom_json *json, const basin_output *output)
{
    const carom_basin *basin = output->basin;
    carom_json_array_begin(json, "axes");
    for (int i = 0; i < basin->axis_count; i++) {
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "name", output->axis[i]);
        carom_json_array_begin(json, "values");
        for (int k = 0; k < basin->axis[i].count; k++)
            carom_json_number(json, NULL, carom_basin_axis_value(&basin->axis[i], k));
        carom_json_array_end(json);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

void print_basin_json(const basin_output *output, const char *status)
{
    const carom_basin *basin = output->basin;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status", status);
    carom_json_text(&json, "experiment", output->experiment->name);
    carom_json_text(&json, "scheme", basin->scheme->name);
    carom_json_number(&json, "periods", basin->periods);
    carom_json_number(&json, "forcing_period", basin->period);
    carom_json_number(&json, "longest", basin->longest);
    carom_json_number(&json, "tolerance", basin->tolerance);
    write_axes(&json, output);
    carom_json_array_begin(&json, "attractors");
    for (int i = 0; i < basin->attractor_count; i++)
        write_attractor(&json, basin, i);
    carom_json_array_end(&json);
    carom_json_number(&json, "unsettled", share_of(basin, basin->ends[CAROM_BASIN_UNSETTLED]));
    carom_json_number(&json, "escaped", share_of(basin, basin->ends[CAROM_BASIN_ESCAPED]));
    carom_json_number(&json, "failed", share_of(basin, basin->ends[CAROM_BASIN_FAILED]));
    carom_json_number(&json, "outside", share_of(basin, basin->ends[CAROM_BASIN_OUTSIDE]));
    carom_json_number(&json, "cells", basin->cells);
    write_map(&json, basin);
    carom_json_object_end(&json);
    print_whole(&text);
}
