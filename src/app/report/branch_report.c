/* What `carom continue` tells: table, CSV and JSON. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/orbit_output.h"

static const char *remark(const carom_branch_point *point)
{
    if (point->special != CAROM_SPECIAL_NONE && point->special != CAROM_SPECIAL_STABILITY)
        return carom_special_word(point->special);
    if (!point->admissible)
        return "NOT a motion";
    if (point->crossing)
        return "stability changes";
    return point->fold ? "fold" : "";
}

static bool is_special(const carom_branch_point *point)
{
    return point->crossing || point->special != CAROM_SPECIAL_NONE;
}

/* What happens at a special point, in words. */
static void print_special(const branch_output *output, const carom_branch_point *point)
{
    const char *word = point->special == CAROM_SPECIAL_STABILITY ? "" : carom_special_word(point->special);
    printf("  %s at %s = %.9g, period %.9g, energy %.9g",
           !point->crossing ? word
           : point->stable  ? "stability is lost"
                            : "stability is gained",
           output->parameter, point->parameter, point->period, point->energy);
    if (point->crossing && *word)
        printf(": %s", word);
    if (point->special == CAROM_SPECIAL_TORUS)
        printf(", multipliers %.6g +- %.6gi", point->real, point->imaginary);
    if (point->contact >= 0 &&
        (point->special == CAROM_SPECIAL_GRAZING || point->special == CAROM_SPECIAL_CORNER ||
         point->special == CAROM_SPECIAL_STICKING))
        printf(", '%s'", output->model->model->contact[point->contact].name);
    printf("\n");
}

static void print_specials(const branch_output *output)
{
    const carom_branch *branch = output->branch;
    int count = 0;
    for (int i = 0; i < branch->count; i++)
        if (is_special(&branch->point[i])) {
            print_special(output, &branch->point[i]);
            count += branch->point[i].crossing;
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
        printf("  pattern %s, to %s = %.9g: %s", whole_text(&text), output->parameter, stretch->end_value,
               carom_orbit_branch_end_text(stretch->end));
        if (stretch->contact >= 0)
            printf(" of '%s' at t = %.9g", output->model->model->contact[stretch->contact].name,
                   stretch->time);
        printf("\n");
        carom_text_free(&text);
    }
}

static void print_points(const branch_output *output)
{
    const carom_branch *branch = output->branch;
    printf("  %13s %13s %13s %12s %12s %7s %-8s\n", output->parameter, "period", "energy", "multiplier",
           "margin", "impacts", "stable");
    for (int i = 0; i < branch->count; i++) {
        const carom_branch_point *point = &branch->point[i];
        printf("  %13.9g %13.9g %13.7g %12.7g %12.5g %7d %-8s %s\n", point->parameter, point->period,
               point->energy, point->multiplier, point->gap, point->impacts, point->stable ? "yes" : "no",
               remark(point));
    }
    printf("\n");
}

/* A branch that begins at a special point of another one. */
static void print_switched(const branch_output *output, const further_branch *further)
{
    const carom_branch_point *at = &branch_before(output, further)->point[further->point];
    branch_output part = *output;
    part.branch = &further->branch;
    printf("\n  branch from the %s at %s = %.9g, %d times the period of the start\n\n",
           carom_special_word(at->special), output->parameter, at->parameter, further->times);
    if (further->branch.count > 0)
        print_points(&part);
    if (further->branch.count > 0)
        print_specials(&part);
    printf("  end: %s, %s\n", carom_branch_end_word(further->branch.end), further->branch.text);
}

static void print_locus(const branch_output *output, const further_branch *further)
{
    const carom_branch_point *at = &branch_before(output, further)->point[further->point];
    const carom_branch *branch = &further->branch;
    printf("\n  %s over %s and %s\n\n  %15s %15s %13s %13s\n", carom_special_word(at->special),
           output->parameter, output->second, output->parameter, output->second, "period", "energy");
    for (int i = 0; i < branch->count; i++)
        printf("  %15.9g %15.9g %13.9g %13.7g %s\n", branch->point[i].other, branch->point[i].parameter,
               branch->point[i].period, branch->point[i].energy,
               branch->point[i].admissible ? "" : "NOT a motion");
    printf("\n  end: %s, %s\n", carom_branch_end_word(branch->end), branch->text);
}

void print_branch_text(const branch_output *output)
{
    printf("%s\n  start       %s, by %s%s%s\n\n", output->model->name, output->start->verdict,
           output->start->method, output->start->guess[0] ? " from " : "", output->start->guess);
    print_points(output);
    print_patterns(output);
    print_specials(output);
    printf("  end: %s, %s\n", carom_branch_end_word(output->branch->end), output->branch->text);
    for (int i = 0; i < output->further; i++)
        if (output->more[i].locus)
            print_locus(output, &output->more[i]);
        else
            print_switched(output, &output->more[i]);
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
    if (point->special != CAROM_SPECIAL_NONE)
        carom_json_text(json, "special", carom_special_word(point->special));
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

static void write_specials(carom_json *json, const branch_output *output)
{
    carom_json_array_begin(json, "special");
    for (int i = 0; i < output->branch->count; i++) {
        const carom_branch_point *point = &output->branch->point[i];
        if (point->special == CAROM_SPECIAL_NONE)
            continue;
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "kind", carom_special_word(point->special));
        carom_json_number(json, "parameter", point->parameter);
        carom_json_number(json, "period", point->period);
        carom_json_number(json, "energy", point->energy);
        carom_json_number(json, "point", i);
        if (point->special == CAROM_SPECIAL_FOLD || point->special == CAROM_SPECIAL_FLIP ||
            point->special == CAROM_SPECIAL_BRANCH || point->special == CAROM_SPECIAL_TORUS ||
            point->special == CAROM_SPECIAL_ENERGY) {
            carom_json_array_begin(json, "multiplier");
            carom_json_number(json, NULL, point->real);
            carom_json_number(json, NULL, point->imaginary);
            carom_json_array_end(json);
        } else if (point->special != CAROM_SPECIAL_STABILITY && point->contact >= 0) {
            carom_json_text(json, "contact", output->model->model->contact[point->contact].name);
        }
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
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
        carom_json_text(json, "impacts", whole_text(&text));
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

static void write_switched(carom_json *json, const branch_output *output, const further_branch *further)
{
    const carom_branch_point *at = &branch_before(output, further)->point[further->point];
    branch_output part = *output;
    part.branch = &further->branch;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "from", carom_special_word(at->special));
    carom_json_number(json, "at", at->parameter);
    carom_json_number(json, "times", further->times);
    carom_json_text(json, "end", carom_branch_end_word(further->branch.end));
    carom_json_text(json, "end_text", further->branch.text);
    write_specials(json, &part);
    carom_json_array_begin(json, "points");
    for (int i = 0; i < further->branch.count; i++)
        write_point(json, &part, i);
    carom_json_array_end(json);
    carom_json_object_end(json);
}

static void write_locus(carom_json *json, const branch_output *output, const further_branch *further)
{
    const carom_branch_point *at = &branch_before(output, further)->point[further->point];
    carom_json_object_begin(json, "locus");
    carom_json_text(json, "kind", carom_special_word(at->special));
    carom_json_text(json, "second", output->second);
    carom_json_text(json, "end", carom_branch_end_word(further->branch.end));
    carom_json_text(json, "end_text", further->branch.text);
    carom_json_array_begin(json, "points");
    for (int i = 0; i < further->branch.count; i++) {
        const carom_branch_point *point = &further->branch.point[i];
        carom_json_object_begin(json, NULL);
        carom_json_number(json, "parameter", point->other);
        carom_json_number(json, "second", point->parameter);
        carom_json_number(json, "period", point->period);
        carom_json_number(json, "energy", point->energy);
        carom_json_bool(json, "admissible", point->admissible);
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
    carom_json_object_end(json);
}

static void write_further(carom_json *json, const branch_output *output)
{
    int switched = 0;
    for (int i = 0; i < output->further; i++)
        switched += !output->more[i].locus;
    if (switched > 0) {
        carom_json_array_begin(json, "branches");
        for (int i = 0; i < output->further; i++)
            if (!output->more[i].locus)
                write_switched(json, output, &output->more[i]);
        carom_json_array_end(json);
    }
    for (int i = 0; i < output->further; i++)
        if (output->more[i].locus)
            write_locus(json, output, &output->more[i]);
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
    write_specials(&json, output);
    if (output->patterns)
        write_patterns(&json, output);
    carom_json_array_begin(&json, "points");
    for (int i = 0; i < branch->count; i++)
        write_point(&json, output, i);
    carom_json_array_end(&json);
    write_further(&json, output);
    carom_json_object_end(&json);
    print_whole(&text);
}

/* Lines of one branch; the first has the number 0, those that begin at special points 1, 2, ... */
static void write_branch_lines(FILE *file, const branch_output *output, const carom_branch *branch,
                               int number)
{
    const carom_model *model = output->model->model;
    for (int i = 0; i < branch->count; i++) {
        const carom_branch_point *point = &branch->point[i];
        const double *unknown = branch->unknown + (size_t)i * (size_t)branch->width;
        fprintf(file, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%d,%d,%d,%d,%d,%s,%d", point->parameter,
                point->period, point->energy, point->multiplier, point->gap, point->impulse, point->impacts,
                point->stable, point->fold, point->admissible, point->crossing,
                carom_special_word(point->special), number);
        for (int k = 0; k < 2 * model->dof; k++)
            fprintf(file, ",%.17g", unknown[k]);
        fprintf(file, "\n");
    }
}

static void write_lines(FILE *file, const branch_output *output)
{
    const carom_model *model = output->model->model;
    fprintf(file,
            "%s,%s,energy,multiplier,margin,approach,impacts,stable,fold,admissible,crossing,special,branch",
            output->parameter, strcmp(output->parameter, "period") == 0 ? "T" : "period");
    for (int i = 0; i < 2 * model->dof; i++)
        fprintf(file, ",%s%s", i < model->dof ? "" : "v_", model->coordinate[i % model->dof]);
    fprintf(file, "\n");
    write_branch_lines(file, output, output->branch, 0);
    for (int i = 0; i < output->further; i++)
        if (!output->more[i].locus)
            write_branch_lines(file, output, &output->more[i].branch, i + 1);
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
