#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "test/io/sweeps.h"

static void a_line_per_point(void **state)
{
    (void)state;
    const carom_sweep sweep = hand_made_sweep();
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    carom_error error = {0};
    assert_non_null(stream);
    assert_int_equal(carom_sweep_write_csv(stream, &sweep, &error), CAROM_OK);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(bytes, "e,\"shape, size\",status,steps,wall_s,trusted,height,times,none\n"
                               "0.10000000000000001,round,ok,0,0.25,false,0.10000000000000001,,\n"
                               "0.10000000000000001,\"a \"\"b\"\", c\",ok,10,0.25,false,1e-300,1,\n"
                               "0.10000000000000001,flat,ok,20,0.25,false,-3,1;0.10000000000000001,\n"
                               "0.5,round,ok,30,0.25,false,4,1;0.10000000000000001;2.5,\n"
                               "0.5,\"a \"\"b\"\", c\",blowup,40,0.25,false,5,,\n"
                               "0.5,flat,interrupted,,,,,,\n");
    free(bytes);
}

static void a_number_that_is_not_one_is_an_empty_cell(void **state)
{
    (void)state;
    carom_sweep sweep = hand_made_sweep();
    sweep_measured[0][0].value = &sweep_height[5];
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    assert_int_equal(carom_sweep_write_csv(stream, &sweep, NULL), CAROM_OK);
    assert_int_equal(fclose(stream), 0);
    assert_non_null(strstr(bytes, "\n0.10000000000000001,round,ok,0,0.25,false,,,\n"));
    free(bytes);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    const carom_sweep sweep = hand_made_sweep();
    FILE *stream = fopen("/dev/full", "w");
    if (!stream) {
        print_message("this system has no /dev/full to stand for a full disk: skipped\n");
        skip();
    }
    carom_error error = {0};
    assert_int_equal(carom_sweep_write_csv(stream, &sweep, &error), CAROM_IO_ERROR);
    assert_non_null(strstr(error.text, "No space left"));
    fclose(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_per_point),
        cmocka_unit_test(a_number_that_is_not_one_is_an_empty_cell),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
