/* What a reader makes of files that are damaged, truncated or no run files at all. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_files.h"

static void write_bytes(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

static void expect_bad_input(const char *path, const char *part_of_message)
{
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_BAD_INPUT);
    assert_null(run);
    assert_non_null(strstr(error.text, path));
    if (!strstr(error.text, part_of_message))
        fail_msg("%s: not '%s'", error.text, part_of_message);
}

static void test_files_that_are_no_run_files(void **state)
{
    (void)state;
    expect_bad_input(in_folder(0, "missing.h5"), "No such file");
    const char *path = in_folder(0, "text.h5");
    write_bytes(path, (const unsigned char *)"t,x\n0,1\n", 8);
    expect_bad_input(path, "not HDF5");
    write_bytes(path, (const unsigned char *)"", 0);
    expect_bad_input(path, "not HDF5");
    expect_bad_input(folder, "not a regular file");
    assert_int_equal(carom_run_file_read(path, &(carom_run_file *){NULL}, NULL), CAROM_BAD_INPUT);
}

/* Each edit damages a good file in one way. */
typedef void file_edit(hid_t file);

static void remove_format(hid_t file)
{
    H5Adelete(file, "format");
}
static void remove_name(hid_t file)
{
    H5Adelete(file, "name");
}
static void remove_model(hid_t file)
{
    H5Ldelete(file, "model", H5P_DEFAULT);
}
static void remove_main(hid_t file)
{
    H5Ldelete(file, "main", H5P_DEFAULT);
}
static void remove_parameters(hid_t file)
{
    H5Ldelete(file, "family/0/parameters", H5P_DEFAULT);
}
static void remove_velocities(hid_t file)
{
    H5Ldelete(file, "main/series/v", H5P_DEFAULT);
}
static void remove_gaps(hid_t file)
{
    H5Ldelete(file, "main/series/gap", H5P_DEFAULT);
}
static void remove_step(hid_t file)
{
    H5Adelete_by_name(file, "main", "h", H5P_DEFAULT);
}
static void replace_series_by_soft_link(hid_t file)
{
    H5Ldelete(file, "main/series/q", H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "main/series/q", H5P_DEFAULT, H5P_DEFAULT);
}
static void exchange_gap_and_energy(hid_t file)
{
    H5Lmove(file, "main/series/gap", file, "main/series/x", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "main/series/energy", file, "main/series/gap", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "main/series/x", file, "main/series/energy", H5P_DEFAULT, H5P_DEFAULT);
}
static void exchange_gap_and_branch(hid_t file)
{
    H5Lmove(file, "main/series/gap", file, "main/series/x", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "main/series/branch", file, "main/series/gap", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "main/series/x", file, "main/series/branch", H5P_DEFAULT, H5P_DEFAULT);
}
static void give_velocities_of_other_width(hid_t file)
{
    H5Ldelete(file, "main/series/v", H5P_DEFAULT);
    H5Lcreate_hard(file, "main/series/record", file, "main/series/v", H5P_DEFAULT, H5P_DEFAULT);
}
static void claim_many_rows(hid_t file)
{
    const hsize_t extent[2] = {(hsize_t)1 << 50, 2};
    hid_t dataset = H5Dopen2(file, "main/series/q", H5P_DEFAULT);
    H5Dset_extent(dataset, extent);
    H5Dclose(dataset);
}
static void put_scalar_attribute(hid_t file, const char *group, const char *name, hid_t type,
                                 const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    H5Adelete_by_name(file, group, name, H5P_DEFAULT);
    hid_t attribute =
        H5Acreate_by_name(file, group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    H5Sclose(space);
}
static void make_step_a_text(hid_t file)
{
    put_scalar_attribute(file, "main", "h", H5T_C_S1, "x");
}
static void make_status_a_number(hid_t file)
{
    put_scalar_attribute(file, "main", "status", H5T_NATIVE_INT, &(int){1});
}
static void make_format_two(hid_t file)
{
    put_scalar_attribute(file, "/", "format", H5T_NATIVE_INT, &(int){2});
}
static void make_parameter_a_reference(hid_t file)
{
    hobj_ref_t reference = 0;
    put_scalar_attribute(file, "main/parameters", "e", H5T_STD_REF_OBJ, &reference);
}

static void remove_columns_of_events(hid_t file)
{
    H5Adelete_by_name(file, "main/events", "columns", H5P_DEFAULT);
}
static void give_events_other_columns(hid_t file)
{
    put_scalar_attribute(file, "main/events", "columns", H5T_NATIVE_INT, &(int){2});
}
static void put_point(hid_t file, size_t place, double value)
{
    double row[POINTS_MAX];
    hid_t dataset = H5Dopen2(file, "main/events/points", H5P_DEFAULT);
    H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, row);
    row[place] = value;
    H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, row);
    H5Dclose(dataset);
}
static void name_an_unknown_kind(hid_t file)
{
    put_point(file, 1, 6.0);
}
static void name_an_unknown_contact(hid_t file)
{
    put_point(file, 2, 2.0);
}
static void name_half_a_contact(hid_t file)
{
    put_point(file, 2, 0.5);
}
static void make_events_a_series(hid_t file)
{
    H5Ldelete(file, "main/events/points", H5P_DEFAULT);
    H5Lcreate_hard(file, "main/series/q", file, "main/events/points", H5P_DEFAULT, H5P_DEFAULT);
}
static void give_events_another_length(hid_t file)
{
    H5Ldelete(file, "main/events/points", H5P_DEFAULT);
    H5Lcreate_hard(file, "main/series/t", file, "main/events/points", H5P_DEFAULT, H5P_DEFAULT);
}

static void test_damaged_files_are_refused_with_the_reason(void **state)
{
    (void)state;
    const struct {
        file_edit *edit;
        const char *message;
    } cases[] = {
        {remove_format, "/format"},
        {remove_name, "/name"},
        {remove_model, "/model"},
        {remove_main, "/main"},
        {remove_parameters, "/family/0/parameters"},
        {remove_velocities, "/main/v: the dataset is missing"},
        {remove_gaps, "shape does not fit"},
        {remove_step, "/main/h"},
        {replace_series_by_soft_link, "/main/q"},
        {exchange_gap_and_energy, "dimensions"},
        {exchange_gap_and_branch, "does not hold doubles"},
        {give_velocities_of_other_width, "/main/v"},
        {claim_many_rows, "more than the file has"},
        {make_step_a_text, "/main/h: is not a number"},
        {make_status_a_number, "/main/status"},
        {make_format_two, "format 2"},
        {make_parameter_a_reference, "/main/e"},
        {remove_columns_of_events, "/main/columns"},
        {give_events_other_columns, "not those of the series"},
        {name_an_unknown_kind, "a kind or contact does not exist"},
        {name_an_unknown_contact, "a kind or contact does not exist"},
        {name_half_a_contact, "a kind or contact does not exist"},
        {make_events_a_series, "/main/events/points: is not a list"},
        {give_events_another_length, "/main/events/points: its length"},
    };
    const char *path = in_folder(0, "run.h5");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(path, 2, 3);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0);
        cases[i].edit(file);
        H5Fclose(file);
        expect_bad_input(path, cases[i].message);
    }
}

/* A run that was killed between two datasets: the rows that all have are kept. */
static void test_uneven_lengths_keep_the_shortest(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    write_file(path, 2, 3);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t extent[2] = {1024, 2};
    hid_t dataset = H5Dopen2(file, "main/series/branch", H5P_DEFAULT);
    H5Dset_extent(dataset, extent);
    H5Dclose(dataset);
    H5Fclose(file);
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    check_rows(&run->main.series, -1, 1024);
    carom_run_file_free(run);
}

static void test_truncated_files_are_refused(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5"), *copy = in_folder(1, "copy.h5");
    write_file(path, 2, 3);
    size_t size = 0;
    unsigned char *bytes = read_bytes(path, &size);
    for (size_t length = 0; length < size; length += length < 4096 ? 61 : 6007) {
        write_bytes(copy, bytes, length);
        expect_bad_input(copy, "");
    }
    write_bytes(copy, bytes, size - 1);
    expect_bad_input(copy, "");
    free(bytes);
}

static void put_byte(FILE *stream, size_t place, unsigned char byte)
{
    if (fseek(stream, (long)place, SEEK_SET) != 0 || fputc(byte, stream) == EOF || fflush(stream) != 0)
        _exit(2);
}

/* Reads a file again and again with one byte changed, in the dense part of the metadata and anywhere. Returns
 * how often it was refused. */
static int read_with_changed_bytes(const char *path, int tries)
{
    size_t size = 0;
    int refused = 0;
    unsigned char *bytes = read_bytes(path, &size);
    FILE *stream = fopen(path, "r+b");
    carom_random random = {20240607};
    for (int i = 0; i < tries; i++) {
        size_t place = (size_t)carom_random_uniform(&random, 0.0, i % 2 ? 20000.0 : (double)size);
        int change = (int)carom_random_uniform(&random, 1.0, 256.0);
        put_byte(stream, place, (unsigned char)(bytes[place] ^ change));
        carom_error error = {0};
        carom_run_file *run = NULL;
        carom_status status = carom_run_file_read(path, &run, &error);
        if (status != CAROM_OK && status != CAROM_BAD_INPUT)
            _exit(3);
        refused += status == CAROM_BAD_INPUT;
        carom_run_file_free(run);
        put_byte(stream, place, bytes[place]);
    }
    fclose(stream);
    free(bytes);
    return refused;
}

/* Reading must come back, with an error or (numbers that changed) with a run. In a child process, because
 * HDF5 1.10 itself loses memory when the checksum of an object is wrong, and complains about it at exit. */
static void change_bytes(bool compressed, int tries, int refused_least)
{
    const char *path = in_folder(0, "run.h5");
    write_file_as(path, 2, 3, compressed);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(read_with_changed_bytes(path, tries) > refused_least ? 0 : 1);
    int exit_status = 0;
    assert_true(waitpid(child, &exit_status, 0) == child);
    assert_true(WIFEXITED(exit_status));
    assert_int_equal(WEXITSTATUS(exit_status), 0);
}

static void test_changed_bytes_do_no_harm(void **state)
{
    (void)state;
    change_bytes(false, 600, 30);
}

/* What is compressed has a checksum: changes of numbers are noticed, too. */
static void test_changed_bytes_of_compressed_files(void **state)
{
    (void)state;
    change_bytes(true, 300, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files_that_are_no_run_files),
        cmocka_unit_test(test_damaged_files_are_refused_with_the_reason),
        cmocka_unit_test(test_uneven_lengths_keep_the_shortest),
        cmocka_unit_test(test_truncated_files_are_refused),
        cmocka_unit_test(test_changed_bytes_do_no_harm),
        cmocka_unit_test(test_changed_bytes_of_compressed_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
