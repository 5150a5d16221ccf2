#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "carom/base.h"

static bool all_zero(const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        if (byte[i] != 0)
            return false;
    return true;
}

static void new_arrays_are_zeroed(void **state)
{
    (void)state;
    double *array = carom_new_array(1000, sizeof *array);
    assert_non_null(array);
    assert_true(all_zero(array, 1000 * sizeof *array));
    free(array);
}

static void an_empty_array_is_one_element(void **state)
{
    (void)state;
    double *array = carom_new_array(0, sizeof *array);
    assert_non_null(array);
    array[0] = 1.0;
    free(array);
}

/* Read through a volatile, so that the compiler does not warn of the size that is meant to fail. */
static volatile size_t too_many = SIZE_MAX / 4;

static void a_size_that_overflows_is_refused(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    assert_null(carom_arena_take(arena, too_many, 8));
    assert_null(carom_arena_take(arena, 8, too_many));
    assert_non_null(carom_arena_take(arena, 1, 8));
    carom_arena_free(arena);
}

/* 65,536 x 65,536 entries: the places i * n + j of such a matrix are no ints. */
static void what_ints_cannot_count_is_refused(void **state)
{
    (void)state;
    static volatile size_t n = 65536, most = (size_t)INT_MAX + 1, all = SIZE_MAX;
    carom_arena *arena = carom_arena_create();
    assert_null(carom_arena_take(arena, n * n, sizeof(double)));
    assert_null(carom_new_array(n * n, sizeof(double)));
    assert_null(carom_new_array(most, sizeof(short)));
    assert_null(carom_new_array(carom_product(all / 2, 3), sizeof(double)));
    carom_arena_free(arena);
    assert_int_equal(carom_product(n, n), (size_t)1 << 32);
    assert_int_equal(carom_product(0, all), 0);
    assert_int_equal(carom_product(all, 0), 0);
    assert_int_equal(carom_product(all / 2, 2), all - 1);
    assert_int_equal(carom_product(all / 2 + 1, 2), all);
}

static void pieces_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    enum {
        PIECES = 200
    };
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    unsigned char *pieces[PIECES];
    /* Sizes that cross several blocks, and one piece larger than a block now and then. */
    for (size_t i = 0; i < PIECES; i++) {
        size_t size = i % 50 == 49 ? 100000 : 1 + 37 * i % 1001;
        pieces[i] = carom_arena_take(arena, size, 1);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        assert_true(all_zero(pieces[i], size));
        memset(pieces[i], (int)i + 1, size);
    }
    for (size_t i = 0; i < PIECES; i++) {
        size_t size = i % 50 == 49 ? 100000 : 1 + 37 * i % 1001;
        for (size_t k = 0; k < size; k++)
            assert_int_equal(pieces[i][k], (unsigned char)(i + 1));
    }
    carom_arena_free(arena);
}

/* Small pieces fill the blocks to the last byte; the address sanitizer sees a step beyond. */
static void full_blocks_are_not_overrun(void **state)
{
    (void)state;
    enum {
        PIECES = 5000
    };
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    size_t *pieces[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        pieces[i] = carom_arena_take(arena, 1, sizeof *pieces[i]);
        assert_non_null(pieces[i]);
        *pieces[i] = i;
    }
    for (size_t i = 0; i < PIECES; i++)
        assert_int_equal(*pieces[i], i);
    carom_arena_free(arena);
}

static void empty_pieces_are_apart_too(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    void *first = carom_arena_take(arena, 0, 8);
    void *second = carom_arena_take(arena, 8, 0);
    assert_non_null(first);
    assert_non_null(second);
    assert_ptr_not_equal(first, second);
    carom_arena_free(arena);
}

static void text_is_copied(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    char original[] = "floor";
    char *copy = carom_arena_copy_text(arena, original);
    original[0] = 'd';
    assert_string_equal(copy, "floor");
    assert_string_equal(carom_arena_copy_text(arena, ""), "");
    carom_arena_free(arena);
}

static void no_arena_may_be_freed(void **state)
{
    (void)state;
    carom_arena_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(new_arrays_are_zeroed),
        cmocka_unit_test(an_empty_array_is_one_element),
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(what_ints_cannot_count_is_refused),
        cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
        cmocka_unit_test(full_blocks_are_not_overrun),
        cmocka_unit_test(empty_pieces_are_apart_too),
        cmocka_unit_test(text_is_copied),
        cmocka_unit_test(no_arena_may_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
