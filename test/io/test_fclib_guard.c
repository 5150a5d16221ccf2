#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "fclib_files.h"
#include "fclib_guard.h"

enum {
    BASE = 512
};

static FILE *file_with(const void *bytes, size_t size)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    return file;
}

static bool fits(const unsigned char *bytes, size_t size, uint64_t base, uint64_t address, uint64_t end)
{
    FILE *file = file_with(bytes, size);
    const bool answer = fclib_header_fits(file, base, address, end);
    fclose(file);
    return answer;
}

/* Prefix of 16 bytes, then 0x120 bytes of messages. */
static void old_headers_end_where_they_say(void **state)
{
    (void)state;
    unsigned char bytes[512] = {0};
    bytes[40] = 1;
    bytes[48] = 0x20;
    bytes[49] = 0x01;
    assert_true(fits(bytes, sizeof bytes, 0, 40, 40 + 16 + 0x120));
    assert_true(fits(bytes, sizeof bytes, 8, 32, 32 + 16 + 0x120));
    assert_false(fits(bytes, sizeof bytes, 0, 40, 40 + 16 + 0x120 - 1));
    bytes[51] = 0xff;
    assert_false(fits(bytes, sizeof bytes, 0, 40, 1 << 30));
}

/* Signature, version, flags, [times], [numbers of attributes], size of 1, 2, 4 or 8 bytes, messages,
 * checksum. */
static void new_headers_end_where_they_say(void **state)
{
    (void)state;
    for (int flags = 0; flags < 0x40; flags++) {
        unsigned char bytes[100] = "OHDR\x02";
        const int place = 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0), width = 1 << (flags & 3);
        const uint64_t end = (uint64_t)(place + width + 0x30 + 4);
        memset(bytes + 5, 0x11, sizeof bytes - 5);
        bytes[5] = (unsigned char)flags;
        memset(bytes + place, 0, (size_t)width);
        bytes[place] = 0x30;
        assert_true(fits(bytes, sizeof bytes, 0, 0, end));
        assert_false(fits(bytes, sizeof bytes, 0, 0, end - 1));
        memset(bytes + place, 0xff, (size_t)width);
        assert_false(fits(bytes, sizeof bytes, 0, 0, 200));
    }
}

static void other_bytes_are_no_header(void **state)
{
    (void)state;
    unsigned char bytes[100] = {2};
    bytes[8] = 24; /* bytes of messages */
    assert_false(fits(bytes, sizeof bytes, 0, 0, 100));
    bytes[0] = 1;
    assert_true(fits(bytes, sizeof bytes, 0, 0, 100));
    assert_false(fits(bytes, sizeof bytes, 0, 100, 200)); /* nothing there */
    assert_false(fits(bytes, sizeof bytes, 0, UINT64_MAX, 200));
    assert_false(fits(bytes, sizeof bytes, UINT64_MAX, 1, 200));
}

/* A group's header with a message of where its names are. */
static void names_must_be_in_the_file(void **state)
{
    (void)state;
    unsigned char bytes[256] = {1, 0, 1};
    bytes[8] = 24;
    bytes[16] = 0x11;
    bytes[18] = 16;
    bytes[32] = 64;
    memcpy(bytes + 64, "HEAP", 4);
    bytes[72] = 88;
    bytes[88] = 96;
    assert_true(fits(bytes, sizeof bytes, 0, 0, 96 + 88));
    assert_false(fits(bytes, sizeof bytes, 0, 0, 96 + 88 - 1));
    bytes[95] = 0xff;
    assert_false(fits(bytes, sizeof bytes, 0, 0, 256));
    bytes[95] = 0;
    bytes[64] = 'h';
    assert_false(fits(bytes, sizeof bytes, 0, 0, 256));
}

/* Files of all formats that HDF5 writes, with and without a block of the user's before them, are let through
 * and read. */
static void good_files_pass(void **state)
{
    (void)state;
    const H5F_libver_t version[] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18, H5F_LIBVER_V110};
    write_problem("from.hdf5", global_problem(1, 3, 2, 5, 1, true));
    for (int k = 0; k < 6; k++) {
        const hid_t from = H5Fopen("from.hdf5", H5F_ACC_RDONLY, H5P_DEFAULT);
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
        H5Pset_libver_bounds(access, version[k % 3], H5F_LIBVER_LATEST);
        H5Pset_userblock(creation, k < 3 ? 0 : BASE);
        const hid_t to = H5Fcreate("to.hdf5", H5F_ACC_TRUNC, creation, access);
        const char *const parts[] = {"fclib_global", "solution", "guesses"};
        for (int i = 0; i < 3; i++)
            assert_true(H5Ocopy(from, parts[i], to, parts[i], H5P_DEFAULT, H5P_DEFAULT) >= 0);
        H5Fclose(to);
        H5Pclose(creation);
        H5Pclose(access);
        H5Fclose(from);
        carom_fclib *a = NULL, *b = NULL;
        carom_error error = {0};
        assert_int_equal(carom_fclib_read("from.hdf5", &a, &error), CAROM_OK);
        assert_int_equal(carom_fclib_read("to.hdf5", &b, &error), CAROM_OK);
        expect_same_problem(a, b);
        carom_fclib_free(a);
        carom_fclib_free(b);
    }
}

static void a_damaged_root_is_noticed(void **state)
{
    (void)state;
    FILE *none = file_with("text", 4);
    assert_false(fclib_root_fits(none));
    fclose(none);
    write_problem("root.hdf5", local_problem(1, 3, 1, 0, false));
    FILE *file = fopen("root.hdf5", "r+b");
    unsigned char address[8];
    assert_true(fclib_root_fits(file));
    assert_int_equal(fseek(file, 64, SEEK_SET), 0); /* of the root group's header in a superblock 0 */
    assert_int_equal(fread(address, 1, 8, file), 8);
    assert_int_equal(fseek(file, address[0] + 256 * address[1] + 8, SEEK_SET), 0);
    assert_int_equal(fwrite("\xff\xff\xff\x7f", 1, 4, file), 4);
    assert_int_equal(fflush(file), 0);
    assert_false(fclib_root_fits(file));
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_headers_end_where_they_say),
        cmocka_unit_test(new_headers_end_where_they_say),
        cmocka_unit_test(other_bytes_are_no_header),
        cmocka_unit_test(names_must_be_in_the_file),
        cmocka_unit_test(good_files_pass),
        cmocka_unit_test(a_damaged_root_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
