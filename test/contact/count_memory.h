/* Memory that is asked for is counted, where nothing else watches over it: include it in one file of a test. */
#ifndef CAROM_TEST_CONTACT_COUNT_MEMORY_H
#define CAROM_TEST_CONTACT_COUNT_MEMORY_H

#include <stdlib.h>

static long asked;

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
#define COUNTS_MEMORY 1
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    asked++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    asked++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    asked++;
    return __libc_realloc(old, size);
}
#else
#define COUNTS_MEMORY 0
#endif

#endif
