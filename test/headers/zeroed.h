/* Calls with structs that were left zero: they work with defaults, or are refused by a text that says what is
 * missing. */
#ifndef CAROM_TEST_HEADERS_ZEROED_H
#define CAROM_TEST_HEADERS_ZEROED_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "carom/base.h"

static carom_error error;

#define ZERO(type) (&(type){0})

static inline void check(const char *call, carom_status status, carom_status expected)
{
    if (status != expected)
        fail_msg("%s: %s (%s)", call, carom_status_word(status), error.text);
    if (status != CAROM_OK && strlen(error.text) < 10)
        fail_msg("%s: the text says nothing: '%s'", call, error.text);
    if (strstr(error.text, "(null)"))
        fail_msg("%s: %s", call, error.text);
    error = (carom_error){0};
}
#define REFUSES(call) check(#call, call, CAROM_BAD_INPUT)
#define WORKS(call) check(#call, call, CAROM_OK)

#endif
