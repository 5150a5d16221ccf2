/* For the fuzz programs: what libFuzzer calls, and inputs as files. */
#ifndef CAROM_TEST_FUZZ_FUZZ_H
#define CAROM_TEST_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Stops the program, which keeps the input. */
static inline void fuzz_expect(int holds)
{
    if (!holds)
        abort();
}

static inline void fuzz_write(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    fuzz_expect(stream && fwrite(bytes, 1, size, stream) == size && fclose(stream) == 0);
}

/* The input as a text; zero bytes end it. */
static inline char *fuzz_text(const uint8_t *bytes, size_t size)
{
    char *text = malloc(size + 1);
    fuzz_expect(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    return text;
}

#endif
