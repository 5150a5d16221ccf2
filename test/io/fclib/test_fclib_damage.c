/* Files that were cut short or have wrong bytes: read, or refused with a message; never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "fclib_files.h"

enum {
    SIZE_MAX_BYTES = 1 << 17,
    FLIPPED_FILES = 300,
    FLIPS = 4
};

typedef struct file_bytes {
    size_t size;
    unsigned char byte[SIZE_MAX_BYTES];
} file_bytes;

static void load(const char *path, file_bytes *bytes)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    bytes->size = fread(bytes->byte, 1, SIZE_MAX_BYTES, stream);
    assert_true(bytes->size > 0 && bytes->size < SIZE_MAX_BYTES);
    fclose(stream);
}

static void expect_status(const unsigned char *byte, size_t size, bool must_fail)
{
    carom_error error = {0};
    carom_fclib *problem = NULL;
    unlink("damaged.hdf5"); /* some file systems wait for the disk when a file is written over */
    FILE *stream = fopen("damaged.hdf5", "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(byte, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
    const carom_status status = carom_fclib_read("damaged.hdf5", &problem, &error);
    assert_true(status == CAROM_BAD_INPUT || (status == CAROM_OK && !must_fail));
    if (status != CAROM_OK)
        assert_non_null(strstr(error.text, "damaged.hdf5"));
    carom_fclib_free(problem);
}

static void cut_everywhere(carom_fclib *problem)
{
    static file_bytes bytes;
    write_problem("whole.hdf5", problem);
    load("whole.hdf5", &bytes);
    expect_status(bytes.byte, bytes.size, false);
    for (size_t size = 0; size < bytes.size; size += 64)
        expect_status(bytes.byte, size, true);
    expect_status(bytes.byte, bytes.size - 1, true);
}

static void files_cut_short_are_refused(void **state)
{
    (void)state;
    cut_everywhere(local_problem(1, 3, 2, 1, true));
    cut_everywhere(global_problem(1, 2, 2, 5, 1, true));
}

static void flip(carom_fclib *problem, uint64_t seed)
{
    static file_bytes bytes, damaged;
    carom_random random = {seed};
    write_problem("whole.hdf5", problem);
    load("whole.hdf5", &bytes);
    for (int k = 0; k < FLIPPED_FILES; k++) {
        damaged = bytes;
        for (int i = 0; i < 1 + k % FLIPS; i++) {
            const size_t place = (size_t)carom_random_uniform(&random, 0.0, (double)bytes.size) % bytes.size;
            damaged.byte[place] = (unsigned char)carom_random_uniform(&random, 0.0, 256.0);
        }
        expect_status(damaged.byte, damaged.size, false);
    }
}

static void wrong_bytes_do_no_harm(void **state)
{
    (void)state;
    flip(local_problem(1, 3, 2, 1, true), 1);
    flip(global_problem(1, 3, 2, 5, 1, true), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_cut_short_are_refused),
        cmocka_unit_test(wrong_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
