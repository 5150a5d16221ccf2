#define _XOPEN_SOURCE 700 /* realpath */
/* Files of data that a model names. They stand beside the model file or below its folder, and nowhere else.
 *
 * Run files, journals and sweeps read the model again from its text, perhaps where the data are not: the text of an
 * experiment has the data behind the script, as comments of Lua, and data that stand there are taken from there.
 *
 *   --[=[ carom data: quake.csv
 *   t,a
 *   0,0.0012
 *   ]=]                                                                                                          */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/parts/text_file.h"
#include "loader.h"

enum {
    DATA_LIMIT_MB = 64,  /* in all */
    BYTES_LIMIT_MB = 256 /* of one file that is not kept as it is */
};

static const char MARK[] = " carom data: ";

/* ---- data behind the script --------------------------------------------------------------------------- */

/* Reads "--[==[ carom data: NAME" at a line; the content begins behind it. NULL: something else stands there. */
static const char *content_at(const char *line, const char *name, int *level)
{
    const char *at = line + strlen("--[");
    for (*level = 0; *at == '='; at++)
        ++*level;
    if (*at++ != '[' || strncmp(at, MARK, strlen(MARK)) != 0)
        return NULL;
    at += strlen(MARK);
    if (strncmp(at, name, strlen(name)) != 0 || at[strlen(name)] != '\n')
        return NULL;
    return at + strlen(name) + 1;
}

static void write_close(char close[], size_t size, int level)
{
    snprintf(close, size, "\n]%.*s]", level, "================================");
}

enum {
    LEVEL_MAX = 32,
    CLOSE_SIZE = LEVEL_MAX + 4
};

static const char *find_attached(const char *text, const char *name, size_t *length)
{
    for (const char *line = text; line && (line = strstr(line, "\n--[")); line++) {
        int level;
        char close[CLOSE_SIZE];
        const char *content = content_at(line + 1, name, &level);
        if (!content || level > LEVEL_MAX)
            continue;
        write_close(close, sizeof close, level);
        const char *end = strstr(content, close);
        if (!end)
            continue;
        *length = (size_t)(end - content);
        return content;
    }
    return NULL;
}

static void attach(lua_State *L, const char *name, const char *content)
{
    carom_text *data = &loader_of(L)->data;
    char close[CLOSE_SIZE];
    int level = 1;
    for (write_close(close, sizeof close, level); strstr(content, close + 1);
         write_close(close, sizeof close, level))
        if (++level > LEVEL_MAX)
            loader_error(L, "the data file '%s' is no table of numbers", name);
    if (data->length + strlen(content) > (size_t)DATA_LIMIT_MB << 20)
        loader_error(L, "the data files of a model have more than %d MiB in all", DATA_LIMIT_MB);
    carom_text_append(data, "\n--[%.*s[%s%s\n", level, close + 2, MARK, name);
    carom_text_append_bytes(data, content, strlen(content));
    carom_text_append(data, "%s\n", close);
    if (data->failed)
        loader_no_memory(L);
}

bool loader_attach_data(loader *load)
{
    carom_experiment *experiment = load->experiment;
    if (load->data.length == 0)
        return true;
    const size_t script = strlen(experiment->text);
    char *all = carom_arena_take(load->arena, script + load->data.length + 1, 1);
    if (!all)
        return false;
    memcpy(all, experiment->text, script);
    memcpy(all + script, load->data.bytes, load->data.length);
    experiment->text = all;
    return true;
}

/* ---- files -------------------------------------------------------------------------------------------- */

/* Names that lead out of the folder, or to hidden files, are refused before anything is looked at. */
static void check_name(lua_State *L, const char *name)
{
    bool good = name[0] != '\0' && name[0] != '/' && strlen(name) < 512 && !strchr(name, '\\');
    for (const char *part = name; good && part; part = strchr(part, '/')) {
        part += *part == '/';
        good = *part != '.';
    }
    for (const char *c = name; good && *c; c++)
        good = (unsigned char)*c >= ' ' && *c != 127;
    if (!good)
        loader_error(L,
                     "'%.80s' is not the name of a data file: it stands beside the model file or in a folder "
                     "there, as "
                     "\"quake.csv\" or \"data/quake.csv\"",
                     name);
}

/* Is what the path leads to, links followed, in the folder? */
static bool is_inside(const char *folder, const char *path)
{
    char *real_folder = realpath(folder, NULL), *real_path = realpath(path, NULL);
    const size_t length = real_folder ? strlen(real_folder) : 0;
    const bool inside = real_folder && real_path && strncmp(real_path, real_folder, length) == 0 &&
                        (real_path[length] == '/' || (length == 1 && real_folder[0] == '/'));
    free(real_folder);
    free(real_path);
    return inside;
}

/* Bytes, or with `text` what text_file_read makes of them. */
static const char *read_beside(lua_State *L, const char *name, bool text_only, size_t *length)
{
    loader *load = loader_of(L);
    const char *model = load->experiment->file, *slash = strrchr(model, '/');
    const char *folder =
        slash ? lua_pushlstring(L, model, (size_t)(slash - model) + 1) : lua_pushliteral(L, "./");
    const char *path = slash ? lua_pushfstring(L, "%s%s", folder, name) : lua_pushstring(L, name);
    const char *text = NULL;
    const unsigned char *bytes = NULL;
    carom_error error = {0};
    const carom_status status =
        text_only ? text_file_read(load->arena, "data file", path, &text, &error)
                  : file_bytes_read(load->arena, "data file", path, BYTES_LIMIT_MB, &bytes, length, &error);
    if (status != CAROM_OK)
        loader_raise(L, "", &error);
    if (!is_inside(folder, path))
        loader_error(L, "data file '%s' is a link that leads out of the folder of the model file", name);
    lua_pop(L, 2);
    return text_only ? text : (const char *)bytes;
}

const char *loader_attached_data(lua_State *L, const char *name)
{
    const loader *load = loader_of(L);
    size_t length = 0;
    const char *attached = find_attached(load->experiment->text, name, &length);
    if (!attached && load->data.bytes)
        attached = find_attached(load->data.bytes, name, &length);
    if (!attached)
        return NULL;
    char *copy = loader_take(L, length + 1, 1);
    memcpy(copy, attached, length);
    return copy;
}

const char *loader_data_file(lua_State *L, const char *name)
{
    check_name(L, name);
    const char *text = loader_attached_data(L, name);
    if (!text) {
        text = read_beside(L, name, true, NULL);
        attach(L, name, text);
    }
    return text;
}

const char *loader_data_bytes(lua_State *L, const char *name, size_t *length)
{
    check_name(L, name);
    return read_beside(L, name, false, length);
}

void loader_keep_data(lua_State *L, const char *name, const char *text)
{
    attach(L, name, text);
}
