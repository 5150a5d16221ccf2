/* Command-line arguments: positional ones and options with their values. */
#include <stdio.h>
#include <string.h>

#include "command.h"

/* One option for all commands: models are loaded in many places, by workers and for what is resumed, too. */
static carom_units units;

const char units_help[] =
    "\nevery command\n"
    "  --units L=A,T=B,M=C    the model in units that make its numbers of length, time and mass A, B and C "
    "times larger;\n"
    "                         results, and all that is given except parameters, have these units\n";

carom_units given_units(void)
{
    return units;
}

static bool read_units(const command *self, const char *text)
{
    carom_error error = {0};
    if (carom_units_parse(text, &units, &error) == CAROM_OK)
        return true;
    report_usage(self, "%s", error.text);
    return false;
}

static argument_option *find_option(arguments *result, const char *name, size_t length)
{
    for (int i = 0; i < result->option_count; i++)
        if (strlen(result->option[i].name) == length && memcmp(result->option[i].name, name, length) == 0)
            return &result->option[i];
    return NULL;
}

static bool unknown_option(const command *self, const arguments *result, const char *name)
{
    const char **names = carom_arena_take(result->arena, (size_t)result->option_count, sizeof *names);
    for (int i = 0; names && i < result->option_count; i++)
        names[i] = result->option[i].name;
    const char *nearest = names ? carom_nearest_name(name, names, (size_t)result->option_count) : NULL;
    if (nearest)
        report_usage(self, "unknown option '%s'; did you mean '%s'?", name, nearest);
    else
        report_usage(self, "unknown option '%s'", name);
    return false;
}

/* Reads one option at argv[*i] and its value. */
static bool read_option(const command *self, int argc, char **argv, int *i, arguments *result)
{
    const char *text = argv[*i];
    const char *equals = strncmp(text, "--", 2) == 0 ? strchr(text, '=') : NULL;
    argument_option *option = find_option(result, text, equals ? (size_t)(equals - text) : strlen(text));
    if (strncmp(text, "--units=", 8) == 0)
        return read_units(self, text + 8);
    if (strcmp(text, "--units") == 0 && *i + 1 < argc)
        return read_units(self, argv[++*i]);
    if (!option)
        return unknown_option(self, result, text);
    if (!option->takes_value && equals) {
        report_usage(self, "option %s takes no value", option->name);
        return false;
    }
    if (option->takes_value && !equals && *i + 1 >= argc) {
        report_usage(self, "option %s needs a value", option->name);
        return false;
    }
    if (option->count > 0 && !option->repeats && option->takes_value) {
        report_usage(self, "option %s is given twice", option->name);
        return false;
    }
    if (option->takes_value)
        option->value[option->count] = equals ? equals + 1 : argv[++*i];
    option->count++;
    return true;
}

bool parse_arguments(const command *self, int argc, char **argv, arguments *result)
{
    *result = (arguments){.option_count = self->option_count, .arena = carom_arena_create()};
    if (!result->arena)
        return false;
    result->positional = carom_arena_take(result->arena, (size_t)argc, sizeof *result->positional);
    result->option = carom_arena_take(result->arena, (size_t)self->option_count, sizeof *result->option);
    if (!result->positional || !result->option)
        return false;
    for (int i = 0; i < self->option_count; i++) {
        result->option[i] = self->options[i];
        result->option[i].value = carom_arena_take(result->arena, (size_t)argc, sizeof(const char *));
        if (!result->option[i].value)
            return false;
    }
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] != '\0') {
            if (!read_option(self, argc, argv, &i, result))
                return false;
        } else {
            result->positional[result->positional_count++] = argv[i];
        }
    }
    return check_outputs(self, result);
}

void free_arguments(arguments *given)
{
    carom_arena_free(given->arena);
}

bool split_assignment(const command *self, arguments *given, const char *option, const char *text,
                      carom_override *assignment)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text) {
        report_usage(self, "%s needs name=value; got '%s'", option, text);
        return false;
    }
    assignment->name = carom_arena_copy_text(given->arena, text);
    if (!assignment->name)
        return false;
    assignment->name[equals - text] = '\0';
    assignment->value = assignment->name + (equals - text) + 1;
    return true;
}

bool read_scheme_options(const command *self, arguments *given, const argument_option *option,
                         carom_option **list)
{
    carom_override *assignment;
    int count;
    *list = carom_arena_take(given->arena, (size_t)option->count + 1, sizeof **list);
    if (!*list || !read_assignments(self, given, option, &count, &assignment))
        return false;
    for (int i = 0; i < count; i++)
        (*list)[i] = (carom_option){.name = assignment[i].name, .word = assignment[i].value};
    return true;
}

bool read_assignments(const command *self, arguments *given, const argument_option *option, int *count,
                      carom_override **list)
{
    *list = carom_arena_take(given->arena, (size_t)option->count, sizeof **list);
    for (int i = 0; i < option->count; i++)
        if (!*list || !split_assignment(self, given, option->name, option->value[i], &(*list)[i]))
            return false;
    *count = option->count;
    return true;
}

const char **split_list(carom_arena *arena, const char *given, int *count)
{
    char *text = carom_arena_copy_text(arena, given);
    const char **word = carom_arena_take(arena, strlen(given) + 1, sizeof *word);
    *count = 0;
    if (!text || !word)
        return NULL;
    for (char *next = text; next;) {
        char *comma = strchr(next, ',');
        if (comma)
            *comma = '\0';
        word[(*count)++] = next;
        next = comma ? comma + 1 : NULL;
    }
    return word;
}

bool read_picture_place(const command *self, arguments *given, const argument_option *option,
                        const char *example, picture_place *place)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const char *text = option->count > 0 ? option->value[option->count - 1] : NULL;
    if (!text)
        return true;
    const char *slash = strrchr(text, '/');
    char *directory = carom_arena_copy_text(given->arena, slash ? text : ".");
    char *name = carom_arena_copy_text(given->arena, slash ? slash + 1 : text);
    if (!directory || !name)
        return false;
    if (slash)
        directory[slash > text ? slash - text : 1] = '\0';
    char *dot = strrchr(name, '.');
    const bool has_ending =
        dot && dot > name &&
        (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0 || strcmp(dot, ".pdf") == 0);
    if (!has_ending || strspn(name, good) < strlen(name)) {
        report_usage(
            self,
            "%s needs a name such as %s.svg, .png or .pdf, of letters, digits, '-', '_' and '.'; got '%s'",
            option->name, example, text);
        return false;
    }
    *dot = '\0';
    *place = (picture_place){directory, name};
    return true;
}

/* pictures/ or pictures: without an ending. */
static bool is_folder(const char *text)
{
    const char *slash = strrchr(text, '/');
    const char *last = slash ? slash + 1 : text;
    return text[0] &&
           (last[0] == '\0' || strcmp(last, ".") == 0 || strcmp(last, "..") == 0 || !strchr(last, '.'));
}

bool read_picture_or_folder(const command *self, arguments *given, const argument_option *option,
                            const char *example, picture_place *place)
{
    const char *text = option->count > 0 ? option->value[option->count - 1] : NULL;
    if (!text || !is_folder(text))
        return read_picture_place(self, given, option, example, place);
    *place = (picture_place){text, example};
    return true;
}

void report_picture(const picture_place *place, bool quiet)
{
    if (!quiet)
        fprintf(stderr, "picture: %s/%s.png (and .svg, .pdf, .gp, .dat)\n", place->directory, place->name);
}
