/* carom show FILE.hdf5: what a frictional contact problem is, without solving it. */
#include "show_contact_file.h"

#include <math.h>
#include <stdio.h>

#include "app/contact_file.h"

/* What is told of a file; sizes that its kind does not have are 0. */
typedef struct problem_facts {
    const carom_fclib *content;
    int dimension, contacts, velocities, equations, entries;
    bool is_rolling;
    double mu_least, mu_most;
    double roll_least, roll_most; /* of mu_r; NAN: there is no rolling friction */
} problem_facts;

static void find_range(int count, const double *value, double *least, double *most)
{
    *least = *most = value && count > 0 ? value[0] : NAN;
    for (int i = 1; value && i < count; i++) {
        *least = fmin(*least, value[i]);
        *most = fmax(*most, value[i]);
    }
}

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
    facts.is_rolling = content->is_global ? global->mu_r : local->mu_r;
    find_range(facts.contacts, content->is_global ? global->mu : local->mu, &facts.mu_least, &facts.mu_most);
    find_range(facts.contacts, content->is_global ? global->mu_r : local->mu_r, &facts.roll_least,
               &facts.roll_most);
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
    printf("%s: a frictional contact problem (FCLIB), %s%s\n", path, content->is_global ? "global" : "local",
           facts->is_rolling ? ", with rolling friction" : "");
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
    if (facts->contacts > 0 && facts->is_rolling)
        printf("rolling friction: mu_r from %g to %g\n", facts->roll_least, facts->roll_most);
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
    static const char *const kind[2][2] = {{"fclib-local", "fclib-local-rolling"},
                                           {"fclib-global", "fclib-global-rolling"}};
    carom_json_text(&json, "kind", kind[facts->content->is_global][facts->is_rolling]);
    if (facts->content->title)
        carom_json_text(&json, "title", facts->content->title);
    carom_json_number(&json, "contacts", facts->contacts);
    carom_json_number(&json, "dimension", facts->dimension);
    carom_json_number(&json, "velocities", facts->velocities);
    carom_json_number(&json, "equations", facts->equations);
    carom_json_number(&json, "entries", facts->entries);
    carom_json_number(&json, "mu_least", facts->mu_least);
    carom_json_number(&json, "mu_most", facts->mu_most);
    if (facts->is_rolling) {
        carom_json_number(&json, "mu_r_least", facts->roll_least);
        carom_json_number(&json, "mu_r_most", facts->roll_most);
    }
    write_solution(&json, facts);
    carom_json_number(&json, "guesses", facts->content->guess_count);
    carom_json_object_end(&json);
    print_whole(&text);
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
