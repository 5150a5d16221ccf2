/* Files that go to the disk while they are written: bytes are counted, what is in the file stays, errno is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/parts/write_behind.h"

enum {
    PIECE = 1 << 20,
    PIECES = 20
};

static void long_files_hold_what_was_written(void **state)
{
    (void)state;
    static char piece[PIECE], back[PIECE];
    const int descriptor = open("long", O_RDWR | O_CREAT | O_TRUNC, 0600);
    size_t waiting = 0, begun = 0;
    assert_true(descriptor >= 0);
    for (int i = 0; i < PIECES; i++) {
        memset(piece, 'a' + i, PIECE);
        assert_int_equal(write(descriptor, piece, PIECE), PIECE);
        const size_t before = waiting;
        const bool asked = write_behind(&waiting, descriptor, PIECE);
        assert_true(asked == (waiting == 0));
        if (asked)
            room_ahead_take(descriptor);
        assert_true(waiting == 0 || waiting == before + PIECE);
        begun += waiting == 0;
    }
    assert_in_range(begun, 1, PIECES / 2);
    room_ahead_return(descriptor);
    assert_int_equal(fsync(descriptor), 0);
    struct stat about;
    assert_int_equal(fstat(descriptor, &about), 0);
    assert_int_equal(about.st_size, (off_t)PIECES * PIECE);
    assert_true((off_t)about.st_blocks * 512 <= (off_t)(PIECES + 1) * PIECE); /* no room is left over */
    for (int i = 0; i < PIECES; i++) {
        memset(piece, 'a' + i, PIECE);
        assert_int_equal(pread(descriptor, back, PIECE, (off_t)i * PIECE), PIECE);
        assert_memory_equal(piece, back, PIECE);
    }
    close(descriptor);
    unlink("long");
}

static void what_is_no_file_is_left_alone(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const int descriptor[] = {-1, ends[1]};
    for (int i = 0; i < 2; i++) {
        size_t waiting = 0;
        errno = ENOSPC;
        write_behind(&waiting, descriptor[i], (size_t)1 << 30);
        room_ahead_take(descriptor[i]);
        room_ahead_return(descriptor[i]);
        assert_int_equal(errno, ENOSPC);
        assert_int_equal(waiting, 0);
    }
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_files_hold_what_was_written),
        cmocka_unit_test(what_is_no_file_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
