/* Bytes as letters of a text (base64). */
#ifndef CAROM_IO_PARTS_BASE64_H
#define CAROM_IO_PARTS_BASE64_H

#include "carom/base.h"

/* Bytes that wait until there are three. */
typedef struct base64_rest {
    unsigned char byte[3];
    int count;
} base64_rest;

/* Four letters of one to three bytes, which wait no longer. */
void base64_letters(base64_rest *rest, char letter[4]);
/* All of it. */
void base64_append(carom_text *text, size_t count, const char *bytes);

#endif
