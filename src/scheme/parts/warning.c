#include <stdio.h>

#include "carom/scheme.h"

void carom_warn(carom_warnings *warnings, const char *format, ...)
{
    if (warnings->count < CAROM_WARNINGS_KEPT) {
        char *text = warnings->text[warnings->count];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof warnings->text[0], format, arguments);
        va_end(arguments);
    }
    warnings->count++;
}
