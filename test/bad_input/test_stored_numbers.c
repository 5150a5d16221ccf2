/* Files whose numbers are not where and as large as they say: chunks that are too small, outside the file, filtered, or
 * in other files. HDF5 1.10 reads memory that is not in the file for some of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/io/fclib/fclib_files.h"

static const char path[] = "problem.hdf5", q_path[] = "/fclib_local/vectors/q";

/* q of four contacts, 12 numbers, in chunks of 4. */
static void write_chunked(int filters)
{
    const hsize_t extent = 12, chunk = 4;
    const double q[12] = {-1, 1, 2, -1, 1, 2, -1, 1, 2, -1, 1, 2};
    unlink(path);
    write_problem(path, local_problem(1, 3, 4, 0, false));
    const hid_t file = open_for_change(path), space = H5Screate_simple(1, &extent, NULL);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    if (filters & 1)
        H5Pset_shuffle(creation);
    if (filters & 2)
        H5Pset_deflate(creation, 6);
    if (filters & 4)
        H5Pset_fletcher32(creation);
    H5Ldelete(file, q_path, H5P_DEFAULT);
    const hid_t set = H5Dcreate2(file, q_path, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q) >= 0);
    H5Dclose(set);
    H5Pclose(creation);
    H5Sclose(space);
    H5Fclose(file);
}

static carom_status read_it(carom_error *error)
{
    carom_fclib *problem = NULL;
    const carom_status status = carom_fclib_read(path, &problem, error);
    carom_fclib_free(problem);
    return status;
}

static void expect_refused(const char *words)
{
    carom_error error = {0};
    assert_int_equal(read_it(&error), CAROM_BAD_INPUT);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void plain_chunks_are_read(void **state)
{
    (void)state;
    carom_error error = {0};
    write_chunked(0);
    assert_int_equal(read_it(&error), CAROM_OK);
}

static void filtered_chunks_are_refused(void **state)
{
    (void)state;
    for (int filters = 1; filters < 8; filters++) {
        write_chunked(filters);
        expect_refused("/fclib_local/vectors/q: is compressed or filtered");
    }
}

/* Changes bytes of the key of chunk number `chunk` in the tree of chunks: size (4 bytes), mask (4), places (2 x 8), and
 * then the chunk's address (8). */
static void damage_key(int chunk, int at, const void *bytes, size_t count)
{
    enum {
        HEAD = 24,
        KEY = 24,
        CHUNKS = 1 /* type of a node, behind its signature */
    };
    static unsigned char content[1 << 16];
    FILE *file = fopen(path, "r+b");
    const size_t size = fread(content, 1, sizeof content, file);
    size_t node = 0;
    while (node + 5 < size && (memcmp(content + node, "TREE", 4) != 0 || content[node + 4] != CHUNKS))
        node++;
    assert_true(node + 5 < size);
    assert_int_equal(fseek(file, (long)node + HEAD + chunk * (KEY + 8) + at, SEEK_SET), 0);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void damaged_chunks_are_refused(void **state)
{
    (void)state;
    const uint32_t sizes[] = {0, 1, 16, 31, 33, 64, 1u << 20, UINT32_MAX};
    for (int chunk = 0; chunk < 3; chunk++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            write_chunked(0);
            damage_key(chunk, 0, &sizes[i], sizeof sizes[i]);
            expect_refused("/fclib_local/vectors/q: ");
        }
    const uint64_t addresses[] = {UINT64_MAX, UINT64_MAX - 8, (uint64_t)1 << 40, 1u << 20};
    for (int chunk = 0; chunk < 3; chunk++)
        for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
            write_chunked(0);
            damage_key(chunk, 24, &addresses[i], sizeof addresses[i]);
            expect_refused("/fclib_local/vectors/q: ");
        }
    const uint32_t mask = 166;
    write_chunked(0);
    damage_key(1, 4, &mask, sizeof mask);
    expect_refused("/fclib_local/vectors/q: ");
    const uint64_t place = 40;
    write_chunked(0);
    damage_key(1, 8, &place, sizeof place);
    expect_refused("/fclib_local/vectors/q: ");
}

/* Any byte of the file: read or refused, and with the address sanitizer nothing else. */
static void any_byte_may_be_wrong(void **state)
{
    (void)state;
    static unsigned char content[1 << 16];
    write_chunked(0);
    FILE *file = fopen(path, "rb");
    const size_t size = fread(content, 1, sizeof content, file);
    fclose(file);
    carom_random random = {7};
    for (int k = 0; k < 400; k++) {
        const size_t place = (size_t)carom_random_uniform(&random, 0.0, (double)size);
        const unsigned char kept = content[place];
        content[place] = (unsigned char)carom_random_uniform(&random, 0.0, 256.0);
        file = fopen(path, "wb");
        assert_int_equal(fwrite(content, 1, size, file), size);
        fclose(file);
        content[place] = kept;
        carom_error error = {0};
        const carom_status status = read_it(&error);
        assert_true(status == CAROM_OK || status == CAROM_BAD_INPUT);
    }
}

/* ---- run files -------------------------------------------------------------------------------------------- */

static void expect_run_refused(const char *words)
{
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read("run.h5", &run, &error), CAROM_BAD_INPUT);
    assert_null(run);
    if (!strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void put_text(hid_t place, const char *name, const char *text)
{
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    const hid_t attribute = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(attribute, type, text) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* As much of a run file as is read before its model. */
static hid_t begin_run_file(void)
{
    const hid_t file = H5Fcreate("run.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t format = H5Acreate2(file, "format", H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    const long long one = 1;
    assert_true(H5Awrite(format, H5T_NATIVE_LLONG, &one) >= 0);
    H5Aclose(format);
    H5Sclose(space);
    put_text(file, "carom_version", "0");
    put_text(file, "name", "n");
    put_text(file, "file", "f");
    return file;
}

static void run_files_stay_in_their_file(void **state)
{
    (void)state;
    FILE *secret = fopen("secret.txt", "w");
    fputs("a secret of another file", secret);
    fclose(secret);
    hid_t file = begin_run_file();
    assert_true(H5Lcreate_external("other.h5", "/model", file, "model", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    expect_run_refused("model: is a link to another place");

    file = begin_run_file();
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), type = H5Tcopy(H5T_C_S1);
    const hsize_t extent = 1;
    const hid_t space = H5Screate_simple(1, &extent, NULL);
    H5Tset_size(type, 16);
    H5Pset_external(creation, "secret.txt", 0, 16);
    const hid_t set = H5Dcreate2(file, "model", type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(creation);
    H5Fclose(file);
    expect_run_refused("model: its data are in another file");
}

static void pipes_are_not_waited_for(void **state)
{
    (void)state;
    unlink("run.h5");
    assert_int_equal(mkfifo("run.h5", 0600), 0);
    expect_run_refused("not a regular file");
    unlink("run.h5");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_refused("not a regular file");
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_chunks_are_read),        cmocka_unit_test(filtered_chunks_are_refused),
        cmocka_unit_test(damaged_chunks_are_refused),   cmocka_unit_test(any_byte_may_be_wrong),
        cmocka_unit_test(run_files_stay_in_their_file), cmocka_unit_test(pipes_are_not_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
