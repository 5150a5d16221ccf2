/* Numbers as text, the same in every locale: a program that calls setlocale may write 0,5 elsewhere. */
#include <locale.h>
#include <stdio.h>

#include "carom/base.h"

/* The locale of the thread changes, not that of the program. The C locale is a constant of the C library, which takes no
 * memory for it. */
carom_number_format carom_numbers_begin(void)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (carom_number_format){.plain = plain, .before = plain ? uselocale(plain) : (locale_t)0};
}

void carom_numbers_end(carom_number_format format)
{
    if (!format.plain)
        return;
    uselocale((locale_t)format.before);
    freelocale((locale_t)format.plain);
}

void carom_format(char *text, size_t size, const char *format, ...)
{
    const carom_number_format numbers = carom_numbers_begin();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    carom_numbers_end(numbers);
}
