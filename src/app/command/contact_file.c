#include "app/contact_file.h"

#include <stdio.h>
#include <string.h>

carom_status contact_file_explain(const contact_file *file, carom_status status, const carom_error *reason,
                                  carom_error *error)
{
    if (status == CAROM_OK)
        return CAROM_OK;
    return carom_fail(error, status == CAROM_FAILED ? CAROM_BAD_INPUT : status, "%s: %s", file->path,
                      reason->text);
}

carom_status contact_file_reduce(contact_file *file, carom_error *error)
{
    carom_error inner = {0};
    const carom_fclib *content = file->content;
    carom_status status;
    if (file->is_rolling) {
        status = content->is_global
                     ? carom_rolling_reduce(&content->global, file->arena, &file->rolling, &inner)
                     : carom_rolling_embed(&content->local, file->arena, &file->rolling, &inner);
        file->problem = file->rolling.parts;
    } else {
        status = content->is_global
                     ? carom_coulomb_reduce(&content->global, file->arena, &file->problem, &inner)
                     : carom_coulomb_embed(&content->local, file->arena, &file->problem, &inner);
    }
    return contact_file_explain(file, status, &inner, error);
}

static carom_status open_file(const char *path, contact_file *file, carom_error *error)
{
    *file = (contact_file){.path = path, .arena = carom_arena_create()};
    if (!file->arena)
        return carom_fail_memory(error);
    carom_status status = carom_fclib_read(path, &file->content, error);
    if (status == CAROM_IO_ERROR) /* a path that cannot be read is a mistake of the command line */
        status = error->status = CAROM_BAD_INPUT;
    if (status != CAROM_OK)
        return status;
    const carom_coulomb_global *global = &file->content->global;
    const carom_coulomb_local *local = &file->content->local;
    const bool is_global = file->content->is_global;
    file->dimension = is_global ? global->dimension : local->dimension;
    file->contacts = is_global ? global->contacts : local->contacts;
    file->is_rolling = is_global ? global->mu_r : local->mu_r;
    return CAROM_OK;
}

carom_status contact_file_read(const char *path, contact_file *file, carom_error *error)
{
    const carom_status status = open_file(path, file, error);
    return status == CAROM_OK ? contact_file_reduce(file, error) : status;
}

/* W and q are not computed. FAILED with rolling friction, where it cannot be without them. */
static carom_status leave_global(contact_file *file, carom_error *error)
{
    const carom_coulomb_global *global = &file->content->global;
    if (!file->is_rolling) {
        file->problem = (carom_coulomb){.contacts = global->contacts, .mu = global->mu};
        return CAROM_OK;
    }
    const carom_status status = carom_rolling_take_global(global, file->arena, &file->rolling, error);
    file->problem = file->rolling.parts;
    return status;
}

carom_status contact_file_read_global(const char *path, contact_file *file, carom_error *error)
{
    const carom_status status = open_file(path, file, error);
    if (status != CAROM_OK)
        return status;
    if (!file->content->is_global)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s holds a local problem, which has no equations of motion: it is solved without "
                          "--direct",
                          path);
    carom_error inner = {0};
    return contact_file_explain(file, leave_global(file, &inner), &inner, error);
}

static bool prefers_global(const contact_file *file)
{
    const carom_coulomb_global *global = &file->content->global;
    return file->is_rolling ? carom_rolling_prefers_global(global) : carom_coulomb_prefers_global(global);
}

carom_status contact_file_read_either(const char *path, contact_file *file, bool *is_left, carom_error *error)
{
    const carom_status status = open_file(path, file, error);
    *is_left = status == CAROM_OK && file->content->is_global && prefers_global(file);
    if (*is_left)
        return leave_global(file, error);
    return status == CAROM_OK ? contact_file_reduce(file, error) : status;
}

void contact_file_free(contact_file *file)
{
    carom_fclib_free(file->content);
    carom_arena_free(file->arena);
    *file = (contact_file){0};
}

static void embed(const contact_file *file, const double *given, double *three)
{
    const int d = file->dimension;
    for (int i = 0; i < file->contacts; i++)
        for (int k = 0; k < 3; k++)
            three[3 * i + k] = k < d ? given[d * i + k] : 0.0;
}

static void extract(const contact_file *file, const double *three, double *given)
{
    const int d = file->dimension;
    for (int i = 0; i < file->contacts; i++)
        for (int k = 0; k < d; k++)
            given[d * i + k] = three[3 * i + k];
}

void contact_file_embed(const contact_file *file, const double *given, double *three)
{
    if (file->is_rolling)
        carom_rolling_pack_reactions(&file->rolling, given, three);
    else
        embed(file, given, three);
}

void contact_file_extract(const contact_file *file, const double *three, double *given)
{
    if (file->is_rolling)
        carom_rolling_unpack_reactions(&file->rolling, three, given);
    else
        extract(file, three, given);
}

void contact_file_embed_velocities(const contact_file *file, const double *given, double *three)
{
    if (file->is_rolling)
        carom_rolling_pack_velocities(&file->rolling, given, three);
    else
        embed(file, given, three);
}

void contact_file_extract_velocities(const contact_file *file, const double *three, double *given)
{
    if (file->is_rolling)
        carom_rolling_unpack_velocities(&file->rolling, three, given);
    else
        extract(file, three, given);
}

char *contact_file_stem(carom_arena *arena, const char *path)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    static const char *const ending[] = {".hdf5", ".h5"};
    const char *slash = strrchr(path, '/');
    char *stem = carom_arena_copy_text(arena, slash ? slash + 1 : path);
    if (!stem)
        return NULL;
    for (int i = 0; i < 2; i++) {
        const size_t length = strlen(stem), cut = strlen(ending[i]);
        if (length > cut && strcmp(stem + length - cut, ending[i]) == 0)
            stem[length - cut] = '\0';
    }
    for (char *c = stem; *c; c++)
        if (!strchr(good, *c))
            *c = '-';
    return stem;
}

/* ---- solvers --------------------------------------------------------------------------------------- */

static carom_status unknown_option(const carom_solver_ops *ops, const char *name, carom_error *error)
{
    const char *names[32];
    size_t count = 0;
    for (int i = 0; i < ops->option_count && count < 32; i++)
        names[count++] = ops->options[i].name;
    if (count == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "solver '%s' has no options; got '%s'", ops->name, name);
    char what[160];
    snprintf(what, sizeof what, "option of solver '%s'", ops->name);
    return carom_fail_unknown(what, name, names, count, error);
}

static carom_status set_option(const chosen_solver *chosen, const carom_override *given, carom_error *error)
{
    const carom_solver_ops *ops = chosen->ops;
    const int place = carom_option_find(ops->option_count, ops->options, given->name);
    if (place < 0)
        return unknown_option(ops, given->name, error);
    char owner[160];
    snprintf(owner, sizeof owner, "solver '%s'", ops->name);
    return carom_option_parse(owner, &ops->options[place], given->value, &chosen->option[place].value, error);
}

carom_status choose_solver(carom_arena *arena, const char *name, int option_count,
                           const carom_override *option, chosen_solver *chosen, carom_error *error)
{
    *chosen = (chosen_solver){.ops = carom_solver_find(CAROM_PROBLEM_COULOMB, name, error)};
    if (!chosen->ops)
        return CAROM_BAD_INPUT;
    chosen->label = chosen->ops->name;
    chosen->option = carom_arena_take(arena, (size_t)chosen->ops->option_count + 1, sizeof *chosen->option);
    if (!chosen->option)
        return carom_fail_memory(error);
    for (int i = 0; i < chosen->ops->option_count; i++)
        chosen->option[i] = (carom_option){chosen->ops->options[i].name, chosen->ops->options[i].value, NULL};
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < option_count; i++)
        status = set_option(chosen, &option[i], error);
    return status;
}

bool read_limits(const command *self, const argument_option *tolerance, const argument_option *max_seconds,
                 carom_solver_options *limits)
{
    if (!parse_number_option(self, tolerance, &limits->tolerance) ||
        !parse_number_option(self, max_seconds, &limits->max_seconds))
        return false;
    if (!(limits->tolerance > 0.0 && limits->tolerance < 1.0)) {
        report_usage(self, "--tol must be between 0 and 1, such as 1e-8; got %g", limits->tolerance);
        return false;
    }
    if (!(limits->max_seconds > 0.0 || max_seconds->count == 0)) {
        report_usage(self, "--max-seconds must be > 0; got %g", limits->max_seconds);
        return false;
    }
    if (limits->tolerance < 1e-15)
        fprintf(stderr, "carom: --tol %g is below rounding, which is near 1e-16: it may never be reached\n",
                limits->tolerance);
    return true;
}
