/* Audits of impact laws as text and as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/impact_output.h"

enum {
    SHOWN_MAX = 40, /* balls of a command line that is printed, contacts of an example */
};

/* ---- the command that repeats an example ------------------------------------------------------------- */

static void append_numbers(carom_text *text, const char *option, int count, const double *value)
{
    carom_text_append(text, " %s ", option);
    for (int i = 0; i < count; i++)
        carom_text_append(text, "%s%.17g", i ? "," : "", value[i]);
}

static bool all_are(int count, const double *value, double same)
{
    for (int i = 0; i < count; i++)
        if (value[i] != same)
            return false;
    return true;
}

/* One value when all are the same; none when that is the default. */
static void append_list(carom_text *text, const char *option, int count, const double *value,
                        double otherwise)
{
    if (!all_are(count, value, otherwise))
        append_numbers(text, option, all_are(count, value, value[0]) ? 1 : count, value);
}

/* Options of the law, as they were given. */
static void append_law_options(carom_text *text, const impact_given *given, const carom_impact_law_ops *law)
{
    static const int option[] = {IMPACT_SEPARATING_RULE, IMPACT_ALLOW_GAIN,
                                 IMPACT_ORDER,           IMPACT_SEED,
                                 IMPACT_SWEEP_ONCE,      IMPACT_MAX_COLLISIONS,
                                 IMPACT_TOLERANCE,       IMPACT_ENERGY_TOLERANCE,
                                 IMPACT_METHOD,          IMPACT_DT,
                                 IMPACT_START,           IMPACT_MAX_STEPS};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
        const bool binary = option[i] == IMPACT_ORDER || option[i] == IMPACT_SWEEP_ONCE ||
                            option[i] == IMPACT_MAX_COLLISIONS || option[i] == IMPACT_SEED;
        const bool lzb = option[i] == IMPACT_METHOD || option[i] == IMPACT_DT || option[i] == IMPACT_START ||
                         option[i] == IMPACT_MAX_STEPS || option[i] == IMPACT_ENERGY_TOLERANCE;
        if (!impact_has(given, option[i]) || (binary && !law_has_collisions(law)) ||
            (lzb && !law_has_course(law)) ||
            (option[i] == IMPACT_TOLERANCE && !law_has_collisions(law) && !law_has_course(law)))
            continue;
        carom_text_append(text, " %s", given->arguments.option[option[i]].name);
        if (given->arguments.option[option[i]].takes_value)
            carom_text_append(text, " %s", impact_value(given, option[i]));
    }
}

/* Empty where the system is no chain, or a long one. */
static void append_command(carom_text *text, const impact_given *given, const impact_case *made,
                           const carom_impact_law_ops *law, const double *velocity)
{
    const carom_chain *chain = made->chain;
    if (!chain || chain->balls > SHOWN_MAX)
        return;
    carom_text_append(text, "carom impact");
    append_numbers(text, "--masses", chain->balls, chain->mass);
    if (chain->wall)
        carom_text_append(text, " --wall");
    carom_text_append(text, " --law %s", law->name);
    append_list(text, "--restitution", chain->contacts, chain->restitution, 1.0);
    append_list(text, "--stiffness", chain->contacts, chain->stiffness, 1.0);
    append_list(text, "--exponent", chain->contacts, chain->exponent, 1.5);
    append_law_options(text, given, law);
    append_numbers(text, "--velocity", chain->balls, velocity);
}

/* ---- text -------------------------------------------------------------------------------------------- */

/* What is zero but for rounding is shown as zero. */
static void print_contact_numbers(const char *name, int count, const double *value)
{
    const double rounding = 1e-14 * carom_largest(count, value);
    printf("    %-7s", name);
    for (int j = 0; j < count && j < SHOWN_MAX; j++)
        printf(" %.10g", fabs(value[j]) > rounding ? value[j] : 0.0);
    printf("%s\n", count > SHOWN_MAX ? " ..." : "");
}

static void print_example(const impact_given *given, const impact_case *made, const law_audit *result,
                          int property)
{
    const audit_sample *sample = result->example[property];
    if (!sample[0].given)
        return;
    printf("\n%s fails, for instance with contact velocities%s\n",
           carom_audit_property_name((carom_audit_property)property), sample[1].given ? " (a pair)" : "");
    for (int side = 0; side < 2 && sample[side].given; side++) {
        print_contact_numbers("before", made->impact.contacts, sample[side].before);
        print_contact_numbers("after", made->impact.contacts, sample[side].after);
        carom_text text = {0};
        append_command(&text, given, made, result->law, sample[side].velocity);
        printf("    %s\n", whole_text(&text));
        carom_text_free(&text);
    }
}

static void print_finding(const carom_audit *audit, int property)
{
    const carom_audit_finding *finding = &audit->finding[property];
    const carom_audit_property p = (carom_audit_property)property;
    printf("  %-14s", carom_audit_property_name(p));
    if (finding->tested)
        printf("  %-6s  %12.4g  %9ld", finding->holds ? "holds" : "fails", finding->worst, finding->failures);
    else
        printf("  %-6s  %12s  %9s", "-", "-", "-");
    printf("  %s\n", carom_audit_property_text(p));
}

void print_audit_text(const impact_given *given, const impact_case *made, const carom_audit_options *options,
                      const law_audit *result)
{
    const carom_audit *audit = result->audit;
    printf("%s, audit of law %s: %ld samples, seed %u, %s\n\n", made->title, result->law->name,
           audit->samples, options->seed,
           options->approaching_only ? "all contacts approach" : "contacts approach and separate");
    printf("  %-14s  %-6s  %12s  %9s\n", "property", "", "worst", "failures");
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++)
        print_finding(audit, p);
    printf("\n  rank of W %d of %d contacts; G - E G E: smallest eigenvalue %.6g, %scopositive\n",
           audit->rank, audit->contacts, audit->smallest_eigenvalue, audit->copositive ? "" : "not ");
    if (audit->failed_impacts > 0)
        printf("  %ld impacts did not end and are left out\n", audit->failed_impacts);
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++)
        print_example(given, made, result, p);
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void write_numbers(carom_json *json, const char *key, int count, const double *value)
{
    carom_json_array_begin(json, key);
    for (int i = 0; i < count; i++)
        carom_json_number(json, NULL, value[i]);
    carom_json_array_end(json);
}

static void write_example(carom_json *json, const impact_given *given, const impact_case *made,
                          const law_audit *result, const audit_sample *sample)
{
    carom_text text = {0};
    append_command(&text, given, made, result->law, sample->velocity);
    carom_json_object_begin(json, NULL);
    write_numbers(json, "velocity", made->impact.coordinates, sample->velocity);
    write_numbers(json, "gamma_before", made->impact.contacts, sample->before);
    write_numbers(json, "gamma_after", made->impact.contacts, sample->after);
    carom_json_text(json, "command", whole_text(&text));
    carom_json_object_end(json);
    carom_text_free(&text);
}

static void write_finding(carom_json *json, const impact_given *given, const impact_case *made,
                          const law_audit *result, int property)
{
    const carom_audit_finding *finding = &result->audit->finding[property];
    const audit_sample *sample = result->example[property];
    carom_json_object_begin(json, carom_audit_property_name((carom_audit_property)property));
    carom_json_bool(json, "tested", finding->tested);
    if (finding->tested) {
        carom_json_bool(json, "holds", finding->holds);
        carom_json_number(json, "worst", finding->worst);
        carom_json_number(json, "failures", (double)finding->failures);
    }
    if (sample[0].given) {
        carom_json_array_begin(json, "counterexample");
        for (int side = 0; side < 2 && sample[side].given; side++)
            write_example(json, given, made, result, &sample[side]);
        carom_json_array_end(json);
    }
    carom_json_object_end(json);
}

static void write_audit(carom_json *json, const char *key, const impact_given *given, const impact_case *made,
                        const carom_audit_options *options, const law_audit *result)
{
    const carom_audit *audit = result->audit;
    carom_json_object_begin(json, key);
    carom_json_text(json, "system", made->title);
    carom_json_text(json, "law", result->law->name);
    carom_json_number(json, "samples", (double)audit->samples);
    carom_json_number(json, "seed", options->seed);
    carom_json_bool(json, "approaching", options->approaching_only);
    carom_json_number(json, "failed_impacts", (double)audit->failed_impacts);
    carom_json_number(json, "rank", audit->rank);
    carom_json_number(json, "smallest_eigenvalue", audit->smallest_eigenvalue);
    carom_json_bool(json, "copositive", audit->copositive);
    carom_json_object_begin(json, "properties");
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++)
        write_finding(json, given, made, result, p);
    carom_json_object_end(json);
    carom_json_object_end(json);
}

void print_audits_json(const impact_given *given, const impact_case *made, const carom_audit_options *options,
                       int count, const law_audit *result)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    if (count == 1) {
        write_audit(&json, "audit", given, made, options, result);
    } else {
        carom_json_array_begin(&json, "audits");
        for (int i = 0; i < count; i++)
            write_audit(&json, NULL, given, made, options, &result[i]);
        carom_json_array_end(&json);
    }
    carom_json_object_end(&json);
    print_whole(&text);
}
