/* Options of schemes, and of the solvers of contact problems that they use. */
#include <stdio.h>
#include <string.h>

#include "carom/scheme.h"

enum {
    WORDS_LISTED = 12 /* of an option, in an error */
};

static const char prefix[] = "solver.";

int carom_scheme_find_option(const carom_scheme_ops *scheme, const char *name)
{
    return carom_option_find(scheme->option_count, scheme->options, name);
}

carom_status carom_scheme_parse_option(const carom_scheme_ops *scheme, int option, const char *text,
                                       double *value, carom_error *error)
{
    if (option < 0 || option >= scheme->option_count)
        return carom_fail(error, CAROM_BAD_INPUT, "scheme '%s' has no option number %d; it has %d options",
                          scheme->name, option, scheme->option_count);
    char owner[80];
    snprintf(owner, sizeof owner, "scheme '%s'", scheme->name);
    return carom_option_parse(owner, &scheme->options[option], text, value, error);
}

/* ---- solvers ------------------------------------------------------------------------------------------ */

/* What the solver calls the option: "solver.omega" is its omega. */
static const char *name_for_solver(const char *name)
{
    const size_t length = sizeof prefix - 1;
    return strncmp(name, prefix, length) == 0 ? name + length : name;
}

static bool solves(const carom_scheme_ops *scheme, carom_problem_kind kind)
{
    return scheme->problems & CAROM_SCHEME_SOLVES(kind);
}

static bool has_option(const carom_solver_ops *solver, const char *name)
{
    return carom_option_find(solver->option_count, solver->options, name_for_solver(name)) >= 0;
}

/* ---- laws of impact ----------------------------------------------------------------------------------- */

/* "impact_order" is the law's order: its place in the law's table, -1 when the law has none. */
int carom_scheme_law_option(const carom_impact_law_ops *law, const char *name)
{
    static const char of_law[] = "impact_";
    const size_t length = sizeof of_law - 1;
    return strncmp(name, of_law, length) == 0
               ? carom_option_find(law->option_count, law->options, name + length)
               : -1;
}

const carom_impact_law_ops *carom_scheme_impact_law(const carom_scheme_ops *scheme, const double *values)
{
    const int option = carom_scheme_find_option(scheme, "impact_law");
    return option < 0
               ? NULL
               : carom_registry_find(&carom_impact_laws,
                                     carom_option_word(&scheme->options[option], (int)values[option]), NULL);
}

static bool any_law_has(const carom_scheme_ops *scheme, const char *name)
{
    const bool chooses = carom_scheme_find_option(scheme, "impact_law") >= 0;
    for (size_t i = 0; chooses && i < carom_impact_law_count(); i++)
        if (carom_scheme_law_option(carom_impact_law_at(i), name) >= 0)
            return true;
    return false;
}

/* ---- both --------------------------------------------------------------------------------------------- */

bool carom_scheme_takes_option(const carom_scheme_ops *scheme, const char *name)
{
    if (carom_scheme_find_option(scheme, name) >= 0 || any_law_has(scheme, name))
        return true;
    for (carom_problem_kind kind = CAROM_PROBLEM_LCP; kind <= CAROM_PROBLEM_COULOMB; kind++) {
        const carom_solver_ops *solver;
        for (size_t i = 0; solves(scheme, kind) && (solver = carom_solver_at(kind, i)) != NULL; i++)
            if (has_option(solver, name))
                return true;
    }
    return false;
}

/* By its name, or by what of it follows the word of the kind: "dual" is qp-dual. */
static const carom_solver_ops *find_solver(carom_problem_kind kind, const char *word)
{
    char name[64];
    const carom_solver_ops *found = carom_solver_find(kind, word, NULL);
    snprintf(name, sizeof name, "%s-%s", carom_problem_kind_word(kind), word);
    return found ? found : carom_solver_find(kind, name, NULL);
}

const carom_solver_ops *carom_scheme_solver(const carom_scheme_ops *scheme, const double *values,
                                            carom_problem_kind kind)
{
    const int option = carom_scheme_find_option(scheme, "solver");
    if (option < 0 || !solves(scheme, kind))
        return NULL;
    return find_solver(kind, carom_option_word(&scheme->options[option], (int)values[option]));
}

bool carom_scheme_choice_has(const carom_scheme_ops *scheme, const double *values, const char *name)
{
    const carom_impact_law_ops *law = carom_scheme_impact_law(scheme, values);
    if (law && carom_scheme_law_option(law, name) >= 0)
        return true;
    for (carom_problem_kind kind = CAROM_PROBLEM_LCP; kind <= CAROM_PROBLEM_COULOMB; kind++) {
        const carom_solver_ops *solver = carom_scheme_solver(scheme, values, kind);
        if (solver && has_option(solver, name))
            return true;
    }
    return false;
}

/* ---- an option that is not known ---------------------------------------------------------------------- */

static void list_option(carom_text *list, const carom_option_info *option)
{
    const int words = carom_option_word_count(option);
    if (words == 0) {
        carom_text_append(list, "%s (default %.10g)", option->name, option->value);
        return;
    }
    carom_text_append(list, "%s (", option->name);
    for (int i = 0; i < words && i < WORDS_LISTED; i++)
        carom_text_append(list, "%s%s", i ? ", " : "", carom_option_word(option, i));
    if (words > WORDS_LISTED)
        carom_text_append(list, ", and %d more", words - WORDS_LISTED);
    carom_text_append(list, "; default %s)", carom_option_word(option, (int)option->value));
}

static bool is_of_solvers(const char *name)
{
    return strcmp(name, "solver") == 0 || strcmp(name, "tolerance") == 0 ||
           strcmp(name, "max_iterations") == 0 || strncmp(name, prefix, sizeof prefix - 1) == 0;
}

carom_status carom_scheme_fail_option(const carom_scheme_ops *scheme, const char *name, carom_error *error)
{
    if (scheme->problems == 0 && is_of_solvers(name))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "unknown option '%s' of scheme %s: it has no solver of contact problems to choose",
                          name, scheme->name);
    if (scheme->option_count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "unknown option '%s': scheme %s has no options", name,
                          scheme->name);
    carom_text list = {0};
    for (int i = 0; i < scheme->option_count; i++) {
        carom_text_append(&list, "%s", i ? ", " : "");
        list_option(&list, &scheme->options[i]);
    }
    carom_status status =
        list.failed
            ? carom_fail_memory(error)
            : carom_fail(error, CAROM_BAD_INPUT, "unknown option '%s' of scheme %s; its options: %s%s", name,
                         scheme->name, list.bytes,
                         scheme->problems ? ", and those of its solver (carom list solvers)" : "");
    carom_text_free(&list);
    return status;
}
