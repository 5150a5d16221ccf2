/* What `carom lyapunov` tells: text and JSON. */
#include "app/lyapunov_output.h"

#include <math.h>
#include <stdio.h>

/* Below this ratio of lengths within one step the small exponents have lost digits. */
static const double ratio_told = 1e-9;

static void print_check(const carom_lyapunov *found)
{
    if (!found->checked) {
        printf(
            "  the sum is not checked: it needs all exponents, and impacts without friction that rebound\n");
        return;
    }
    printf("  sum            %14.8f   over the time\n", found->sum);
    printf("  divergence     %14.8f   of the flow\n", found->divergence);
    printf("  impacts        %14.8f   %slog(e) each\n", found->jumps, found->locates ? "2 " : "");
    printf("  difference     %14.2g\n", found->sum - found->divergence - found->jumps);
}

void print_lyapunov_text(const lyapunov_output *output)
{
    const carom_lyapunov *found = output->found;
    printf("%s: %d Lyapunov exponent%s over a time of %.10g after %.10g, scheme %s\n\n",
           output->experiment->name, found->count, plural(found->count), found->time, found->transient,
           found->scheme->name);
    for (int c = 0; c < found->count; c++) {
        if (isfinite(found->exponent[c]) && isfinite(found->spread[c]))
            printf("  exponent %-4d  %14.8f   +- %.2g\n", c + 1, found->exponent[c], found->spread[c]);
        else if (isfinite(found->exponent[c])) /* stopped in the first half of the time */
            printf("  exponent %-4d  %14.8f\n", c + 1, found->exponent[c]);
        else
            printf("  exponent %-4d  %14s   motions nearby come together entirely\n", c + 1, "-infinite");
    }
    printf("\n  %s%ld impact%s, %.6g per unit of time\n",
           found->regular ? "regular motion (means with smooth weights); " : "", found->impacts,
           plural(found->impacts), (double)found->impacts / found->time);
    print_check(found);
    if (!found->locates && found->impacts > 0)
        printf("  %s has impacts where its steps are: these exponents are those of its steps, which do not "
               "see that impacts\n"
               "  come earlier or later, and not those of the motion; event-driven has these\n",
               found->scheme->name);
    if (found->breaks > 0)
        printf("  not differentiable %d time%s, first at t = %.9g: %s\n", found->breaks,
               plural(found->breaks), found->first_break.t, found->first_break.why);
    if (found->least_ratio < ratio_told)
        printf("  within one step lengths differ by a factor of %.2g: the smaller exponents lose digits, "
               "take a smaller --h\n",
               1.0 / found->least_ratio);
}

static void write_exponents(carom_json *json, const char *key, int count, const double *value)
{
    carom_json_array_begin(json, key);
    for (int c = 0; c < count; c++)
        carom_json_number(json, NULL, value[c]); /* null: without bound */
    carom_json_array_end(json);
}

void print_lyapunov_json(const lyapunov_output *output)
{
    const carom_lyapunov *found = output->found;
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status", carom_status_word(output->status));
    if (output->message)
        carom_json_text(&json, "message", output->message);
    carom_json_text(&json, "scheme", found->scheme ? found->scheme->name : "");
    carom_json_number(&json, "h", found->h);
    write_exponents(&json, "exponents", found->count, found->exponent);
    write_exponents(&json, "spread", found->count, found->spread);
    carom_json_number(&json, "time", found->time);
    carom_json_number(&json, "transient", found->transient);
    carom_json_number(&json, "impacts", (double)found->impacts);
    carom_json_bool(&json, "regular", found->regular);
    carom_json_bool(&json, "locates_impacts", found->locates);
    carom_json_object_begin(&json, "check");
    carom_json_bool(&json, "checked", found->checked);
    carom_json_number(&json, "sum", found->sum);
    carom_json_number(&json, "divergence", found->divergence);
    carom_json_number(&json, "jumps", found->jumps);
    carom_json_object_end(&json);
    carom_json_array_begin(&json, "breaks");
    if (found->breaks > 0) {
        carom_json_object_begin(&json, NULL);
        carom_json_number(&json, "t", found->first_break.t);
        carom_json_text(&json, "why", found->first_break.why);
        carom_json_object_end(&json);
    }
    carom_json_array_end(&json);
    carom_json_number(&json, "break_count", found->breaks);
    carom_json_object_begin(&json, "convergence");
    write_exponents(&json, "time", found->point_count, found->point_time);
    carom_json_array_begin(&json, "exponents");
    for (int k = 0; k < found->point_count; k++)
        write_exponents(&json, NULL, found->count, found->point + (ptrdiff_t)k * found->count);
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}
