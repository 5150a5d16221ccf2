#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "carom/base.h"

typedef struct thing {
    int size;
    double x[3];
    double *list;
    size_t length, capacity;
} thing;

static void keep(thing *self, carom_snapshot *snapshot)
{
    carom_snapshot_same(snapshot, &self->size, sizeof self->size);
    carom_snapshot_block(snapshot, self->x, sizeof self->x);
    carom_snapshot_numbers(snapshot, &self->list, &self->length, &self->capacity);
}

static carom_snapshot kept_thing(void)
{
    double list[] = {4.0, 5.0};
    thing made = {.size = 3, .x = {1.0, 2.0, -0.0}, .list = list, .length = 2, .capacity = 2};
    carom_snapshot snapshot = {0};
    keep(&made, &snapshot);
    assert_false(snapshot.failed);
    return snapshot;
}

static void what_was_kept_comes_back(void **state)
{
    (void)state;
    carom_snapshot kept = kept_thing(), restored = carom_snapshot_of(kept.bytes, kept.length);
    thing other = {.size = 3};
    keep(&other, &restored);
    assert_false(restored.failed);
    assert_int_equal(restored.place, kept.length);
    assert_memory_equal(other.x, ((double[]){1.0, 2.0, -0.0}), sizeof other.x);
    assert_int_equal(other.length, 2);
    assert_true(other.list[0] == 4.0 && other.list[1] == 5.0);
    free(other.list);
    carom_snapshot_free(&kept);
}

static void what_does_not_fit_fails(void **state)
{
    (void)state;
    carom_snapshot kept = kept_thing(), restored = carom_snapshot_of(kept.bytes, kept.length);
    thing other = {.size = 2}; /* another one */
    keep(&other, &restored);
    assert_true(restored.failed);
    assert_null(other.list);
    for (size_t length = 0; length < kept.length; length++) { /* cut off anywhere */
        thing third = {.size = 3};
        restored = carom_snapshot_of(kept.bytes, length);
        keep(&third, &restored);
        assert_true(restored.failed);
        free(third.list);
    }
    double small[2];
    restored = carom_snapshot_of(kept.bytes, kept.length);
    carom_snapshot_block(&restored, small, sizeof small); /* the first block is shorter */
    assert_true(restored.failed);
    carom_snapshot_free(&kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_kept_comes_back),
        cmocka_unit_test(what_does_not_fit_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
