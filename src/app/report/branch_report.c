/* What `carom continue` tells: table, CSV and JSON. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/orbit_output.h"

static const char *remark(const carom_branch_point *point)
{
    if (!point->admissible)
        return "NOT a motion";
    if (point->crossing)
        return "stability changes";
    return point->fold ? "fold" : "";
}

static void print_crossings(const branch_output *output)
{
    const carom_branch *branch = output->branch;
    int count = 0;
    for (int i = 0; i < branch->count; i++)
        if (branch->point[i].crossing) {
            printf("  %s at %s = %.9g, period %.9g, energy %.9g\n",
                   branch->point[i].stable ? "stability is lost" : "stability is gained", output->parameter,
                   branch->point[i].parameter, branch->point[i].period, branch->point[i].energy);
            count++;
        }
    int changes = 0;
    for (int i = 1; i < branch->count; i++)
        changes += branch->point[i].stable != branch->point[i - 1].stable;
    if (count == 0 && changes == 0 && branch->count > 0)
        printf("  no change of stability: %s throughout\n", branch->point[0].stable ? "stable" : "unstable");
    else if (count == 0 && branch->count > 0)
        printf("  stability changes (see the column), but no change was located\n");
}

/* The impacts of a pattern as --impacts would have them; at most so many. */
static void append_pattern(const branch_output *output, const carom_phase *pattern, int most,
                           carom_text *text)
{
    const carom_model *model = output->model->model;
    int shown = 0;
    for (int half = 0; half < 2; half++)
        for (int c = 0; c < model->contacts; c++) {
            if (pattern[c] != (half ? CAROM_PHASE_HALF : CAROM_PHASE_START))
                continue;
            if (shown++ == most)
                carom_text_append(text, ",... (all in --json)");
            if (shown <= most)
                carom_text_append(text, "%s%s@%s", shown > 1 ? "," : "", model->contact[c].name,
                                  half ? "0.5" : "0");
        }
}

/* Where patterns give way to others. */
static void print_patterns(const branch_output *output)
{
    const carom_orbit_branch *patterns = output->patterns;
    for (int i = 0; patterns && patterns->stretch_count > 1 && i < patterns->stretch_count; i++) {
        const carom_orbit_branch_stretch *stretch = &patterns->stretch[i];
        carom_text text = {0};
        append_pattern(output, stretch->pattern, 12, &text);
        printf("  pattern %s, to %s = %.9g: %s", text.bytes ? text.bytes : "", output->parameter,
               stretch->end_value, carom_orbit_branch_end_text(stretch->end));
        if (stretch->contact >= 0)
            printf(" of '%s' at t = %.9g", output->model->model->contact[stretch->contact].name,
                   stretch->time);
        printf("\n");
        carom_text_free(&text);
    }
}

void print_branch_text(const branch_output *output)
{
    const carom_branch *branch = output->branch;
    printf("%s\n  start       %s, by %s%s%s\n\n", output->model->name, output->start->verdict,
           output->start->method, output->start->guess[0] ? " from " : "", output->start->guess);
    printf("  %13s %13s %13s %12s %12s %7s %-8s\n", output->parameter, "period", "energy", "multiplier",
           "margin", "impacts", "stable");
    for (int i = 0; i < branch->count; i++) {
        const carom_branch_point *point = &branch->point[i];
        printf("  %13.9g %13.9g %13.7g %12.7g %12.5g %7d %-8s %s\n", point->parameter, point->period,
               point->energy, point->multiplier, point->gap, point->impacts, point->stable ? "yes" : "no",
               remark(point));
    }
    printf("\n");
    print_patterns(output);
    print_crossings(output);
    printf("  end: %s, %s\n", carom_branch_end_word(branch->end), branch->text);
}

static void write_point(carom_json *json, const branch_output *output, int i)
{
    const carom_model *model = output->model->model;
    const carom_branch_point *point = &output->branch->point[i];
    const double *unknown = output->branch->unknown + (size_t)i * (size_t)output->branch->width;
    carom_json_object_begin(json, NULL);
    carom_json_number(json, "parameter", point->parameter);
    carom_json_number(json, "period", point->period);
    carom_json_number(json, "energy", point->energy);
    carom_json_number(json, "largest_multiplier", point->multiplier);
    carom_json_number(json, "margin", point->gap);
    carom_json_number(json, "approach", point->impulse);
    carom_json_number(json, "impacts", point->impacts);
    carom_json_bool(json, "stable", point->stable);
    carom_json_bool(json, "fold", point->fold);
    carom_json_bool(json, "admissible", point->admissible);
    carom_json_bool(json, "crossing", point->crossing);
    for (int part = 0; part < 2; part++) {
        carom_json_object_begin(json, part ? "v" : "q");
        for (int k = 0; k < model->dof; k++)
            carom_json_number(json, model->coordinate[k], unknown[part * model->dof + k]);
        carom_json_object_end(json);
    }
    carom_json_array_begin(json, "flights");
    for (int k = 0; k < point->impacts; k++)
        carom_json_number(json, NULL, unknown[2 * model->dof + k]);
    carom_json_array_end(json);
    carom_json_object_end(json);
}

static void write_patterns(carom_json *json, const branch_output *output)
{
    const carom_orbit_branch *patterns = output->patterns;
    carom_json_array_begin(json, "patterns");
    for (int i = 0; i < patterns->stretch_count; i++) {
        const carom_orbit_branch_stretch *stretch = &patterns->stretch[i];
        carom_text text = {0};
        append_pattern(output, stretch->pattern, output->model->model->contacts, &text);
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "impacts", text.bytes ? text.bytes : "");
        carom_json_number(json, "from", patterns->point[stretch->first].value);
        carom_json_number(json, "to", stretch->end_value);
        carom_json_text(json, "end", carom_orbit_branch_end_text(stretch->end));
        if (stretch->contact >= 0) {
            carom_json_text(json, "contact", output->model->model->contact[stretch->contact].name);
            carom_json_number(json, "t", stretch->time);
        }
        carom_json_object_end(json);
        carom_text_free(&text);
    }
    carom_json_array_end(json);
}

void print_branch_json(const branch_output *output)
{
    const carom_branch *branch = output->branch;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status",
                    branch->end == CAROM_END_LOST        ? "lost"
                    : branch->end == CAROM_END_OF_POINTS ? "limit"
                                                         : "done");
    carom_json_text(&json, "experiment", output->model->name);
    carom_json_text(&json, "parameter", output->parameter);
    carom_json_text(&json, "method", output->start->method);
    carom_json_text(&json, "end", carom_branch_end_word(branch->end));
    carom_json_text(&json, "end_text", branch->text);
    carom_json_array_begin(&json, "crossings");
    for (int i = 0; i < branch->count; i++)
        if (branch->point[i].crossing)
            carom_json_number(&json, NULL, branch->point[i].parameter);
    carom_json_array_end(&json);
    if (output->patterns)
        write_patterns(&json, output);
    carom_json_array_begin(&json, "points");
    for (int i = 0; i < branch->count; i++)
        write_point(&json, output, i);
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    if (text.bytes)
        puts(text.bytes);
    carom_text_free(&text);
}

static void write_lines(FILE *file, const branch_output *output)
{
    const carom_model *model = output->model->model;
    const carom_branch *branch = output->branch;
    fprintf(file, "%s,%s,energy,multiplier,margin,approach,impacts,stable,fold,admissible,crossing",
            output->parameter, strcmp(output->parameter, "period") == 0 ? "T" : "period");
    for (int i = 0; i < 2 * model->dof; i++)
        fprintf(file, ",%s%s", i < model->dof ? "" : "v_", model->coordinate[i % model->dof]);
    fprintf(file, "\n");
    for (int i = 0; i < branch->count; i++) {
        const carom_branch_point *point = &branch->point[i];
        const double *unknown = branch->unknown + (size_t)i * (size_t)branch->width;
        fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%d,%d,%d,%d", point->parameter, point->period,
                point->energy, point->multiplier, point->gap, point->impulse, point->impacts, point->stable,
                point->fold, point->admissible, point->crossing);
        for (int k = 0; k < 2 * model->dof; k++)
            fprintf(file, ",%.17g", unknown[k]);
        fprintf(file, "\n");
    }
}

carom_status write_branch_csv(const branch_output *output, const char *path, carom_error *error)
{
    if (strcmp(path, "-") == 0) {
        write_lines(stdout, output);
        return CAROM_OK;
    }
    carom_output *file = NULL;
    const carom_status status = carom_output_open(path, false, &file, error);
    if (status != CAROM_OK)
        return status;
    write_lines(carom_output_stream(file), output);
    return carom_output_commit(file, error);
}
