/* The command line of carom impact: numbers, lists, laws and their options. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/impact_output.h"

/* ---- numbers ----------------------------------------------------------------------------------------- */

bool read_number_list(impact_given *given, int option, number_list *list)
{
    *list = (number_list){0};
    return read_numbers(&command_impact, &given->arguments, &given->arguments.option[option], false,
                        &list->count, &list->value);
}

bool read_whole_number(const impact_given *given, int option, long *value)
{
    int whole = (int)*value;
    if (!read_whole(&command_impact, &given->arguments.option[option], 1, WHOLE_MOST, &whole))
        return false;
    *value = whole;
    return true;
}

bool read_positive_number(const impact_given *given, int option, double *value)
{
    return read_positive(&command_impact, &given->arguments.option[option], value);
}

bool read_shaped_list(impact_given *given, int option, list_shape shape, double *value, carom_error *error)
{
    number_list list;
    if (!read_number_list(given, option, &list))
        return false;
    if (list.count > 0 && list.count != shape.count && !(list.count == 1 && shape.one_for_all)) {
        carom_fail(error, CAROM_BAD_INPUT, "%s: expected %s%d value%s, %s; got %d",
                   given->arguments.option[option].name, shape.one_for_all && shape.count > 1 ? "1 or " : "",
                   shape.count, plural(shape.count), shape.why, list.count);
        return false;
    }
    for (int i = 0; list.count > 0 && i < shape.count; i++)
        value[i] = list.value[list.count == 1 ? 0 : i];
    return true;
}

/* ---- options of laws --------------------------------------------------------------------------------- */

typedef enum option_kind {
    OPTION_WORD,
    OPTION_WHOLE,
    OPTION_POSITIVE,
    OPTION_FLAG,
} option_kind;

/* Options of the command line that are a law's own. */
static const struct {
    int option;
    const char *name; /* in the tables of laws */
    option_kind kind;
    bool for_any;        /* no complaint when no chosen law has it */
    const char *letters; /* short names of its words */
} own_option[] = {
    {IMPACT_ORDER, "order", OPTION_WORD, false, NULL},
    {IMPACT_SEED, "seed", OPTION_WHOLE, false, NULL},
    {IMPACT_SWEEP_ONCE, "once", OPTION_FLAG, false, NULL},
    {IMPACT_MAX_COLLISIONS, "max_collisions", OPTION_WHOLE, false, NULL},
    {IMPACT_TOLERANCE, "tolerance", OPTION_POSITIVE, false, NULL},
    {IMPACT_ENERGY_TOLERANCE, "energy_tolerance", OPTION_POSITIVE, false, NULL},
    {IMPACT_METHOD, "method", OPTION_WORD, false, "xtpi"},
    {IMPACT_DT, "step", OPTION_POSITIVE, false, NULL},
    {IMPACT_START, "start", OPTION_WORD, false, NULL},
    {IMPACT_MAX_STEPS, "max_steps", OPTION_WHOLE, false, NULL},
    {IMPACT_SEPARATING_RULE, "separating", OPTION_WORD, true, NULL},
};

enum {
    OWN_OPTIONS = sizeof own_option / sizeof *own_option
};

static const carom_option_info *option_of(const carom_impact_law_ops *law, const char *name)
{
    const int index = carom_option_find(law->option_count, law->options, name);
    return index >= 0 ? &law->options[index] : NULL;
}

/* The first law that has an option of this name says what it is. */
static const carom_option_info *option_of_any(const char *name)
{
    const carom_option_info *found = NULL;
    for (size_t i = 0; !found && i < carom_impact_law_count(); i++)
        found = option_of(carom_impact_law_at(i), name);
    return found;
}

static bool read_word(const impact_given *given, int option, const carom_option_info *info,
                      const char *letters, double *value)
{
    const char *word = impact_value(given, option);
    const int count = carom_option_word_count(info);
    const char *letter = letters && strlen(word) == 1 ? strchr(letters, word[0]) : NULL;
    if (letter && letter - letters < count) {
        *value = (double)(letter - letters);
        return true;
    }
    carom_text known = {0};
    for (int i = 0; i < count; i++) {
        if (strcmp(word, carom_option_word(info, i)) == 0) {
            *value = i;
            carom_text_free(&known);
            return true;
        }
        carom_text_append(&known, "%s%s", known.length ? ", " : "", carom_option_word(info, i));
    }
    report_usage(&command_impact, "%s is one of %s; got '%s'", given->arguments.option[option].name,
                 known.failed ? "a few words" : known.bytes, word);
    carom_text_free(&known);
    return false;
}

static bool read_own_option(const impact_given *given, int own, chosen_laws *laws)
{
    const int option = own_option[own].option;
    carom_option *read = &laws->given[laws->given_count];
    long whole = 0;
    bool good = true;
    if (!impact_has(given, option))
        return true;
    *read = (carom_option){.name = own_option[own].name, .value = 1.0};
    switch (own_option[own].kind) {
    case OPTION_WORD:
        good = read_word(given, option, option_of_any(read->name), own_option[own].letters, &read->value);
        break;
    case OPTION_WHOLE:
        good = read_whole_number(given, option, &whole);
        read->value = (double)whole;
        break;
    case OPTION_POSITIVE:
        good = read_positive_number(given, option, &read->value);
        break;
    case OPTION_FLAG:
        break;
    }
    laws->given_count++;
    return good;
}

/* --option NAME=VALUE, of a chosen law. */
static bool read_named_option(impact_given *given, const char *text, chosen_laws *laws)
{
    carom_override assignment;
    carom_error error = {0};
    if (!split_assignment(&command_impact, &given->arguments, given->arguments.option[IMPACT_OPTION].name,
                          text, &assignment))
        return false;
    for (int i = 0; i < laws->count; i++) {
        const carom_option_info *info = option_of(laws->law[i], assignment.name);
        carom_option *read = &laws->given[laws->given_count];
        char owner[100];
        if (!info)
            continue;
        snprintf(owner, sizeof owner, "impact law '%s'", laws->law[i]->name);
        read->name = assignment.name;
        if (carom_option_parse(owner, info, assignment.value, &read->value, &error) != CAROM_OK) {
            report_error(&error);
            return false;
        }
        laws->given_count++;
        return true;
    }
    carom_text known = {0};
    for (int i = 0; i < laws->count; i++)
        for (int o = 0; laws->law[i]->options && o < laws->law[i]->option_count; o++)
            carom_text_append(&known, "%s%s", known.length ? ", " : "", laws->law[i]->options[o].name);
    report_usage(&command_impact, "no chosen law has an option '%s'; there %s %s", assignment.name,
                 known.length ? "are" : "is", known.length ? known.bytes : "none");
    carom_text_free(&known);
    return false;
}

/* What the command line says to the options of one law. */
static bool set_options(const impact_given *given, chosen_laws *laws, int i, carom_error *error)
{
    const carom_impact_law_ops *law = laws->law[i];
    carom_option *list =
        carom_arena_take(given->arguments.arena, (size_t)laws->given_count + 1, sizeof *list);
    int count = 0;
    if (!list) {
        carom_fail_memory(error);
        return false;
    }
    for (int k = 0; k < laws->given_count; k++)
        if (option_of(law, laws->given[k].name))
            list[count++] = laws->given[k];
    laws->options[i] = carom_impact_defaults();
    laws->options[i].allow_gain = impact_has(given, IMPACT_ALLOW_GAIN);
    return carom_impact_options_resolve(law, list, &laws->options[i], error) == CAROM_OK;
}

/* ---- laws -------------------------------------------------------------------------------------------- */

static bool read_law_names(impact_given *given, chosen_laws *laws)
{
    carom_arena *arena = given->arguments.arena;
    const char *text =
        impact_has(given, IMPACT_LAW) ? impact_value(given, IMPACT_LAW) : carom_impact_moreau.name;
    laws->all = strcmp(text, "all") == 0;
    int count = (int)carom_impact_law_count();
    const char **word = laws->all ? NULL : split_list(arena, text, &count);
    laws->law = carom_arena_take(arena, (size_t)count, sizeof(const carom_impact_law_ops *));
    laws->options = carom_arena_take(arena, (size_t)count, sizeof *laws->options);
    laws->given = carom_arena_take(
        arena, (size_t)(OWN_OPTIONS + given->arguments.option[IMPACT_OPTION].count), sizeof *laws->given);
    if (!laws->law || !laws->options || !laws->given || (!laws->all && !word))
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
                report_usage(&command_impact, "--law names '%s' twice", laws->law[i]->name);
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
    if (impact_has(given, IMPACT_LAW) || !differ)
        return true;
    laws->law[0] = &carom_impact_newton;
    return set_options(given, laws, 0, error);
}

/* Complains that an option is for laws of which none is chosen: those that `reads` says. */
static bool refuse_unread(const impact_given *given, int option,
                          bool (*reads)(const carom_impact_law_ops *law, const char *name), const char *name)
{
    carom_text readers = {0};
    for (size_t i = 0; i < carom_impact_law_count(); i++)
        if (reads(carom_impact_law_at(i), name))
            carom_text_append(&readers, "%s%s", readers.length ? " or " : "", carom_impact_law_at(i)->name);
    report_usage(&command_impact, "%s is for law %s, which is not chosen",
                 given->arguments.option[option].name, readers.bytes ? readers.bytes : "");
    carom_text_free(&readers);
    return false;
}

static bool law_has_option(const carom_impact_law_ops *law, const char *name)
{
    return option_of(law, name) != NULL;
}

static bool law_has_course_of(const carom_impact_law_ops *law, const char *name)
{
    (void)name;
    return (law->tells & CAROM_IMPACT_TELLS_COURSE) != 0;
}

static bool any_reads(const chosen_laws *laws,
                      bool (*reads)(const carom_impact_law_ops *law, const char *name), const char *name)
{
    for (int i = 0; i < laws->count; i++)
        if (reads(laws->law[i], name))
            return true;
    return false;
}

/* An option that no chosen law reads is a mistake. */
static bool check_readers(const impact_given *given, const chosen_laws *laws)
{
    static const int of_course[] = {IMPACT_HISTORY, IMPACT_PLOT_HISTORY};
    const bool audit = impact_has(given, IMPACT_AUDIT); /* which takes the seed, too */
    for (int i = 0; i < OWN_OPTIONS; i++) {
        const int option = own_option[i].option;
        if (impact_has(given, option) && !own_option[i].for_any && !(option == IMPACT_SEED && audit) &&
            !any_reads(laws, law_has_option, own_option[i].name))
            return refuse_unread(given, option, law_has_option, own_option[i].name);
    }
    for (size_t i = 0; i < sizeof of_course / sizeof *of_course; i++)
        if (impact_has(given, of_course[i]) && !any_reads(laws, law_has_course_of, NULL))
            return refuse_unread(given, of_course[i], law_has_course_of, NULL);
    return true;
}

static bool check_start(const impact_given *given, const chosen_laws *laws)
{
    double method = 0.0;
    for (int i = 0; i < laws->given_count; i++)
        if (strcmp(laws->given[i].name, "method") == 0)
            method = laws->given[i].value;
    if (!impact_has(given, IMPACT_START) || method == (double)CAROM_LZB_TIME)
        return true;
    report_usage(&command_impact, "--start is for --method time");
    return false;
}

bool read_laws(impact_given *given, chosen_laws *laws)
{
    const argument_option *named = &given->arguments.option[IMPACT_OPTION];
    carom_error error = {0};
    if (!read_law_names(given, laws) || !check_readers(given, laws))
        return false;
    for (int i = 0; i < OWN_OPTIONS; i++)
        if (!read_own_option(given, i, laws))
            return false;
    for (int i = 0; i < named->count; i++)
        if (!read_named_option(given, named->value[i], laws))
            return false;
    if (!check_start(given, laws))
        return false;
    for (int i = 0; i < laws->count; i++)
        if (!set_options(given, laws, i, &error)) {
            report_error(&error);
            return false;
        }
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
            given->arguments.option[impact_has(given, IMPACT_SAMPLES) ? IMPACT_SAMPLES : IMPACT_APPROACHING]
                .name);
        return false;
    }
    if (!read_whole_number(given, IMPACT_SAMPLES, &options->samples) ||
        !read_whole_number(given, IMPACT_SEED, &seed))
        return false;
    options->seed = (unsigned)seed;
    options->approaching_only = impact_has(given, IMPACT_APPROACHING);
    return true;
}
