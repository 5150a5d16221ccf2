/* What `carom lyapunov` tells of several motions: text and JSON. */
#include <math.h>
#include <stdio.h>

#include "app/lyapunov_output.h"

/* Below this ratio of lengths within one step the small exponents have lost digits. */
static const double ratio_told = 1e-9;

static int motion_count(const carom_exponents *all)
{
    return all->points * all->starts;
}

/* The first motion that came somewhere; NULL: none. */
static const carom_lyapunov *first_found(const carom_exponents *all)
{
    for (int i = 0; i < motion_count(all); i++)
        if (all->point[i].found.time > 0.0)
            return &all->point[i].found;
    return NULL;
}

static void print_row(const exponents_output *output, int index)
{
    const carom_exponents *all = output->all;
    const carom_exponents_point *point = &all->point[index];
    const carom_lyapunov *found = &point->found;
    if (output->parameter)
        printf("  %14.8g", point->value);
    if (all->starts > 1)
        printf("  %6d", index % all->starts + 1);
    if (point->status != CAROM_OK) {
        printf("  %s: %s\n", carom_status_word(point->status), point->message);
        return;
    }
    for (int c = 0; c < found->count; c++)
        if (isfinite(found->exponent[c]))
            printf("  %12.6f", found->exponent[c]);
        else
            printf("  %12s", "-infinite");
    printf("   +- %-8.2g %10.5g  %s\n", found->spread[0], (double)found->impacts / found->time,
           found->regular                          ? "regular"
           : found->exponent[0] > found->spread[0] ? "chaos"
                                                   : "");
}

/* Of several starts at one value: their mean, and how far it is to be trusted if they are of one attractor. */
static void print_means(const carom_exponents *all)
{
    const carom_lyapunov *first = first_found(all);
    for (int c = 0; c < first->count; c++) {
        double sum = 0.0, squares = 0.0;
        int count = 0;
        for (int i = 0; i < motion_count(all); i++) {
            const carom_lyapunov *found = &all->point[i].found;
            if (all->point[i].status != CAROM_OK || !isfinite(found->exponent[c]))
                continue;
            sum += found->exponent[c];
            squares += found->exponent[c] * found->exponent[c];
            count++;
        }
        if (count < 2)
            continue;
        const double mean = sum / count, variance = fmax(0.0, squares / count - mean * mean);
        printf("  mean of exponent %d over %d starts  %.8f   +- %.2g\n", c + 1, count, mean,
               sqrt(variance / (count - 1)));
    }
}

static void print_doubts(const carom_exponents *all)
{
    int broken = 0, lost = 0;
    bool steps = false;
    for (int i = 0; i < motion_count(all); i++) {
        const carom_lyapunov *found = &all->point[i].found;
        broken += found->breaks > 0;
        lost += found->time > 0.0 && found->least_ratio < ratio_told;
        steps = steps || (found->time > 0.0 && !found->locates && found->impacts > 0);
    }
    if (steps)
        printf("  the scheme has impacts where its steps are: exponents are those of its steps, not those of "
               "the motion\n");
    if (broken > 0)
        printf("  %d motion%s not differentiable somewhere\n", broken, broken == 1 ? " is" : "s are");
    if (lost > 0)
        printf("  in %d motion%s lengths differ too much within one step: take a smaller --h\n", lost,
               plural(lost));
}

void print_exponents_text(const exponents_output *output)
{
    const carom_exponents *all = output->all;
    const carom_lyapunov *first = first_found(all);
    if (!first)
        return;
    printf("%s: %d Lyapunov exponent%s of %d motions over a time of %.10g after %.10g, scheme %s\n\n",
           output->experiment->name, first->count, plural(first->count), motion_count(all), first->time,
           first->transient, first->scheme->name);
    if (output->parameter)
        printf("  %14.14s", output->parameter);
    if (all->starts > 1)
        printf("  %6s", "start");
    for (int c = 0; c < first->count; c++)
        printf("  exponent %-3d", c + 1);
    printf("   of the first  impacts/t\n");
    for (int i = 0; i < motion_count(all); i++)
        if (all->point[i].done)
            print_row(output, i);
    printf("\n");
    if (!output->parameter)
        print_means(all);
    print_doubts(all);
}

static void write_numbers(carom_json *json, const char *key, int count, const double *value)
{
    carom_json_array_begin(json, key);
    for (int c = 0; c < count; c++)
        carom_json_number(json, NULL, value[c]); /* null: without bound */
    carom_json_array_end(json);
}

static void write_motion(carom_json *json, const exponents_output *output, int index)
{
    const carom_exponents_point *point = &output->all->point[index];
    const carom_lyapunov *found = &point->found;
    const int count = found->time > 0.0 ? found->count : 0;
    carom_json_object_begin(json, NULL);
    if (output->parameter)
        carom_json_number(json, "value", point->value);
    carom_json_number(json, "start", index % output->all->starts + 1);
    carom_json_text(json, "status", carom_status_word(point->status));
    if (point->message[0])
        carom_json_text(json, "message", point->message);
    write_numbers(json, "exponents", count, found->exponent);
    write_numbers(json, "spread", count, found->spread);
    carom_json_number(json, "time", found->time);
    carom_json_number(json, "impacts", (double)found->impacts);
    carom_json_bool(json, "regular", found->regular);
    carom_json_bool(json, "checked", found->checked);
    carom_json_number(json, "difference", found->sum - found->divergence - found->jumps);
    carom_json_number(json, "break_count", found->breaks);
    carom_json_object_end(json);
}

void print_exponents_json(const exponents_output *output)
{
    const carom_exponents *all = output->all;
    const carom_lyapunov *first = first_found(all);
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status", carom_status_word(output->status));
    carom_json_text(&json, "scheme", first && first->scheme ? first->scheme->name : "");
    if (output->parameter)
        carom_json_text(&json, "parameter", output->parameter);
    carom_json_number(&json, "starts", all->starts);
    carom_json_array_begin(&json, "motions");
    for (int i = 0; i < motion_count(all); i++)
        if (all->point[i].done)
            write_motion(&json, output, i);
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}
