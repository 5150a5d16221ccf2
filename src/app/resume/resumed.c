#include "app/resumed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/version.h"

/* ---- packing: one function for both ways -------------------------------------------------------------------- */

static const uint64_t no_text = UINT64_MAX;

static void pack_text(carom_snapshot *snapshot, carom_arena *arena, char **text)
{
    uint64_t length = *text ? strlen(*text) : no_text;
    carom_snapshot_block(snapshot, &length, sizeof length);
    if (snapshot->failed)
        return;
    if (snapshot->restores) {
        *text = NULL;
        if (length == no_text)
            return;
        *text = length <= snapshot->length ? carom_arena_take(arena, (size_t)length + 1, 1) : NULL;
        if (!*text) {
            snapshot->failed = true;
            return;
        }
    }
    if (*text)
        carom_snapshot_block(snapshot, *text, (size_t)length);
}

/* A text that is always there. */
static void pack_word(carom_snapshot *snapshot, carom_arena *arena, char **text)
{
    pack_text(snapshot, arena, text);
    snapshot->failed = snapshot->failed || !*text;
}

/* A byte that is neither 0 nor 1 is no bool, and must not become one. */
static void pack_flag(carom_snapshot *snapshot, bool *flag)
{
    unsigned char byte = snapshot->restores ? 0 : *flag;
    carom_snapshot_block(snapshot, &byte, sizeof byte);
    snapshot->failed = snapshot->failed || byte > 1;
    *flag = byte == 1;
}

/* The length of a list, which is no longer than the bytes are. */
static int pack_count(carom_snapshot *snapshot, int *count)
{
    carom_snapshot_block(snapshot, count, sizeof *count);
    if (snapshot->restores && (*count < 0 || (size_t)*count > snapshot->length))
        snapshot->failed = true;
    return snapshot->failed ? 0 : *count;
}

static void pack_overrides(carom_snapshot *snapshot, carom_arena *arena, int *count, carom_override **list)
{
    const int length = pack_count(snapshot, count);
    if (snapshot->restores)
        *list = carom_arena_take(arena, (size_t)length, sizeof **list);
    for (int i = 0; *list && i < length; i++) {
        pack_word(snapshot, arena, &(*list)[i].name);
        pack_word(snapshot, arena, &(*list)[i].value);
    }
    snapshot->failed = snapshot->failed || (length > 0 && !*list);
}

static void pack(resumed_command *self, carom_snapshot *snapshot)
{
    pack_word(snapshot, self->arena, &self->version);
    pack_text(snapshot, self->arena, &self->directory);
    pack_word(snapshot, self->arena, &self->output);
    const int argc = pack_count(snapshot, &self->argc);
    if (snapshot->restores)
        self->argv = carom_arena_take(self->arena, (size_t)argc + 1, sizeof *self->argv);
    for (int i = 0; self->argv && i < argc; i++)
        pack_word(snapshot, self->arena, &self->argv[i]);
    char **const text[] = {&self->name, &self->file, &self->text, &self->variant, &self->again.scheme};
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        pack_text(snapshot, self->arena, text[i]);
    pack_flag(snapshot, &self->is_again);
    pack_overrides(snapshot, self->arena, &self->again.override_count, &self->again.override);
    pack_overrides(snapshot, self->arena, &self->again.option_count, &self->again.option);
    carom_snapshot_block(snapshot, &self->again.h, sizeof self->again.h);
    carom_snapshot_block(snapshot, &self->again.until, sizeof self->again.until);
    pack_flag(snapshot, &self->again.has_family);
    snapshot->failed = snapshot->failed || (argc > 0 && !self->argv);
}

carom_status resumed_head_pack(const char *output, int argc, char **argv, const carom_experiment *experiment,
                               const run_again *again, carom_snapshot *head, carom_error *error)
{
    char version[] = CAROM_VERSION, option[64];
    snprintf(option, sizeof option, "%s", output);
    char *directory = getcwd(NULL, 0);
    resumed_command self = {.version = version,
                            .directory = directory,
                            .output = option,
                            .argc = argc,
                            .argv = argv,
                            .name = experiment->name,
                            .file = experiment->file,
                            .text = experiment->text,
                            .variant = experiment->variant,
                            .is_again = again != NULL};
    if (again)
        self.again = *again;
    pack(&self, head);
    free(directory);
    return head->failed ? carom_fail_memory(error) : CAROM_OK;
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

static carom_status read_head(resumed_command *from, const char *path, carom_error *error)
{
    const carom_journal_record *record = carom_journal_at(from->journal, 0);
    void *bytes = carom_arena_take(from->arena, record->count, 1);
    if (!bytes)
        return carom_fail_memory(error);
    carom_status status = carom_journal_read(from->journal, record, 0, record->count, bytes, error);
    if (status != CAROM_OK)
        return status;
    carom_snapshot snapshot = carom_snapshot_of(bytes, record->count);
    pack(from, &snapshot);
    if (snapshot.failed || from->argc < 1 || !from->text)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "'%s.part' does not say what was asked: nothing can be resumed", path);
    if (strcmp(from->version, CAROM_VERSION) != 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "'%s.part' was written by carom %s, and this is %s: resume it with the same program, or begin "
            "anew",
            path, from->version, CAROM_VERSION);
    return CAROM_OK;
}

carom_status resumed_from_bytes(const void *bytes, size_t count, resumed_command *from, carom_error *error)
{
    *from = (resumed_command){.arena = carom_arena_create(), .is_silent = true};
    if (!from->arena)
        return carom_fail_memory(error);
    carom_snapshot snapshot = carom_snapshot_of(bytes, count);
    pack(from, &snapshot);
    const bool is_read = !snapshot.failed && from->argc >= 1 && from->text;
    if (is_read && strcmp(from->version, CAROM_VERSION) == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the first process is another program than this one, carom %s: start the same one "
                      "everywhere",
                      CAROM_VERSION);
}

carom_status resumed_open(const char *path, resumed_command *from, carom_error *error)
{
    *from = (resumed_command){.arena = carom_arena_create()};
    if (!from->arena)
        return carom_fail_memory(error);
    const carom_status status = carom_journal_open(path, &from->journal, error);
    return status == CAROM_OK ? read_head(from, path, error) : status;
}

void resumed_free(resumed_command *from)
{
    carom_journal_close(from->journal, false);
    carom_arena_free(from->arena);
    *from = (resumed_command){0};
}

carom_status resumed_load(const resumed_command *from, int override_count, const carom_override *override,
                          carom_experiment **experiment, carom_error *error)
{
    const carom_load_request request = {
        .name = from->name,
        .file = from->file,
        .text = from->text,
        .variant = from->variant && *from->variant ? from->variant : NULL,
        .override_count = from->is_again ? from->again.override_count : override_count,
        .override = from->is_again ? from->again.override : override,
        .units = given_units(),
    };
    const carom_status status = carom_experiment_load(&request, experiment, error);
    if (status == CAROM_OK && (*experiment)->messages && !from->is_silent)
        fputs((*experiment)->messages, stderr);
    return status;
}

carom_status journal_for(const char *output, const char *path, resumed_command *from, int argc, char **argv,
                         const carom_experiment *experiment, const run_again *again, carom_journal **journal,
                         carom_error *error)
{
    *journal = from ? from->journal : NULL;
    if (from) {
        from->journal = NULL;
        return CAROM_OK;
    }
    carom_snapshot head = {0};
    bool kept_old = false;
    carom_status status = resumed_head_pack(output, argc, argv, experiment, again, &head, error);
    if (status == CAROM_OK)
        status = carom_journal_create(path, head.bytes, head.length, journal, &kept_old, error);
    if (status == CAROM_OK && kept_old)
        fprintf(stderr, "carom: an unfinished run of %s is kept as %s.old.part (carom resume %s.old)\n", path,
                path, path);
    carom_snapshot_free(&head);
    return status;
}
