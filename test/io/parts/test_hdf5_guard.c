#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <unistd.h>

#include "io/parts/hdf5_guard.h"
#include "test/io/fclib/fclib_files.h"

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
    const bool answer = hdf5_header_fits(file, base, address, end);
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
        memset(bytes + 5, 0x11, (size_t)place - 5); /* times and numbers, whatever they are */
        bytes[5] = (unsigned char)flags;
        bytes[place] = 0x30; /* of messages that say nothing */
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
    bytes[80] = 1; /* no free block */
    bytes[88] = 96;
    assert_true(fits(bytes, sizeof bytes, 0, 0, 96 + 88));
    assert_false(fits(bytes, sizeof bytes, 0, 0, 96 + 88 - 1));
    bytes[95] = 0xff;
    assert_false(fits(bytes, sizeof bytes, 0, 0, 256));
    bytes[95] = 0;
    bytes[80] = 40; /* free blocks at 40 and 64 */
    bytes[96 + 40] = 64;
    bytes[96 + 64] = 1;
    assert_true(fits(bytes, sizeof bytes, 0, 0, 256));
    bytes[96 + 64] = 40; /* in a circle */
    assert_false(fits(bytes, sizeof bytes, 0, 0, 256));
    bytes[96 + 64] = 88 - 15; /* beyond the names */
    assert_false(fits(bytes, sizeof bytes, 0, 0, 256));
    bytes[96 + 64] = 1;
    bytes[64] = 'h';
    assert_false(fits(bytes, sizeof bytes, 0, 0, 256));
}

/* ---- messages ------------------------------------------------------------------------------------------ */

enum {
    FLAG_SHARED = 2,
    DATATYPE = 3,
    CONTINUATION = 0x10
};

static void put_number(unsigned char *at, uint64_t value, int width)
{
    for (int i = 0; i < width; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

/* A message of version 1 (type, size, flags) or 2, of which some headers number them; returns its data. */
static unsigned char *put_message(unsigned char *at, int version, bool numbered, int type, int size,
                                  int flags)
{
    const int width = version == 1 ? 2 : 1;
    put_number(at, (uint64_t)type, width);
    put_number(at + width, (uint64_t)size, 2);
    at[width + 2] = (unsigned char)flags;
    return at + (version == 1 ? 8 : numbered ? 6 : 4);
}

static void start_old(unsigned char *bytes, int size)
{
    bytes[0] = 1;
    put_number(bytes + 8, (uint64_t)size, 4);
}

/* Every message, the second as the first. HDF5 1.10 would read its data from anywhere. */
static void shared_messages_are_refused(void **state)
{
    (void)state;
    for (int place = 0; place < 2; place++)
        for (int flags = 0; flags < 256; flags++) {
            unsigned char bytes[64] = {0};
            start_old(bytes, 48);
            put_message(bytes + 16, 1, false, DATATYPE, 16, place == 0 ? flags : 1);
            put_message(bytes + 40, 1, false, DATATYPE, 16, place == 1 ? flags : 1);
            assert_int_equal(fits(bytes, sizeof bytes, 0, 0, 64), !(flags & FLAG_SHARED));
        }
}

static void shared_messages_of_new_headers_are_refused(void **state)
{
    (void)state;
    for (int numbered = 0; numbered < 2; numbered++)
        for (int flags = 0; flags < 256; flags++) {
            unsigned char bytes[64] = "OHDR\x02";
            const int prefix = numbered ? 6 : 4;
            bytes[5] = numbered ? 4 : 0;
            bytes[6] = (unsigned char)(2 * (prefix + 8));
            put_message(bytes + 7, 2, numbered, DATATYPE, 8, 1);
            put_message(bytes + 7 + prefix + 8, 2, numbered, DATATYPE, 8, flags);
            assert_int_equal(fits(bytes, sizeof bytes, 0, 0, 64), !(flags & FLAG_SHARED));
        }
}

static void messages_end_where_their_header_does(void **state)
{
    (void)state;
    for (int size = 0; size <= 48; size++) {
        unsigned char bytes[80] = {0};
        start_old(bytes, 40);
        put_message(bytes + 16, 1, false, DATATYPE, size, 0);
        /* what follows says nothing, in messages of 8 bytes */
        assert_int_equal(fits(bytes, sizeof bytes, 0, 0, 56), size <= 32 && size % 8 == 0);
        unsigned char modern[80] = "OHDR\x02";
        modern[6] = 40;
        put_message(modern + 7, 2, false, DATATYPE, size, 0);
        assert_int_equal(fits(modern, sizeof modern, 0, 0, 51), size <= 36);
    }
}

/* The header goes on at 64 with a shared message, or not. */
static void headers_are_followed(void **state)
{
    (void)state;
    for (int flags = 0; flags < 4; flags++) {
        unsigned char bytes[128] = {0}, modern[128] = "OHDR\x02";
        start_old(bytes, 24);
        unsigned char *data = put_message(bytes + 16, 1, false, CONTINUATION, 16, 0);
        put_number(data, 64, 8);
        put_number(data + 8, 24, 8);
        put_message(bytes + 64, 1, false, DATATYPE, 16, flags);
        assert_int_equal(fits(bytes, sizeof bytes, 0, 0, 88), !(flags & FLAG_SHARED));
        assert_false(fits(bytes, sizeof bytes, 0, 0, 87));
        modern[6] = 20;
        data = put_message(modern + 7, 2, false, CONTINUATION, 16, 0);
        put_number(data, 64, 8);
        put_number(data + 8, 28, 8); /* signature, messages, checksum */
        memcpy(modern + 64, "OCHK", 4);
        put_message(modern + 68, 2, false, DATATYPE, 16, flags);
        assert_int_equal(fits(modern, sizeof modern, 0, 0, 92), !(flags & FLAG_SHARED));
        assert_false(fits(modern, sizeof modern, 0, 0, 91));
        modern[64] = 'o';
        assert_false(fits(modern, sizeof modern, 0, 0, 128));
        put_number(data + 8, 7, 8);
        assert_false(fits(modern, sizeof modern, 0, 0, 128));
    }
}

/* A header that goes on in itself would do so for ever. */
static void headers_that_go_on_for_ever_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[64] = {0};
    start_old(bytes, 24);
    unsigned char *data = put_message(bytes + 16, 1, false, CONTINUATION, 16, 0);
    put_number(data, 16, 8);
    put_number(data + 8, 24, 8);
    assert_false(fits(bytes, sizeof bytes, 0, 0, 1 << 20));
    put_number(data, UINT64_MAX, 8);
    assert_false(fits(bytes, sizeof bytes, 0, 0, 64));
    put_message(bytes + 16, 1, false, CONTINUATION, 8, 0); /* no room for the size */
    assert_false(fits(bytes, sizeof bytes, 0, 0, 64));
}

/* Every header of a file, as HDF5 wrote it: one flag makes the reader refuse the object, group or dataset. */
static void a_shared_flag_anywhere_is_refused(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 16];
    write_problem("flags.hdf5", local_problem(1, 3, 1, 0, false));
    FILE *file = fopen("flags.hdf5", "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    int headers = 0;
    for (size_t at = 0; at + 32 < size; at += 8) {
        /* version 1, reserved byte, at least one message, one reference to it, some bytes of them */
        if (bytes[at] != 1 || bytes[at + 1] != 0 || bytes[at + 2] == 0 || bytes[at + 3] != 0 ||
            bytes[at + 4] != 1 || bytes[at + 5] != 0 || (bytes[at + 8] == 0 && bytes[at + 9] == 0) ||
            bytes[at + 12] != 0 || !fits(bytes, size, 0, at, size))
            continue;
        bytes[at + 16 + 4] ^= FLAG_SHARED;
        file = fopen("shared.hdf5", "wb");
        assert_int_equal(fwrite(bytes, 1, size, file), size);
        fclose(file);
        carom_fclib *problem = NULL;
        carom_error error = {0};
        if (carom_fclib_read("shared.hdf5", &problem, &error) != CAROM_OK) {
            assert_non_null(strstr(error.text, "damaged"));
            headers++; /* else it is not read */
        }
        carom_fclib_free(problem);
        bytes[at + 16 + 4] ^= FLAG_SHARED;
    }
    /* /, fclib_local, its spacedim, W with six sets (nzmax is not read), vectors with two */
    assert_int_equal(headers, 13);
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
    assert_false(hdf5_root_fits(none));
    fclose(none);
    write_problem("root.hdf5", local_problem(1, 3, 1, 0, false));
    FILE *file = fopen("root.hdf5", "r+b");
    unsigned char address[8];
    assert_true(hdf5_root_fits(file));
    assert_int_equal(fseek(file, 64, SEEK_SET), 0); /* of the root group's header in a superblock 0 */
    assert_int_equal(fread(address, 1, 8, file), 8);
    assert_int_equal(fseek(file, address[0] + 256 * address[1] + 8, SEEK_SET), 0);
    assert_int_equal(fwrite("\xff\xff\xff\x7f", 1, 4, file), 4);
    assert_int_equal(fflush(file), 0);
    assert_false(hdf5_root_fits(file));
    fclose(file);
}

/* Superblock 0 with a driver, whose block HDF5 would read whatever size it claims; superblock 2 with an
 * extension that is no header. */
static void drivers_and_wrong_extensions_are_noticed(void **state)
{
    (void)state;
    const H5F_libver_t version[] = {H5F_LIBVER_EARLIEST, H5F_LIBVER_V18};
    const long place[] = {48, 20};
    for (int k = 0; k < 2; k++) {
        const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
        H5Pset_libver_bounds(access, version[k], H5F_LIBVER_LATEST);
        H5Fclose(H5Fcreate("driver.hdf5", H5F_ACC_TRUNC, H5P_DEFAULT, access));
        H5Pclose(access);
        FILE *file = fopen("driver.hdf5", "r+b");
        assert_non_null(file);
        assert_true(hdf5_root_fits(file));
        assert_int_equal(fseek(file, place[k], SEEK_SET), 0);
        assert_int_equal(fwrite("\x10\0\0\0\0\0\0\0", 1, 8, file), 8);
        assert_int_equal(fflush(file), 0);
        assert_false(hdf5_root_fits(file));
        fclose(file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_headers_end_where_they_say),
        cmocka_unit_test(new_headers_end_where_they_say),
        cmocka_unit_test(other_bytes_are_no_header),
        cmocka_unit_test(names_must_be_in_the_file),
        cmocka_unit_test(shared_messages_are_refused),
        cmocka_unit_test(shared_messages_of_new_headers_are_refused),
        cmocka_unit_test(messages_end_where_their_header_does),
        cmocka_unit_test(headers_are_followed),
        cmocka_unit_test(headers_that_go_on_for_ever_are_refused),
        cmocka_unit_test(a_shared_flag_anywhere_is_refused),
        cmocka_unit_test(good_files_pass),
        cmocka_unit_test(a_damaged_root_is_noticed),
        cmocka_unit_test(drivers_and_wrong_extensions_are_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
