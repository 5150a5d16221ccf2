/* Counts the memory that a test program and the libraries it links ask for, where nothing else watches over it. For
 * one file of a program. */
#ifndef CAROM_TEST_COUNTED_MEMORY_H
#define CAROM_TEST_COUNTED_MEMORY_H

#include <stddef.h>

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__
#define COUNTS_MEMORY 1
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
static long asked;

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
static long asked;
#endif

#endif
