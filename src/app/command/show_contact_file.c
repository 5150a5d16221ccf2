/* carom show FILE.hdf5: what a frictional contact problem is, without solving it. */
#include "show_contact_file.h"

#include <math.h>
#include <stdio.h>

#include "app/contact_file.h"

/* What is told of a file; sizes that its kind does not have are 0. */
typedef struct problem_facts {
    const carom_fclib *content;
    int dimension, contacts, velocities, equations, entries;
    double mu_least, mu_most;
} problem_facts;

static problem_facts facts_of(const carom_fclib *content)
{
    const carom_coulomb_global *global = &content->global;
    const carom_coulomb_local *local = &content->local;
    problem_facts facts = {.content = content};
    facts.dimension = content->is_global ? global->dimension : local->dimension;
    facts.contacts = content->is_global ? global->contacts : local->contacts;
    facts.velocities = content->is_global ? global->M.rows : 0;
    facts.equations = content->is_global ? global->G.columns : local->R.columns;
    facts.entries = content->is_global ? global->H.column_start[global->H.columns]
                                       : local->W.column_start[local->W.columns];
    const double *mu = content->is_global ? global->mu : local->mu;
    facts.mu_least = facts.contacts > 0 ? mu[0] : NAN;
    facts.mu_most = facts.mu_least;
    for (int i = 1; i < facts.contacts; i++) {
        facts.mu_least = fmin(facts.mu_least, mu[i]);
        facts.mu_most = fmax(facts.mu_most, mu[i]);
    }
    return facts;
}

/* Texts of files may hold any bytes: those that are not printable ASCII are shown as points. */
static void print_text(const char *label, const char *text)
{
    if (!text || !*text)
        return;
    printf("%s: ", label);
    for (const char *c = text; *c; c++)
        putchar(*c >= ' ' && *c <= '~' ? *c : '.');
    putchar('\n');
}

static bool is_zero(int count, const double *x)
{
    return x && carom_largest(count, x) == 0.0;
}

static void print_solution(const problem_facts *facts, const char *label,
                           const carom_fclib_solution *solution)
{
    const int size = facts->dimension * facts->contacts;
    printf("%s:", label);
    if (!solution->u && !solution->r)
        printf(" none");
    if (solution->r)
        printf(" r%s", is_zero(size, solution->r) ? " (all zero)" : "");
    if (solution->u)
        printf("%s u%s", solution->r ? "," : "", is_zero(size, solution->u) ? " (all zero)" : "");
    printf("\n");
}

static void show_text(const char *path, const problem_facts *facts)
{
    const carom_fclib *content = facts->content;
    printf("%s: a frictional contact problem (FCLIB), %s\n", path, content->is_global ? "global" : "local");
    print_text("title", content->title);
    print_text("description", content->description);
    print_text("mathematics", content->math_info);
    printf("contacts: %d, %d numbers each\n", facts->contacts, facts->dimension);
    if (content->is_global)
        printf("velocities: %d\n", facts->velocities);
    if (facts->equations > 0)
        printf("equations: %d\n", facts->equations);
    printf("entries of %s: %d\n", content->is_global ? "H" : "W", facts->entries);
    if (facts->contacts > 0)
        printf("friction: mu from %g to %g\n", facts->mu_least, facts->mu_most);
    print_solution(facts, "solution", &content->solution);
    printf("guesses: %d\n", content->guess_count);
    printf("carom solve solves it\n");
}

static void write_solution(carom_json *json, const problem_facts *facts)
{
    const carom_fclib_solution *solution = &facts->content->solution;
    const int size = facts->dimension * facts->contacts;
    carom_json_object_begin(json, "solution");
    carom_json_bool(json, "r", solution->r != NULL);
    carom_json_bool(json, "r_is_zero", is_zero(size, solution->r));
    carom_json_bool(json, "u", solution->u != NULL);
    carom_json_bool(json, "u_is_zero", is_zero(size, solution->u));
    carom_json_object_end(json);
}

static void show_json(const char *path, const problem_facts *facts)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "name", path);
    carom_json_text(&json, "kind", facts->content->is_global ? "fclib-global" : "fclib-local");
    if (facts->content->title)
        carom_json_text(&json, "title", facts->content->title);
    carom_json_number(&json, "contacts", facts->contacts);
    carom_json_number(&json, "dimension", facts->dimension);
    carom_json_number(&json, "velocities", facts->velocities);
    carom_json_number(&json, "equations", facts->equations);
    carom_json_number(&json, "entries", facts->entries);
    carom_json_number(&json, "mu_least", facts->mu_least);
    carom_json_number(&json, "mu_most", facts->mu_most);
    write_solution(&json, facts);
    carom_json_number(&json, "guesses", facts->content->guess_count);
    carom_json_object_end(&json);
    if (!text.failed)
        puts(text.bytes);
    carom_text_free(&text);
}

carom_status show_contact_file(const char *path, bool as_json, carom_error *error)
{
    carom_fclib *content = NULL;
    const carom_status status = carom_fclib_read(path, &content, error);
    if (status != CAROM_OK)
        return status;
    const problem_facts facts = facts_of(content);
    if (as_json)
        show_json(path, &facts);
    else
        show_text(path, &facts);
    carom_fclib_free(content);
    return CAROM_OK;
}
