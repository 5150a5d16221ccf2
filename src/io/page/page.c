/* A report page from its head to its file. */
#include "carom/io/page.h"

#include <stdlib.h>
#include <string.h>

#include "assets.h"
#include "carom/io/output.h"
#include "carom/version.h"

carom_status carom_page_can_be_made(carom_error *error)
{
    if (page_asset_template.count == 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "this carom was built without its report page, because npm was missing then; install it "
            "(Debian: apt-get install nodejs npm) and run make build again");
    return CAROM_OK;
}

carom_status carom_page_check(const char *path, carom_error *error)
{
    if (carom_page_can_be_made(error) != CAROM_OK)
        return CAROM_BAD_INPUT;
    const char *ending = strrchr(path, '.');
    if (!ending || (strcmp(ending, ".html") != 0 && strcmp(ending, ".htm") != 0))
        return carom_fail(error, CAROM_BAD_INPUT, "a report is a page: its name ends with .html; got '%s'",
                          path);
    return carom_output_try(path, error);
}

carom_status carom_page_open(carom_page *self, const char *kind, const char *title, carom_error *error)
{
    *self = (carom_page){.payload = carom_payload_create()};
    if (!self->payload)
        return carom_fail_memory(error);
    self->title = title;
    self->json.text = &self->text;
    carom_json_object_begin(&self->json, NULL);
    carom_json_number(&self->json, "format", 1.0);
    carom_json_text(&self->json, "kind", kind);
    carom_json_text(&self->json, "title", title);
    carom_json_text(&self->json, "version", CAROM_VERSION);
    return CAROM_OK;
}

void carom_page_discard(carom_page *self)
{
    carom_payload_free(self->payload);
    carom_text_free(&self->text);
    *self = (carom_page){0};
}

void carom_page_numbers(carom_page *self, const char *key, size_t count, const double *value)
{
    carom_payload_refer(&self->json, key, carom_payload_numbers(self->payload, count, value));
}

/* ---- the file -------------------------------------------------------------------------------------- */

/* Inside a script of HTML no text may end it: "<" is written as JSON allows. */
static void write_head(const carom_page *self, FILE *stream)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "title", self->title);
    carom_json_number(&json, "format", 1.0);
    carom_json_object_end(&json);
    for (const char *c = text.bytes ? text.bytes : ""; *c; c++)
        if (*c == '<')
            fputs("\\u003c", stream);
        else
            putc(*c, stream);
    carom_text_free(&text);
}

static void write_asset(const page_asset *asset, FILE *stream)
{
    fwrite(asset->bytes, 1, asset->count, stream);
}

/* What stands in the template for a part of the page. */
static carom_status write_part(const carom_page *self, const char *name, size_t length, FILE *stream,
                               carom_error *error)
{
    const page_asset *script = self->space ? &page_asset_script_space : &page_asset_script;
    if (length == 3 && memcmp(name, "css", length) == 0)
        write_asset(&page_asset_style, stream);
    else if (length == 4 && memcmp(name, "head", length) == 0)
        write_head(self, stream);
    else if (length == 4 && memcmp(name, "data", length) == 0)
        return carom_payload_write(self->payload, &self->text, stream, error);
    else if (length == 6 && memcmp(name, "script", length) == 0)
        write_asset(script, stream);
    return CAROM_OK;
}

/* The template has <!--carom:NAME--> where parts belong. */
static carom_status write_page(const carom_page *self, FILE *stream, carom_error *error)
{
    static const char mark[] = "<!--carom:", end[] = "-->";
    const char *template = (const char *)page_asset_template.bytes, *rest = template, *place;
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && (place = strstr(rest, mark))) {
        const char *name = place + strlen(mark), *behind = strstr(name, end);
        if (!behind)
            break;
        fwrite(rest, 1, (size_t)(place - rest), stream);
        status = write_part(self, name, (size_t)(behind - name), stream, error);
        rest = behind + strlen(end);
    }
    fputs(rest, stream);
    return status;
}

/* Ends the JSON. */
static carom_status complete(carom_page *self, carom_error *error)
{
    const carom_status status = carom_page_can_be_made(error);
    if (status != CAROM_OK)
        return status;
    carom_payload_describe(self->payload, &self->json);
    carom_json_object_end(&self->json);
    return self->text.failed ? carom_fail_memory(error) : CAROM_OK;
}

static carom_status write_file(carom_page *self, const char *path, carom_error *error)
{
    carom_output *output = NULL;
    carom_status status = complete(self, error);
    if (status == CAROM_OK)
        status = carom_output_open(path, false, &output, error);
    if (status == CAROM_OK)
        status = write_page(self, carom_output_stream(output), error);
    if (status == CAROM_OK)
        status = carom_output_commit(output, error);
    else
        carom_output_discard(output);
    return status;
}

carom_status carom_page_end(carom_page *self, carom_status status, const char *path, carom_error *error)
{
    if (status == CAROM_OK)
        status = write_file(self, path, error);
    carom_page_discard(self);
    return status;
}

/* A stream in memory fails only where memory is short. */
static carom_status write_memory(carom_page *self, carom_text *page, carom_error *error)
{
    char *bytes = NULL;
    size_t count = 0;
    carom_status status = complete(self, error);
    if (status != CAROM_OK)
        return status;
    FILE *stream = open_memstream(&bytes, &count);
    if (!stream)
        return carom_fail_memory(error);
    status = write_page(self, stream, error);
    const bool failed = ferror(stream) != 0, closed = fclose(stream) == 0;
    if (status == CAROM_OK && !failed && closed)
        carom_text_append_bytes(page, bytes, count);
    free(bytes);
    if (status != CAROM_OK)
        return status;
    return failed || !closed || page->failed ? carom_fail_memory(error) : CAROM_OK;
}

carom_status carom_page_end_text(carom_page *self, carom_status status, carom_text *page, carom_error *error)
{
    if (status == CAROM_OK)
        status = write_memory(self, page, error);
    carom_page_discard(self);
    return status;
}
