/* The command line of carom impact: numbers, lists, laws and their options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/impact_output.h"

/* ---- numbers ----------------------------------------------------------------------------------------- */

bool read_number_list(impact_given *given, int option, number_list *list)
{
    *list = (number_list){0};
    const char *text = impact_value(given, option);
    if (!text)
        return true;
    int count = 0;
    const char **word = split_list(given->arguments.arena, text, &count);
    list->value = carom_arena_take(given->arguments.arena, (size_t)count, sizeof *list->value);
    if (!word || !list->value)
        return false;
    for (int i = 0; i < count; i++)
        if (!carom_parse_number(word[i], &list->value[i])) {
            report_usage(&command_impact, "%s needs numbers with commas between them; got '%s'",
                         given->option[option].name, word[i]);
            return false;
        }
    list->count = count;
    return true;
}

bool read_whole_number(const impact_given *given, int option, long least, long *value)
{
    double number = 0.0;
    if (!impact_has(given, option))
        return true;
    if (!parse_number_option(&command_impact, &given->option[option], &number))
        return false;
    if (!(number >= (double)least && number <= 2147483646.0 && number == floor(number))) {
        report_usage(&command_impact, "%s needs a whole number of at least %ld; got '%s'",
                     given->option[option].name, least, impact_value(given, option));
        return false;
    }
    *value = (long)number;
    return true;
}

bool read_positive_number(const impact_given *given, int option, double *value)
{
    if (!impact_has(given, option))
        return true;
    if (!parse_number_option(&command_impact, &given->option[option], value))
        return false;
    if (*value > 0.0 && isfinite(*value))
        return true;
    report_usage(&command_impact, "%s needs a finite number above 0; got '%s'", given->option[option].name,
                 impact_value(given, option));
    return false;
}

bool read_shaped_list(impact_given *given, int option, list_shape shape, double *value, carom_error *error)
{
    number_list list;
    if (!read_number_list(given, option, &list))
        return false;
    if (list.count > 0 && list.count != shape.count && !(list.count == 1 && shape.one_for_all)) {
        carom_fail(error, CAROM_BAD_INPUT, "%s: expected %s%d value%s, %s; got %d",
                   given->option[option].name, shape.one_for_all && shape.count > 1 ? "1 or " : "",
                   shape.count, plural(shape.count), shape.why, list.count);
        return false;
    }
    for (int i = 0; list.count > 0 && i < shape.count; i++)
        value[i] = list.value[list.count == 1 ? 0 : i];
    return true;
}

/* ---- words ------------------------------------------------------------------------------------------- */

typedef struct word_choice {
    const char *word;
    int value;
} word_choice;

static bool read_word(const impact_given *given, int option, size_t count, const word_choice *choice,
                      int *value)
{
    const char *word = impact_value(given, option);
    carom_text known = {0};
    if (!word)
        return true;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, choice[i].word) == 0) {
            *value = choice[i].value;
            carom_text_free(&known);
            return true;
        }
        if (strlen(choice[i].word) > 1) /* short names are not shown */
            carom_text_append(&known, "%s%s", known.length ? ", " : "", choice[i].word);
    }
    report_usage(&command_impact, "%s is one of %s; got '%s'", given->option[option].name,
                 known.failed ? "a few words" : known.bytes, word);
    carom_text_free(&known);
    return false;
}

static const word_choice orders[] = {
    {"lr", CAROM_ORDER_LEFT_RIGHT}, {"rl", CAROM_ORDER_RIGHT_LEFT}, {"random", CAROM_ORDER_RANDOM}};
static const word_choice methods[] = {{"events", CAROM_LZB_EVENTS},   {"time", CAROM_LZB_TIME},
                                      {"impulse", CAROM_LZB_IMPULSE}, {"implicit", CAROM_LZB_IMPLICIT},
                                      {"x", CAROM_LZB_EVENTS},        {"t", CAROM_LZB_TIME},
                                      {"p", CAROM_LZB_IMPULSE},       {"i", CAROM_LZB_IMPLICIT}};
static const word_choice starts[] = {{"half", 0}, {"exact", 1}};
static const word_choice separating[] = {{"keep", CAROM_SEPARATING_KEEP},
                                         {"project", CAROM_SEPARATING_PROJECT}};

/* ---- laws -------------------------------------------------------------------------------------------- */

bool is_lzb(const carom_impact_law_ops *law)
{
    return strcmp(carom_impact_law_name(law), "lzb") == 0;
}

bool is_binary(const carom_impact_law_ops *law)
{
    return strcmp(carom_impact_law_name(law), "binary") == 0;
}

static bool read_law_names(impact_given *given, chosen_laws *laws)
{
    carom_arena *arena = given->arguments.arena;
    const char *text = impact_has(given, IMPACT_LAW) ? impact_value(given, IMPACT_LAW) : "moreau";
    laws->all = strcmp(text, "all") == 0;
    int count = (int)carom_impact_law_count();
    const char **word = laws->all ? NULL : split_list(arena, text, &count);
    laws->law = carom_arena_take(arena, (size_t)count, sizeof(const carom_impact_law_ops *));
    if (!laws->law || (!laws->all && !word))
        return false;
    for (int i = 0; i < count; i++) {
        carom_error error = {0};
        laws->law[i] = word ? carom_impact_law_find(word[i], &error) : carom_impact_law_at((size_t)i);
        if (!laws->law[i]) {
            report_error(&error);
            return false;
        }
        for (int k = 0; k < i; k++)
            if (laws->law[k] == laws->law[i]) {
                report_usage(&command_impact, "--law names '%s' twice", carom_impact_law_name(laws->law[i]));
                return false;
            }
    }
    laws->count = count;
    return true;
}

bool choose_default_law(const impact_given *given, const carom_impact *impact, chosen_laws *laws,
                        carom_error *error)
{
    bool differ = false;
    for (int j = 1; j < impact->contacts; j++)
        differ = differ || impact->restitution[j] != impact->restitution[0];
    if (!impact_has(given, IMPACT_LAW) && differ)
        laws->law[0] = carom_impact_law_find("newton", error);
    return laws->law[0] != NULL;
}

/* An option that no chosen law reads is a mistake. */
static bool check_readers(const impact_given *given, const chosen_laws *laws)
{
    static const struct {
        int option;
        bool binary, lzb;
    } reader[] = {{IMPACT_ORDER, true, false},      {IMPACT_SEED, true, false},
                  {IMPACT_SWEEP_ONCE, true, false}, {IMPACT_MAX_COLLISIONS, true, false},
                  {IMPACT_TOLERANCE, true, true},   {IMPACT_ENERGY_TOLERANCE, false, true},
                  {IMPACT_METHOD, false, true},     {IMPACT_DT, false, true},
                  {IMPACT_START, false, true},      {IMPACT_MAX_STEPS, false, true},
                  {IMPACT_HISTORY, false, true},    {IMPACT_PLOT_HISTORY, false, true}};
    bool binary = false, lzb = false;
    const bool audit = impact_has(given, IMPACT_AUDIT); /* which takes the seed, too */
    for (int i = 0; i < laws->count; i++) {
        binary = binary || is_binary(laws->law[i]);
        lzb = lzb || is_lzb(laws->law[i]);
    }
    for (size_t i = 0; i < sizeof reader / sizeof *reader; i++) {
        if (!impact_has(given, reader[i].option) || (reader[i].binary && binary) || (reader[i].lzb && lzb) ||
            (reader[i].option == IMPACT_SEED && audit))
            continue;
        report_usage(&command_impact, "%s is for law %s, which is not chosen",
                     given->option[reader[i].option].name,
                     reader[i].binary && reader[i].lzb ? "binary or lzb"
                     : reader[i].lzb                   ? "lzb"
                                                       : "binary");
        return false;
    }
    return true;
}

static bool read_steps(const impact_given *given, carom_impact_options *options)
{
    int method = (int)options->method, start = 0;
    if (!read_word(given, IMPACT_METHOD, sizeof methods / sizeof *methods, methods, &method) ||
        !read_word(given, IMPACT_START, 2, starts, &start) ||
        !read_positive_number(given, IMPACT_DT, &options->step) ||
        !read_whole_number(given, IMPACT_MAX_STEPS, 1, &options->max_steps) ||
        !read_positive_number(given, IMPACT_ENERGY_TOLERANCE, &options->energy_tolerance))
        return false;
    options->method = (carom_lzb_method)method;
    options->exact_start = start == 1;
    if (impact_has(given, IMPACT_START) && method != CAROM_LZB_TIME) {
        report_usage(&command_impact, "--start is for --method time");
        return false;
    }
    return true;
}

bool read_laws(impact_given *given, chosen_laws *laws)
{
    carom_impact_options *options = &laws->options;
    *options = carom_impact_defaults();
    long seed = (long)options->seed;
    int order = (int)options->order, rule = (int)options->separating;
    double tolerance = 0.0;
    if (!read_law_names(given, laws) || !check_readers(given, laws) ||
        !read_word(given, IMPACT_ORDER, 3, orders, &order) ||
        !read_word(given, IMPACT_SEPARATING_RULE, 2, separating, &rule) ||
        !read_whole_number(given, IMPACT_SEED, 1, &seed) ||
        !read_whole_number(given, IMPACT_MAX_COLLISIONS, 1, &options->max_collisions) ||
        !read_positive_number(given, IMPACT_TOLERANCE, &tolerance) || !read_steps(given, options))
        return false;
    options->order = (carom_impact_order)order;
    options->separating = (carom_impact_separating)rule;
    options->seed = (unsigned)seed;
    options->collision_tolerance = options->velocity_tolerance = tolerance;
    options->one_sweep = impact_has(given, IMPACT_SWEEP_ONCE);
    options->allow_gain = impact_has(given, IMPACT_ALLOW_GAIN);
    return true;
}

/* ---- audit and pictures ------------------------------------------------------------------------------ */

bool read_audit_options(const impact_given *given, carom_audit_options *options)
{
    *options = carom_audit_defaults();
    long seed = (long)options->seed;
    if (!impact_has(given, IMPACT_AUDIT) &&
        (impact_has(given, IMPACT_SAMPLES) || impact_has(given, IMPACT_APPROACHING))) {
        report_usage(
            &command_impact, "%s is for --audit",
            given->option[impact_has(given, IMPACT_SAMPLES) ? IMPACT_SAMPLES : IMPACT_APPROACHING].name);
        return false;
    }
    if (!read_whole_number(given, IMPACT_SAMPLES, 1, &options->samples) ||
        !read_whole_number(given, IMPACT_SEED, 1, &seed))
        return false;
    options->seed = (unsigned)seed;
    options->approaching_only = impact_has(given, IMPACT_APPROACHING);
    return true;
}
