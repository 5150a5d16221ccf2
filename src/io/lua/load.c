/* Reading a model file from start to end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader.h"
#include "loader_bodies.h"

enum {
    FILE_LIMIT_MB = 16
};

static carom_status read_file(const char *path, char **text, carom_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return errno == ENOMEM ? carom_fail_memory(error)
                               : carom_fail(error, CAROM_BAD_INPUT, "cannot open model file '%s': %s", path,
                                            strerror(errno));
    carom_text content = {0};
    char block[8192];
    size_t count;
    while ((count = fread(block, 1, sizeof block, file)) > 0 && content.length < (size_t)FILE_LIMIT_MB << 20)
        carom_text_append_bytes(&content, block, count);
    const bool failed = ferror(file) != 0, too_long = count > 0;
    fclose(file);
    if (content.failed) {
        carom_text_free(&content);
        return carom_fail_memory(error);
    }
    if (failed || too_long) {
        carom_text_free(&content);
        return carom_fail(error, CAROM_BAD_INPUT, "cannot read model file '%s': %s", path,
                          too_long ? "it is longer than 16 MiB" : "reading failed (is it a directory?)");
    }
    carom_text_append_bytes(&content, "", 0);
    if (content.length == 0 || memchr(content.bytes, '\0', content.length)) {
        const bool empty = content.length == 0;
        carom_text_free(&content);
        return carom_fail(error, CAROM_BAD_INPUT, "model file '%s' %s", path,
                          empty ? "is empty"
                                : "is not a text (it has zero bytes); a model file is a Lua script");
    }
    *text = content.bytes;
    return CAROM_OK;
}

/* Runs in protected mode: opens the sandbox, then reads and runs the script. */
static int run_script(lua_State *L)
{
    loader *load = loader_of(L);
    const carom_experiment *experiment = load->experiment;
    loader_open_sandbox(L);
    const char *chunk = lua_pushfstring(L, "@%s", experiment->file);
    /* "t": text only; precompiled Lua could break the sandbox. */
    if (luaL_loadbufferx(L, experiment->text, strlen(experiment->text), chunk, "t") != LUA_OK)
        return lua_error(L);
    lua_call(L, 0, 0);
    return 0;
}

carom_status loader_script_error(lua_State *L, int code, const carom_experiment *experiment,
                                 carom_error *error)
{
    if (loader_of(L)->no_memory || (code == LUA_ERRMEM && loader_of(L)->refused))
        return carom_fail_memory(error);
    if (code == LUA_ERRMEM && loader_of(L)->long_text)
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the script makes a text of more than %d MB of memory",
                          experiment->file, LOADER_TEXT_MB);
    if (code == LUA_ERRMEM)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: the script needs more than %d MB of memory, or %d MB in all; is there an "
                          "endless loop that makes tables or texts?",
                          experiment->file, LOADER_MEMORY_MB, LOADER_TRAFFIC_MB);
    const char *text = lua_tostring(L, -1);
    if (!text)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: the script stopped with an error that is not a text; write error(\"why\")",
                          experiment->file);
    /* Lua's own complaints about a symbol, in a for loop or a library function, do not know the cure. */
    const bool about_symbol = strstr(text, "got symbol") || strstr(text, "a symbol value");
    /* Lua shortens long file names to "...end"; a few of its errors, such as too deep nesting, name no place.
     */
    const char *file = experiment->file;
    const bool placed = strncmp(text, file, strlen(file)) == 0 || strncmp(text, "...", 3) == 0;
    return carom_fail(error, CAROM_BAD_INPUT, "%s%s%s%s", placed ? "" : file, placed ? "" : ": ", text,
                      about_symbol
                          ? "; a symbol has no value while the file is read, a number that shapes the model "
                            "is a setting: setting { \"n\", 3 }, and what looks at results of studies stands "
                            "in compute(function() ... end)"
                          : "");
}

static carom_status prepare(loader *load, const carom_load_request *request, const char *text,
                            carom_error *error)
{
    carom_experiment *experiment = calloc(1, sizeof *experiment);
    if (!experiment)
        return carom_fail_memory(error);
    load->request = request;
    load->experiment = experiment;
    experiment->arena = load->arena = carom_arena_create();
    experiment->graph = load->graph = carom_graph_create(0);
    if (!load->arena || !load->graph)
        return carom_fail_memory(error);
    load->kinetic = load->potential = CAROM_NO_NODE;
    experiment->gap_tolerance = experiment->t0 = experiment->h = experiment->until = CAROM_NO_VALUE;
    experiment->h_parameter = experiment->until_parameter = -1;
    const char *file = request->file ? request->file : "(text)";
    experiment->name = carom_arena_copy_plain(load->arena, request->name ? request->name : file);
    experiment->file = carom_arena_copy_text(load->arena, file);
    experiment->text = carom_arena_copy_text(load->arena, text);
    experiment->variant = request->variant ? carom_arena_copy_text(load->arena, request->variant) : NULL;
    if (!experiment->name || !experiment->file || !experiment->text)
        return carom_fail_memory(error);
    return CAROM_OK;
}

static carom_status load_once(const carom_load_request *request, const char *text,
                              const carom_variant *active, carom_experiment **out, carom_error *error)
{
    loader *load = calloc(1, sizeof *load);
    if (!load)
        return carom_fail_memory(error);
    pthread_mutex_init(&load->one_at_a_time, NULL);
    load->active_variant = active;
    carom_status status = prepare(load, request, text, error);
    lua_State *L = status == CAROM_OK ? loader_new_state(load) : NULL;
    if (status == CAROM_OK && !L)
        status = carom_fail_memory(error);
    if (status == CAROM_OK) {
        lua_pushcfunction(L, run_script);
        const int code = lua_pcall(L, 0, 0, 0);
        status = code == LUA_OK ? CAROM_OK : loader_script_error(L, code, load->experiment, error);
    }
    if (status == CAROM_OK && !request->only_names)
        status = loader_finish(load, error);
    loader_bodies_free(load->bodies); /* shapes that no model has taken */
    load->bodies = NULL;
    carom_experiment *experiment = load->experiment;
    if (status == CAROM_OK && !loader_attach_data(load))
        status = carom_fail_memory(error);
    carom_text_free(&load->data);
    load->data = (carom_text){0};
    if (status == CAROM_OK && load->messages.bytes)
        experiment->messages = carom_arena_copy_text(load->arena, load->messages.bytes);
    carom_text_free(&load->messages);
    load->messages = (carom_text){0};
    load->request = NULL;
    if (status == CAROM_OK && load->functions > 0) { /* they are called in runs: the state stays */
        experiment->script = L;
        experiment->script_ops = &loader_script;
    } else {
        if (L)
            lua_close(L);
        pthread_mutex_destroy(&load->one_at_a_time);
        free(load);
    }
    if (status == CAROM_OK)
        *out = experiment;
    else
        carom_experiment_free(experiment);
    return status;
}

static const carom_variant *find_variant(const carom_experiment *experiment, const char *name,
                                         carom_error *error)
{
    carom_text known = {0};
    for (int i = 0; i < experiment->variant_count; i++) {
        if (strcmp(experiment->variants[i].name, name) == 0) {
            carom_text_free(&known);
            return &experiment->variants[i];
        }
        carom_text_append(&known, "%s%s", i ? ", " : "", experiment->variants[i].name);
    }
    carom_fail(error, CAROM_BAD_INPUT, "%s has no variant '%s'; it has %s", experiment->file, name,
               known.bytes ? known.bytes : "none");
    carom_text_free(&known);
    return NULL;
}

/* With a variant the script runs twice: once to learn the variant's values, once with them. */
static carom_status load_variant(const carom_load_request *request, const char *text, carom_experiment **out,
                                 carom_error *error)
{
    carom_load_request plain = *request;
    plain.variant = NULL;
    plain.override_count = 0;
    carom_experiment *first = NULL;
    carom_status status = load_once(&plain, text, NULL, &first, error);
    if (status != CAROM_OK)
        return status;
    const carom_variant *variant = find_variant(first, request->variant, error);
    status = variant ? load_once(request, text, variant, out, error) : CAROM_BAD_INPUT;
    carom_experiment_free(first);
    return status;
}

carom_status carom_experiment_load(const carom_load_request *request, carom_experiment **experiment,
                                   carom_error *error)
{
    *experiment = NULL;
    char *owned = NULL;
    if (!request->text && !request->file)
        return carom_fail(error, CAROM_BAD_INPUT, "no model file: give its path (file) or its text");
    if (!request->text) {
        carom_status status = read_file(request->file, &owned, error);
        if (status != CAROM_OK)
            return status;
    }
    const char *text = request->text ? request->text : owned;
    const carom_number_format numbers = carom_numbers_begin(); /* Lua reads and compares as the locale says */
    carom_status status = request->variant ? load_variant(request, text, experiment, error)
                                           : load_once(request, text, NULL, experiment, error);
    carom_numbers_end(numbers);
    free(owned);
    if (status != CAROM_OK || !carom_units_are_given(&request->units) || request->only_names)
        return status;
    status = carom_experiment_in_units(*experiment, &request->units, error);
    if (status != CAROM_OK) {
        carom_experiment_free(*experiment);
        *experiment = NULL;
    }
    return status;
}
