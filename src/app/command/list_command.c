/* carom list: what there is. */
#include <stdio.h>
#include <string.h>

#include "app/command.h"

enum {
    OPTION_JSON,
    OPTION_COUNT
};

static void open_entry(carom_json *json, const char *name, const char *summary)
{
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", name);
    carom_json_text(json, "summary", summary ? summary : "");
}

static void print_entry(carom_json *json, const char *name, const char *summary)
{
    if (!json) {
        printf("  %-34s %s\n", name, summary ? summary : "");
        return;
    }
    open_entry(json, name, summary);
    carom_json_object_end(json);
}

static carom_status list_one_experiment(const experiment_place *place, carom_json *json, carom_error *error)
{
    const carom_load_request request = {.name = place->name, .file = place->file, .only_names = true};
    carom_experiment *experiment = NULL;
    const carom_status status = carom_experiment_load(&request, &experiment, error);
    if (status == CAROM_NO_MEMORY)
        return status;
    if (status != CAROM_OK) { /* One broken file must not hide the others. */
        print_entry(json, place->name, error->text);
        return CAROM_OK;
    }
    print_entry(json, place->name, experiment->title);
    for (int i = 0; i < experiment->variant_count; i++) {
        carom_text name = {0};
        carom_text_append(&name, "%s-%s", place->name, experiment->variants[i].name);
        print_entry(json, whole_text(&name), experiment->variants[i].doc);
        carom_text_free(&name);
    }
    carom_experiment_free(experiment);
    return CAROM_OK;
}

static carom_status list_all_experiments(carom_json *json, carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    int count = 0;
    experiment_place *place = NULL;
    carom_status status = arena ? list_experiments(arena, &count, &place, error) : carom_fail_memory(error);
    for (int i = 0; status == CAROM_OK && i < count; i++)
        status = list_one_experiment(&place[i], json, error);
    carom_arena_free(arena);
    return status;
}

enum {
    WORDS_SHOWN = 12 /* of an option; JSON has them all */
};

static void print_option_text(const carom_option_info *option)
{
    const int words = carom_option_word_count(option);
    if (words == 0) {
        printf("      %-14s = %-8g %s\n", option->name, option->value, option->doc);
        return;
    }
    printf("      %-14s = %-8s %s (", option->name, carom_option_word(option, (int)option->value),
           option->doc);
    for (int i = 0; i < words && i < WORDS_SHOWN; i++)
        printf("%s%s", i ? ", " : "", carom_option_word(option, i));
    if (words > WORDS_SHOWN)
        printf(", and %d more, see carom list solvers", words - WORDS_SHOWN);
    printf(")\n");
}

static void write_option_json(carom_json *json, const carom_option_info *option)
{
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", option->name);
    carom_json_number(json, "default", option->value);
    carom_json_text(json, "doc", option->doc);
    const int words = carom_option_word_count(option);
    if (words > 0) {
        carom_json_array_begin(json, "choices");
        for (int c = 0; c < words; c++)
            carom_json_text(json, NULL, carom_option_word(option, c));
        carom_json_array_end(json);
    }
    carom_json_object_end(json);
}

static void print_entry_with_options(carom_json *json, const char *name, const char *summary, int count,
                                     const carom_option_info *options)
{
    if (!json) {
        print_entry(json, name, summary);
        for (int o = 0; o < count; o++)
            print_option_text(&options[o]);
        return;
    }
    open_entry(json, name, summary);
    carom_json_array_begin(json, "options");
    for (int o = 0; o < count; o++)
        write_option_json(json, &options[o]);
    carom_json_array_end(json);
    carom_json_object_end(json);
}

static carom_status list_schemes(carom_json *json, carom_error *error)
{
    (void)error;
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        print_entry_with_options(json, scheme->name, scheme->summary, scheme->option_count, scheme->options);
    }
    return CAROM_OK;
}

static carom_status list_solvers(carom_json *json, carom_error *error)
{
    (void)error;
    carom_text summary = {0};
    for (carom_problem_kind kind = CAROM_PROBLEM_LCP; kind <= CAROM_PROBLEM_COULOMB; kind++)
        for (size_t i = 0; i < carom_solver_count(kind); i++) {
            const carom_solver_ops *solver = carom_solver_at(kind, i);
            /* what a step does without a choice is no choice, and those of `carom solve` are listed once */
            if (solver == &carom_step_auto || solver->kind != kind)
                continue;
            summary.length = 0;
            carom_text_append(&summary, "%s: %s", carom_problem_kind_word(kind), solver->summary);
            print_entry_with_options(json, solver->name, whole_text(&summary), solver->option_count,
                                     solver->options);
        }
    carom_text_free(&summary);
    return CAROM_OK;
}

static carom_status list_laws(carom_json *json, carom_error *error)
{
    (void)error;
    for (size_t i = 0; i < carom_friction_law_count(); i++)
        print_entry(json, carom_friction_law_at(i)->name, carom_friction_law_at(i)->usage);
    for (size_t i = 0; i < carom_impact_law_count(); i++)
        print_entry(json, carom_impact_law_at(i)->name, carom_impact_law_at(i)->usage);
    for (size_t i = 0; i < carom_impact_rule_count(); i++)
        print_entry(json, carom_impact_rule_at(i)->name, carom_impact_rule_at(i)->usage);
    return CAROM_OK;
}

static void print_entry_with_example(carom_json *json, const char *name, const char *summary,
                                     const char *example)
{
    if (!json) {
        print_entry(json, name, summary);
        printf("      %s\n", example);
        return;
    }
    open_entry(json, name, summary);
    carom_json_text(json, "example", example);
    carom_json_object_end(json);
}

static carom_status list_measures(carom_json *json, carom_error *error)
{
    (void)error;
    for (size_t i = 0; i < carom_measure_count(); i++) {
        const carom_measure_ops *ops = carom_measure_at(i);
        if (!ops->hidden)
            print_entry_with_example(json, ops->name, ops->summary, ops->example);
    }
    return CAROM_OK;
}

static carom_status list_statements(carom_json *json, carom_error *error)
{
    (void)error;
    for (size_t i = 0; i < carom_statement_count(); i++) {
        const carom_statement *statement = carom_statement_at(i);
        print_entry_with_example(json, statement->name, statement->summary, statement->example);
    }
    return CAROM_OK;
}

static carom_status list_commands(carom_json *json, carom_error *error)
{
    (void)error;
    for (size_t i = 0; i < command_count(); i++) {
        const command *entry = command_at(i);
        if (!json) {
            print_entry(json, entry->name, entry->summary);
            for (int o = 0; o < entry->option_count; o++)
                printf("%s%s%s", o ? " " : "      ", entry->options[o].name,
                       o + 1 < entry->option_count ? "" : "\n");
            continue;
        }
        open_entry(json, entry->name, entry->summary);
        carom_json_array_begin(json, "options");
        for (int o = 0; o < entry->option_count; o++)
            carom_json_text(json, NULL, entry->options[o].name);
        carom_json_array_end(json);
        carom_json_object_end(json);
    }
    return CAROM_OK;
}

static carom_status list_studies(carom_json *json, carom_error *error)
{
    (void)error;
    for (size_t i = 0; i < carom_study_count(); i++)
        print_entry(json, carom_study_at(i)->name, carom_study_at(i)->summary);
    return CAROM_OK;
}

/* What one chooses for a run is listed without being asked for; words and commands are on request. */
static const struct {
    const char *name;
    carom_status (*list)(carom_json *json, carom_error *error);
    bool on_request;
} sections[] = {{"experiments", list_all_experiments, false},
                {"schemes", list_schemes, false},
                {"solvers", list_solvers, false},
                {"laws", list_laws, false},
                {"studies", list_studies, true},
                {"measures", list_measures, true},
                {"statements", list_statements, true},
                {"commands", list_commands, true}};
enum {
    SECTION_COUNT = sizeof sections / sizeof *sections
};

static carom_status list_sections(const char *wanted, carom_json *json, carom_error *error)
{
    carom_status status = CAROM_OK;
    if (json)
        carom_json_object_begin(json, NULL);
    for (size_t i = 0; status == CAROM_OK && i < SECTION_COUNT; i++) {
        if (wanted ? strcmp(wanted, sections[i].name) != 0 : sections[i].on_request)
            continue;
        if (json)
            carom_json_array_begin(json, sections[i].name);
        else
            printf("%s\n", sections[i].name);
        status = sections[i].list(json, error);
        if (json)
            carom_json_array_end(json);
    }
    if (json)
        carom_json_object_end(json);
    return status;
}

static bool known_section(const char *name)
{
    for (size_t i = 0; i < SECTION_COUNT; i++)
        if (strcmp(name, sections[i].name) == 0)
            return true;
    return false;
}

/* "experiments, schemes, solvers or laws; also studies, measures, statements, commands" */
static int unknown_section(const char *wanted)
{
    const char *name[SECTION_COUNT], *between = "";
    carom_text known = {0};
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        name[i] = sections[i].name;
        carom_text_append(&known, "%s%s", between, name[i]);
        const bool last = i + 2 >= SECTION_COUNT || sections[i + 2].on_request;
        between = sections[i].on_request       ? ", "
                  : sections[i + 1].on_request ? "; also "
                  : last                       ? " or "
                                               : ", ";
    }
    const char *nearest = carom_nearest_name(wanted, name, SECTION_COUNT);
    const int status = nearest ? report_usage(&command_list, "list what? %s; did you mean '%s'?",
                                              whole_text(&known), nearest)
                               : report_usage(&command_list, "list what? %s", whole_text(&known));
    carom_text_free(&known);
    return status;
}

static int list_with(const arguments *given)
{
    const char *wanted = given->positional_count > 0 ? given->positional[0] : NULL;
    if (given->positional_count > 1 || (wanted && !known_section(wanted)))
        return unknown_section(wanted);
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_error error = {0};
    const bool as_json = given->option[OPTION_JSON].count > 0;
    carom_status status = list_sections(wanted, as_json ? &json : NULL, &error);
    if (status == CAROM_OK && as_json)
        print_whole(&text);
    carom_text_free(&text);
    return status == CAROM_OK ? EXIT_DONE : report_error(&error);
}

static const argument_option option_table[OPTION_COUNT] = {[OPTION_JSON] = {"--json", false, false, 0, NULL}};

static int run_list(int argc, char **argv)
{
    arguments given;
    int exit_status = EXIT_BAD_INPUT;
    if (parse_arguments(&command_list, argc, argv, &given))
        exit_status = list_with(&given);
    free_arguments(&given);
    return exit_status;
}

const command command_list = {
    .name = "list",
    .usage = "carom list [experiments|schemes|solvers|laws|studies|measures|statements|commands] [--json]",
    .summary = "list experiments, schemes, solvers, laws, studies",
    .help = "examples\n"
            "  carom list experiments\n"
            "  carom list schemes            each with its options and their defaults\n"
            "  carom list solvers            those marked coulomb are for carom solve and carom bench\n"
            "  carom list studies            carom show study NAME has their inputs and outputs\n"
            "  carom list statements         words of model files, with an example each\n"
            "  carom list measures           what a run can be reduced to\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_list,
};
