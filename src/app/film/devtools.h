/* Commands of the DevTools protocol to one page of a browser, and what it answers. */
#ifndef CAROM_APP_FILM_DEVTOOLS_H
#define CAROM_APP_FILM_DEVTOOLS_H

#include <stdio.h>

#include "browser.h"

typedef struct devtools {
    browser browser;
    carom_text session; /* of the page, as JSON writes it */
    long last;          /* number of the last command */
} devtools;

/* A browser with one empty page of that size. */
carom_status devtools_open(devtools *self, const char *folder, int width, int height, carom_error *error);
void devtools_close(devtools *self);

carom_status devtools_navigate(devtools *self, const char *path, carom_error *error);
/* The value of an expression of JavaScript, which is made a text; of a promise, when it is kept. */
carom_status devtools_evaluate(devtools *self, const char *expression, carom_text *value, carom_error *error);
/* What is seen, as PNG. */
carom_status devtools_picture(devtools *self, FILE *stream, carom_error *error);

/* Reading answers (devtools_text.c): the value of the first member `key` in a JSON text, at any depth; NULL: none. A text begins with
 * its quote. */
const char *devtools_member(const char *json, const char *key);
/* Appends the text that begins at a quote; false: it is none. */
bool devtools_text(const char *quoted, carom_text *text);
/* Writes the bytes that letters of base64 stand for, up to the quote; false: a letter is none of them. */
bool devtools_write_base64(const char *letters, FILE *stream);

#endif
