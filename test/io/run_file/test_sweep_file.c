#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include "test/io/sweeps.h"

static const char path[] = "table.h5";

static carom_parameter parameters[] = {{.name = "e"}, {.name = "g"}};
static double values[] = {0.7, 9.81};
static carom_model model = {.parameters = 2, .parameter = parameters};
static carom_experiment experiment = {
    .name = "test/ball", .file = "ball.lua", .text = "-- a model\n", .model = &model, .parameter = values};

static void write_table(const char *to)
{
    const carom_sweep sweep = hand_made_sweep();
    carom_error error = {0};
    if (carom_sweep_write_file(to, &experiment, &sweep, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static int extents_of(hid_t dataset, hsize_t extent[3])
{
    hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    H5Sclose(space);
    return rank;
}

static int read_numbers(hid_t file, const char *name, double *value, hsize_t extent[3])
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    const int rank = extents_of(dataset, extent);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(dataset);
    return rank;
}

/* Text number `index` of a dataset of texts. */
static void check_text(hid_t file, const char *name, int index, const char *expected)
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    hid_t type = H5Dget_type(dataset);
    const size_t bytes = H5Tget_size(type);
    char *text = calloc(6, bytes);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
    assert_string_equal(text + (size_t)index * bytes, expected);
    free(text);
    H5Tclose(type);
    H5Dclose(dataset);
}

static void axes_and_measures_have_the_shape_of_the_grid(void **state)
{
    (void)state;
    write_table(path);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    double value[18];
    hsize_t extent[3];
    assert_int_equal(read_numbers(file, "axes/e", value, extent), 1);
    assert_true(extent[0] == 2 && value[0] == 0.1 && value[1] == 0.5);
    check_text(file, "axes/shape, size", 1, "a \"b\", c");
    assert_int_equal(read_numbers(file, "measures/height", value, extent), 2);
    assert_true(extent[0] == 2 && extent[1] == 3);
    for (int i = 0; i < 5; i++)
        assert_true(value[i] == sweep_height[i]);
    assert_true(isnan(value[5]));
    assert_int_equal(read_numbers(file, "measures/times", value, extent), 3);
    assert_true(extent[0] == 2 && extent[1] == 3 && extent[2] == 3);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) {
            const bool is_there = i < 5 && k < i % 4;
            assert_true(is_there ? value[3 * i + k] == sweep_times[k] : isnan(value[3 * i + k]));
        }
    assert_int_equal(read_numbers(file, "measures/none", value, extent), 2);
    for (int i = 0; i < 6; i++)
        assert_true(isnan(value[i]));
    assert_int_equal(read_numbers(file, "steps", value, extent), 2);
    assert_true(value[3] == 30.0);
    check_text(file, "status", 4, "blowup");
    check_text(file, "status", 5, "interrupted");
    check_text(file, "message", 4, "stopped, \"so\"");
    check_text(file, "message", 0, "");
    check_text(file, "model", 0, "-- a model\n");
    assert_true(H5Aexists_by_name(file, "parameters", "g", H5P_DEFAULT) > 0);
    H5Fclose(file);
}

static size_t read_bytes(const char *from, char *bytes, size_t limit)
{
    FILE *stream = fopen(from, "rb");
    assert_non_null(stream);
    const size_t count = fread(bytes, 1, limit, stream);
    fclose(stream);
    return count;
}

static void the_same_sweep_gives_the_same_bytes(void **state)
{
    (void)state;
    enum {
        LIMIT = 1 << 20
    };
    char *first = malloc(LIMIT), *second = malloc(LIMIT);
    write_table("first.h5");
    write_table("second.h5");
    const size_t count = read_bytes("first.h5", first, LIMIT);
    assert_true(count > 0 && count < LIMIT);
    assert_int_equal(read_bytes("second.h5", second, LIMIT), count);
    assert_memory_equal(first, second, count);
    free(first);
    free(second);
}

static void what_cannot_be_written_is_told(void **state)
{
    (void)state;
    const carom_sweep sweep = hand_made_sweep();
    carom_error error = {0};
    assert_int_equal(carom_sweep_write_file("no/such/folder/t.h5", &experiment, &sweep, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "no/such/folder/t.h5"));
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        return;
    fclose(full);
    assert_int_equal(carom_sweep_write_file("/dev/full", &experiment, &sweep, &error), CAROM_IO_ERROR);
    assert_non_null(strstr(error.text, "No space left"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_and_measures_have_the_shape_of_the_grid),
        cmocka_unit_test(the_same_sweep_gives_the_same_bytes),
        cmocka_unit_test(what_cannot_be_written_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
