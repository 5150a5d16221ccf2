#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/io.h"

static carom_journal *make_journal(const char *path)
{
    carom_journal *journal = NULL;
    carom_error error = {0};
    assert_int_equal(carom_journal_create(path, "head", 4, &journal, NULL, &error), CAROM_OK);
    assert_int_equal(carom_journal_append(journal, 7, "first", 5, &error), CAROM_OK);
    assert_int_equal(carom_journal_append(journal, 8, "", 0, &error), CAROM_OK);
    assert_int_equal(carom_journal_append(journal, 9, "third record", 12, &error), CAROM_OK);
    return journal;
}

static void expect_record(carom_journal *journal, size_t index, uint32_t kind, const char *text)
{
    char bytes[64] = "";
    const carom_journal_record *record = carom_journal_at(journal, index);
    assert_non_null(record);
    assert_int_equal(record->kind, kind);
    assert_int_equal(record->count, strlen(text));
    assert_int_equal(carom_journal_read(journal, record, 0, record->count, bytes, NULL), CAROM_OK);
    assert_string_equal(bytes, text);
}

static off_t size_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_size;
}

static void records_come_back(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_journal *journal = make_journal("a.out");
    assert_int_equal(carom_journal_sync(journal, &error), CAROM_OK);
    carom_journal_close(journal, false);
    assert_true(carom_journal_exists("a.out"));
    assert_int_equal(carom_journal_open("a.out", &journal, &error), CAROM_OK);
    assert_int_equal(carom_journal_count(journal), 4);
    expect_record(journal, 0, 0, "head");
    expect_record(journal, 1, 7, "first");
    expect_record(journal, 2, 8, "");
    expect_record(journal, 3, 9, "third record");
    assert_null(carom_journal_at(journal, 4));
    assert_int_equal(carom_journal_append(journal, 10, "more", 4, &error), CAROM_OK);
    carom_journal_close(journal, false);
    assert_int_equal(carom_journal_open("a.out", &journal, &error), CAROM_OK);
    expect_record(journal, 4, 10, "more");
    carom_journal_close(journal, true);
    assert_false(carom_journal_exists("a.out"));
    assert_int_equal(carom_journal_open("a.out", &journal, &error), CAROM_BAD_INPUT);
}

/* Wherever a kill cuts the file off, the records before are there and more can be appended. */
static void a_torn_end_is_cut_off(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_journal *journal = make_journal("b.out");
    carom_journal_close(journal, false);
    for (off_t size = size_of("b.out.part") - 1; size > 0; size--) {
        carom_journal_close(make_journal("b.out"), false);
        assert_int_equal(truncate("b.out.part", size), 0);
        if (carom_journal_open("b.out", &journal, &error) != CAROM_OK) {
            assert_true(size < 8 + 16 + 4); /* the head is torn */
            continue;
        }
        const size_t whole = carom_journal_count(journal);
        assert_in_range(whole, 1, 3);
        expect_record(journal, 0, 0, "head");
        assert_int_equal(carom_journal_append(journal, 5, "again", 5, &error), CAROM_OK);
        carom_journal_close(journal, false);
        assert_int_equal(carom_journal_open("b.out", &journal, &error), CAROM_OK);
        assert_int_equal(carom_journal_count(journal), whole + 1);
        expect_record(journal, whole, 5, "again");
        carom_journal_close(journal, false);
    }
}

static void a_changed_byte_is_found(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_journal *journal = make_journal("c.out");
    carom_journal_close(journal, false);
    FILE *file = fopen("c.out.part", "r+b");
    assert_non_null(file);
    fseek(file, -3, SEEK_END);
    fputc('X', file);
    fclose(file);
    assert_int_equal(carom_journal_open("c.out", &journal, &error), CAROM_OK);
    assert_int_equal(carom_journal_count(journal), 3);
    carom_journal_close(journal, true);
}

static void one_process_at_a_time(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_journal *journal = make_journal("d.out"), *second = NULL;
    assert_int_equal(carom_journal_create("d.out", "", 0, &second, NULL, &error), CAROM_IO_ERROR);
    assert_null(second);
    assert_non_null(strstr(error.text, "another process"));
    carom_journal_close(journal, true);
    assert_int_equal(carom_journal_create("d.out", "", 0, &second, NULL, &error), CAROM_OK);
    carom_journal_close(second, true);
}

static void old_work_is_kept(void **state)
{
    (void)state;
    carom_error error = {0};
    bool kept = false;
    carom_journal *journal = make_journal("e.out");
    carom_journal_close(journal, false);
    assert_int_equal(carom_journal_create("e.out", "new", 3, &journal, &kept, &error), CAROM_OK);
    assert_true(kept);
    carom_journal_close(journal, false);
    assert_int_equal(carom_journal_open("e.out.old", &journal, &error), CAROM_OK);
    assert_int_equal(carom_journal_count(journal), 4);
    carom_journal_close(journal, false);
    assert_int_equal(carom_journal_create("e.out", "new", 3, &journal, &kept, &error), CAROM_OK);
    assert_false(kept); /* a head alone is no work */
    carom_journal_close(journal, true);
}

static void large_records_go_through(void **state)
{
    (void)state;
    enum {
        LARGE = 3000001
    };
    carom_error error = {0};
    carom_journal *journal = make_journal("f.out");
    unsigned char *bytes = malloc(LARGE), *back = malloc(LARGE);
    assert_true(bytes && back);
    for (size_t i = 0; i < LARGE; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 255);
    assert_int_equal(carom_journal_append(journal, 1, bytes, LARGE, &error), CAROM_OK);
    carom_journal_close(journal, false);
    assert_int_equal(carom_journal_open("f.out", &journal, &error), CAROM_OK);
    const carom_journal_record *record = carom_journal_at(journal, 4);
    assert_non_null(record);
    assert_int_equal(carom_journal_read(journal, record, 0, LARGE, back, &error), CAROM_OK);
    assert_memory_equal(bytes, back, LARGE);
    assert_int_not_equal(carom_journal_read(journal, record, 1, LARGE, back, &error), CAROM_OK);
    carom_journal_close(journal, true);
    free(bytes);
    free(back);
}

static void dropped_records_are_not_found(void **state)
{
    (void)state;
    enum {
        BYTES = 1 << 20
    };
    carom_error error = {0};
    char *large = calloc(1, BYTES);
    assert_non_null(large);
    memset(large, 'x', BYTES);
    carom_journal *journal = make_journal("d.out");
    uint64_t before = 0;
    for (int i = 0; i < 20; i++) {
        const uint64_t place = carom_journal_place(journal);
        large[0] = (char)('a' + i);
        assert_int_equal(carom_journal_append(journal, 11, large, BYTES, &error), CAROM_OK);
        assert_int_equal(carom_journal_append(journal, 12, "rows", 4, &error), CAROM_OK);
        assert_int_equal(carom_journal_sync(journal, &error), CAROM_OK);
        if (i > 0)
            assert_int_equal(carom_journal_drop(journal, before, &error), CAROM_OK);
        before = place;
    }
    carom_journal_close(journal, false);
    struct stat info;
    assert_int_equal(stat("d.out.part", &info), 0);
    assert_true(info.st_size > 20 * BYTES);
    if (info.st_blocks * 512 > 4 * (off_t)BYTES) /* where there are no holes */
        print_message("the file system keeps what was dropped: %ld blocks\n", (long)info.st_blocks);
    assert_int_equal(carom_journal_open("d.out", &journal, &error), CAROM_OK);
    assert_int_equal(carom_journal_count(journal), 4 + 20 + 1);
    const carom_journal_record *last = carom_journal_at(journal, 4 + 19);
    assert_int_equal(last->kind, 11);
    assert_int_equal(last->count, BYTES);
    assert_int_equal(carom_journal_read(journal, last, 0, BYTES, large, &error), CAROM_OK);
    assert_int_equal(large[0], 'a' + 19);
    assert_int_equal(carom_journal_drop(journal, last->begin, &error), CAROM_OK);
    assert_int_equal(carom_journal_drop(journal, (uint64_t)info.st_size, &error), CAROM_IO_ERROR);
    carom_journal_close(journal, false);
    assert_int_equal(carom_journal_open("d.out", &journal, &error), CAROM_OK);
    assert_int_equal(carom_journal_count(journal), 4 + 20);
    carom_journal_close(journal, true);
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(a_torn_end_is_cut_off),
        cmocka_unit_test(a_changed_byte_is_found),
        cmocka_unit_test(one_process_at_a_time),
        cmocka_unit_test(dropped_records_are_not_found),
        cmocka_unit_test(old_work_is_kept),
        cmocka_unit_test(large_records_go_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
