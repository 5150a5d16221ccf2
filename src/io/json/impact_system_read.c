/* Systems of impacts from JSON files. Jansson parses; shapes and types are checked here, and whatever is
 * wrong is told with its line, which is looked up in the text again. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "carom/io.h"
#include "json_place.h"

enum {
    LARGEST_FILE = 256 << 20,
    LARGEST_COUNT = 1 << 24, /* of coordinates or contacts */
};

/* The file in hand. */
typedef struct file_reader {
    const char *path;
    char *text;
    size_t length;
    json_t *root;
    carom_impact_file *file;
    carom_error *error;
} file_reader;

/* "system.json:3: W[2][1]: text"; row and column below 0: not in the path. */
static carom_status fail_at(const file_reader *reader, const char *key, long row, long column,
                            const char *text)
{
    char place[128];
    int length = snprintf(place, sizeof place, "%s", key);
    if (row >= 0)
        length += snprintf(place + length, sizeof place - (size_t)length, "[%ld]", row + 1);
    if (column >= 0)
        snprintf(place + length, sizeof place - (size_t)length, "[%ld]", column + 1);
    const long line = json_place_line(reader->text, reader->length, key, row, column);
    return carom_fail(reader->error, CAROM_BAD_INPUT, "%s:%ld: \"%s\": %s", reader->path, line, place, text);
}

static const char *kind_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    case JSON_INTEGER:
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "true or false";
    case JSON_NULL:
        return "null";
    }
    return "something else";
}

static carom_status fail_kind(const file_reader *reader, const char *key, long row, long column,
                              const char *wanted, const json_t *got)
{
    char text[256];
    snprintf(text, sizeof text, "needs %s; got %s", wanted, kind_of(got));
    return fail_at(reader, key, row, column, text);
}

static carom_status fail_length(const file_reader *reader, const char *key, long row, const char *what,
                                size_t wanted, size_t got)
{
    char text[256];
    snprintf(text, sizeof text, "needs %zu number%s, %s; got %zu", wanted, wanted == 1 ? "" : "s", what, got);
    return fail_at(reader, key, row, -1, text);
}

static void *take(const file_reader *reader, size_t count, size_t size)
{
    return carom_arena_take(reader->file->arena, count, size);
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static carom_status read_stream(file_reader *reader, FILE *stream)
{
    carom_text text = {0};
    char piece[65536];
    size_t got = 0;
    while ((got = fread(piece, 1, sizeof piece, stream)) > 0 && text.length <= LARGEST_FILE)
        carom_text_append_bytes(&text, piece, got);
    carom_status status = CAROM_OK;
    if (ferror(stream))
        status =
            carom_fail(reader->error, CAROM_BAD_INPUT, "cannot read '%s': %s", reader->path, strerror(errno));
    else if (text.length > LARGEST_FILE)
        status = carom_fail(reader->error, CAROM_BAD_INPUT, "%s is larger than 256 MiB", reader->path);
    else if (text.failed)
        status = carom_fail_memory(reader->error);
    if (status != CAROM_OK) {
        carom_text_free(&text);
        return status;
    }
    reader->text = text.bytes;
    reader->length = text.length;
    return CAROM_OK;
}

static carom_status read_text(file_reader *reader)
{
    errno = 0;
    struct stat about;
    if (stat(reader->path, &about) == 0 && S_ISFIFO(about.st_mode)) /* it would be waited for */
        return carom_fail(reader->error, CAROM_BAD_INPUT, "cannot read '%s': it is a pipe, not a file",
                          reader->path);
    FILE *stream = fopen(reader->path, "rb");
    if (!stream)
        return carom_fail(reader->error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                          "cannot read '%s': %s", reader->path, strerror(errno));
    const carom_status status = read_stream(reader, stream);
    fclose(stream);
    return status;
}

static carom_status parse(file_reader *reader)
{
    static const char right[] = "{\"M\": [...], \"W\": [[...]], \"velocity\": [...], \"restitution\": 0.5}";
    json_error_t error = {0};
    if (reader->length == 0)
        return carom_fail(reader->error, CAROM_BAD_INPUT, "%s is empty; it should hold %s", reader->path,
                          right);
    errno = 0; /* Jansson takes a refusal of memory inside a text for a mistake in it */
    /* Numbers are real even when they look whole: there is no largest one but DBL_MAX. */
    reader->root = json_loadb(reader->text, reader->length,
                              JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL | JSON_DECODE_ANY, &error);
    if (!reader->root && errno == ENOMEM)
        return carom_fail_memory(reader->error);
    if (!reader->root)
        return carom_fail(reader->error, CAROM_BAD_INPUT, "%s:%d: not JSON: %s (column %d)", reader->path,
                          error.line, error.text, error.column);
    if (!json_is_object(reader->root))
        return carom_fail(reader->error, CAROM_BAD_INPUT, "%s:1: needs an object such as %s; got %s",
                          reader->path, right, kind_of(reader->root));
    return CAROM_OK;
}

static carom_status check_keys(const file_reader *reader)
{
    static const char *const known[] = {"M",    "W",         "velocity", "restitution",
                                        "rate", "stiffness", "exponent", "names"};
    const size_t count = sizeof known / sizeof *known;
    const char *key;
    json_t *value;
    json_object_foreach(reader->root, key, value)
    {
        bool is_known = false;
        for (size_t i = 0; i < count; i++)
            is_known = is_known || strcmp(key, known[i]) == 0;
        if (is_known)
            continue;
        carom_error inner = {0};
        char shown[64];
        snprintf(shown, sizeof shown, "%.60s", key);
        carom_fail_unknown("key", shown, known, count, &inner);
        return carom_fail(reader->error, CAROM_BAD_INPUT, "%s:%ld: %s", reader->path,
                          json_place_line(reader->text, reader->length, key, -1, -1), inner.text);
    }
    for (size_t i = 0; i < 2; i++)
        if (!json_object_get(reader->root, known[i]))
            return carom_fail(reader->error, CAROM_BAD_INPUT, "%s: the key \"%s\" is missing: %s",
                              reader->path, known[i],
                              i == 0 ? "the mass matrix, [[...]] or the diagonal [...]"
                                     : "contact directions, a row per coordinate, a column per contact");
    return CAROM_OK;
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* One list of numbers, in a key (row < 0) or a row of it. */
static carom_status read_numbers(const file_reader *reader, const char *key, long row, const json_t *list,
                                 size_t count, const char *what, double *numbers)
{
    if (!json_is_array(list))
        return fail_kind(reader, key, row, -1, "an array of numbers", list);
    if (json_array_size(list) != count)
        return fail_length(reader, key, row, what, count, json_array_size(list));
    for (size_t i = 0; i < count; i++) {
        const json_t *value = json_array_get(list, i);
        if (!json_is_number(value))
            return row < 0 ? fail_kind(reader, key, (long)i, -1, "a number", value)
                           : fail_kind(reader, key, row, (long)i, "a number", value);
        numbers[i] = json_number_value(value);
    }
    return CAROM_OK;
}

static carom_status read_rows(const file_reader *reader, const char *key, const json_t *rows, size_t count,
                              size_t width, const char *what, double *numbers)
{
    for (size_t i = 0; i < count; i++) {
        const carom_status status =
            read_numbers(reader, key, (long)i, json_array_get(rows, i), width, what, numbers + i * width);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static carom_status read_mass(file_reader *reader)
{
    carom_impact *impact = &reader->file->impact;
    const json_t *mass = json_object_get(reader->root, "M");
    if (!json_is_array(mass))
        return fail_kind(reader, "M", -1, -1, "a square matrix [[...]] or its diagonal [...]", mass);
    const size_t n = json_array_size(mass);
    if (n == 0 || n > LARGEST_COUNT)
        return fail_at(reader, "M", -1, -1, n == 0 ? "is empty: there must be a coordinate" : "is too long");
    impact->coordinates = (int)n;
    const bool is_full = json_is_array(json_array_get(mass, 0));
    /* A full matrix of n rows has n entries in its first one: nothing is taken for a promise. */
    if (is_full && json_array_size(json_array_get(mass, 0)) != n)
        return fail_length(reader, "M", 0, "as many as there are rows", n,
                           json_array_size(json_array_get(mass, 0)));
    if (is_full && (double)n * (double)n > LARGEST_FILE)
        return fail_at(reader, "M", -1, -1, "is too large");
    double *numbers = take(reader, is_full ? n * n : n, sizeof *numbers);
    if (!numbers)
        return carom_fail_memory(reader->error);
    if (!is_full) {
        impact->masses = numbers;
        return read_numbers(reader, "M", -1, mass, n, "one per coordinate", numbers);
    }
    impact->mass = numbers;
    return read_rows(reader, "M", mass, n, n, "as many as there are rows", numbers);
}

static carom_status store_columns(const file_reader *reader, const double *dense)
{
    carom_impact *impact = &reader->file->impact;
    const size_t entries = (size_t)impact->coordinates * (size_t)impact->contacts;
    int *start = take(reader, (size_t)impact->contacts + 1, sizeof *start);
    int *row = take(reader, entries, sizeof *row);
    double *value = take(reader, entries, sizeof *value);
    if (!start || !row || !value)
        return carom_fail_memory(reader->error);
    carom_impact_columns(impact->coordinates, impact->contacts, dense, start, row, value);
    impact->column_start = start;
    impact->row = row;
    impact->value = value;
    for (int j = 0; j < impact->contacts; j++)
        if (start[j] == start[j + 1]) {
            char text[96];
            snprintf(text, sizeof text, "column %d is zero: this contact has no direction", j + 1);
            return fail_at(reader, "W", -1, -1, text);
        }
    return CAROM_OK;
}

static carom_status read_directions(file_reader *reader)
{
    carom_impact *impact = &reader->file->impact;
    const json_t *rows = json_object_get(reader->root, "W");
    const size_t n = (size_t)impact->coordinates;
    if (!json_is_array(rows))
        return fail_kind(reader, "W", -1, -1, "an array of rows, one per coordinate", rows);
    if (json_array_size(rows) != n) {
        char text[128];
        snprintf(text, sizeof text, "needs %zu row%s, one per coordinate of M; got %zu", n, n == 1 ? "" : "s",
                 json_array_size(rows));
        return fail_at(reader, "W", -1, -1, text);
    }
    const json_t *first = json_array_get(rows, 0);
    if (!json_is_array(first))
        return fail_kind(reader, "W", 0, -1, "an array, a number per contact", first);
    const size_t contacts = json_array_size(first);
    if (contacts == 0 || contacts > LARGEST_COUNT)
        return fail_at(reader, "W", 0, -1,
                       contacts == 0 ? "is empty: no contact, nothing to compute" : "is too long");
    /* A file of 256 MiB cannot hold so many; rows that are shorter than the first are told below. */
    if ((double)n * (double)contacts > LARGEST_FILE)
        return fail_at(reader, "W", -1, -1, "is too large");
    impact->contacts = (int)contacts;
    double *dense = carom_new_array(carom_product(n, contacts), sizeof *dense);
    if (!dense)
        return carom_fail_memory(reader->error);
    carom_status status =
        read_rows(reader, "W", rows, n, contacts, "as many as in the first row, one per contact", dense);
    if (status == CAROM_OK)
        status = store_columns(reader, dense);
    free(dense);
    return status;
}

/* A list of `count` numbers, or one number for all; *numbers stays NULL when the key is not there. */
static carom_status read_list(const file_reader *reader, const char *key, int count, const char *what,
                              bool one_for_all, const double **numbers)
{
    const json_t *value = json_object_get(reader->root, key);
    if (!value)
        return CAROM_OK;
    double *list = take(reader, (size_t)count, sizeof *list);
    if (!list)
        return carom_fail_memory(reader->error);
    *numbers = list;
    if (!one_for_all || json_is_array(value))
        return read_numbers(reader, key, -1, value, (size_t)count, what, list);
    if (!json_is_number(value))
        return fail_kind(reader, key, -1, -1, "a number or an array of numbers", value);
    for (int i = 0; i < count; i++)
        list[i] = json_number_value(value);
    return CAROM_OK;
}

static carom_status read_names(const file_reader *reader)
{
    const json_t *names = json_object_get(reader->root, "names");
    const size_t count = (size_t)reader->file->impact.contacts;
    if (!names)
        return CAROM_OK;
    if (!json_is_array(names))
        return fail_kind(reader, "names", -1, -1, "an array of texts, one per contact", names);
    if (json_array_size(names) != count) {
        char text[128];
        snprintf(text, sizeof text, "needs %zu text%s, one per contact; got %zu", count,
                 count == 1 ? "" : "s", json_array_size(names));
        return fail_at(reader, "names", -1, -1, text);
    }
    reader->file->contact = take(reader, count, sizeof *reader->file->contact);
    for (size_t i = 0; reader->file->contact && i < count; i++) {
        const json_t *name = json_array_get(names, i);
        if (!json_is_string(name))
            return fail_kind(reader, "names", (long)i, -1, "a text", name);
        if (!carom_is_plain(json_string_value(name)))
            return fail_at(reader, "names", (long)i, -1, "a name cannot hold control characters");
        reader->file->contact[i] = carom_arena_copy_text(reader->file->arena, json_string_value(name));
        if (!reader->file->contact[i])
            return carom_fail_memory(reader->error);
    }
    return reader->file->contact ? CAROM_OK : carom_fail_memory(reader->error);
}

static carom_status read_values(file_reader *reader)
{
    static const char per_contact[] = "one per contact";
    carom_impact *impact = &reader->file->impact;
    carom_status status = read_mass(reader);
    if (status == CAROM_OK)
        status = read_directions(reader);
    if (status == CAROM_OK)
        status = read_list(reader, "velocity", impact->coordinates, "one per coordinate", false,
                           &impact->velocity);
    if (status == CAROM_OK)
        status = read_list(reader, "restitution", impact->contacts, per_contact, true, &impact->restitution);
    if (status == CAROM_OK)
        status = read_list(reader, "rate", impact->contacts, per_contact, true, &impact->rate);
    if (status == CAROM_OK)
        status = read_list(reader, "stiffness", impact->contacts, per_contact, true, &impact->stiffness);
    if (status == CAROM_OK)
        status = read_list(reader, "exponent", impact->contacts, per_contact, true, &impact->exponent);
    return status == CAROM_OK ? read_names(reader) : status;
}

carom_status carom_impact_file_read(const char *path, carom_impact_file **file, carom_error *error)
{
    *file = NULL;
    carom_arena *arena = carom_arena_create();
    carom_impact_file *made = arena ? carom_arena_take(arena, 1, sizeof *made) : NULL;
    if (!made) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    made->arena = arena;
    file_reader reader = {.path = path, .file = made, .error = error};
    carom_status status = read_text(&reader);
    if (status == CAROM_OK)
        status = parse(&reader);
    if (status == CAROM_OK)
        status = check_keys(&reader);
    if (status == CAROM_OK)
        status = read_values(&reader);
    json_decref(reader.root);
    free(reader.text);
    if (status == CAROM_OK)
        *file = made;
    else
        carom_arena_free(arena);
    return status;
}

void carom_impact_file_free(carom_impact_file *file)
{
    if (file)
        carom_arena_free(file->arena);
}
