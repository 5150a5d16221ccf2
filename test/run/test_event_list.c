#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run/event_list.h"

static void keeps_all_in_order(void **state)
{
    (void)state;
    enum {
        COUNT = 1000
    };
    const double q[1] = {1.0};
    event_list list = {0};
    for (int i = 0; i < COUNT; i++) {
        const carom_event event = {.t = i,
                                   .kind = i % 4 == 0 ? CAROM_EVENT_RELEASE : CAROM_EVENT_IMPACT,
                                   .contact = i % 7,
                                   .q = q,
                                   .v = q};
        event_list_take(&list, &event);
    }
    assert_int_equal(list.count, COUNT);
    assert_false(list.out_of_memory);
    for (int i = 0; i < COUNT; i++) {
        assert_true(list.event[i].t == i);
        assert_int_equal(list.event[i].contact, i % 7);
        assert_null(list.event[i].q); /* they stand only while the listener is told */
        assert_null(list.event[i].v);
    }
    assert_int_equal(event_list_count(&list, CAROM_EVENT_IMPACT), 750);
    assert_int_equal(event_list_count(&list, CAROM_EVENT_STOP), 0);
    event_list_free(&list);
    assert_int_equal(list.count, 0);
    assert_null(list.event);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keeps_all_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
