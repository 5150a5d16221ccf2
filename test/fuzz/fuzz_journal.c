/* Any bytes as a journal, and as the head of one that is whole, which says what was asked: they are read or refused. The
 * checksum of a record keeps out what was damaged later, so that only the second way reaches the head. */
#include <unistd.h>

#include "app/command.h"
#include "app/resumed.h"
#include "fuzz.h"

/* Journals are read without the options of the program. */
carom_units given_units(void)
{
    return (carom_units){0};
}

static const char *const output = "run.h5", *const journal_file = "run.h5.part";

static void write_seeds(const char *directory)
{
    char path[1024], words[3][20] = {"run", "ball.lua", "--out"}, *argv[] = {words[0], words[1], words[2]};
    char name[] = "ball", text[] = "mass(1)", scheme[] = "elast";
    carom_experiment experiment = {.name = name, .file = words[1], .text = text};
    carom_override e = {words[0], words[1]};
    const run_again again = {.scheme = scheme, .override_count = 1, .override = &e, .h = 0.1};
    for (int k = 0; k < 2; k++) {
        carom_snapshot head = {0};
        carom_journal *journal = NULL;
        fuzz_expect(resumed_head_pack("--out", 3, argv, &experiment, k ? &again : NULL, &head, NULL) ==
                    CAROM_OK);
        snprintf(path, sizeof path, "%s/head-%d", directory, k);
        fuzz_write(path, head.bytes, head.length);
        snprintf(path, sizeof path, "%s/journal-%d", directory, k);
        fuzz_expect(carom_journal_create(path, head.bytes, head.length, &journal, NULL, NULL) == CAROM_OK);
        fuzz_expect(carom_journal_append(journal, 1, "rows", 4, NULL) == CAROM_OK);
        carom_journal_close(journal, false);
        carom_snapshot_free(&head);
    }
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count, (void)words;
    if (getenv("CAROM_FUZZ_SEEDS"))
        write_seeds(getenv("CAROM_FUZZ_SEEDS"));
    return 0;
}

/* What was read is all there. */
static size_t look_at(const resumed_command *from)
{
    size_t letters = strlen(from->version) + strlen(from->output) + strlen(from->text);
    for (int i = 0; i < from->argc; i++)
        letters += strlen(from->argv[i]);
    for (int i = 0; i < from->again.override_count; i++)
        letters += strlen(from->again.override[i].name) + strlen(from->again.override[i].value);
    for (int i = 0; i < from->again.option_count; i++)
        letters += strlen(from->again.option[i].name) + strlen(from->again.option[i].value);
    return letters;
}

static void read_all(carom_journal *journal)
{
    for (size_t i = 0; i < carom_journal_count(journal); i++) {
        const carom_journal_record *record = carom_journal_at(journal, i);
        unsigned char *bytes = malloc(record->count + 1);
        fuzz_expect(bytes && carom_journal_read(journal, record, 0, record->count, bytes, NULL) == CAROM_OK);
        fuzz_expect(carom_journal_read(journal, record, 1, record->count, bytes, NULL) != CAROM_OK);
        free(bytes);
    }
}

static void try_to_resume(void)
{
    resumed_command from;
    carom_error error = {0};
    const carom_status status = resumed_open(output, &from, &error);
    fuzz_expect(status == CAROM_OK || (status == CAROM_BAD_INPUT && carom_is_plain(error.text)));
    if (status == CAROM_OK)
        fuzz_expect(look_at(&from) > 0);
    if (from.journal)
        read_all(from.journal);
    resumed_free(&from);
    unlink(journal_file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    carom_journal *journal = NULL;
    fuzz_write(journal_file, bytes, size);
    try_to_resume();
    fuzz_expect(carom_journal_create(output, bytes, size, &journal, NULL, NULL) == CAROM_OK);
    carom_journal_close(journal, false);
    try_to_resume();
    return 0;
}
