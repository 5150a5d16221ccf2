/* A browser without a window, to which messages go through a socket. */
#ifndef CAROM_APP_FILM_BROWSER_H
#define CAROM_APP_FILM_BROWSER_H

#include <sys/types.h>

#include "carom/base.h"

typedef struct browser {
    pid_t child;
    int pipe;
    char *log;
    char *buffer; /* what came and was not read yet */
    size_t length, capacity, taken;
} browser;

/* The first of the known browsers that is installed; NULL: none. */
const char *browser_program(void);

/* Its profile and its messages go into `folder`. */
carom_status browser_open(browser *self, const char *folder, int width, int height, carom_error *error);
/* Sends a text with its ending zero. */
carom_status browser_send(browser *self, const carom_text *message, carom_error *error);
/* The next message, which stays until the next call; FAILED when none comes before `deadline` (carom_seconds). */
carom_status browser_receive(browser *self, double deadline, const char **message, carom_error *error);
/* Ends it with all its children; after browser_open, whatever that returned. */
void browser_close(browser *self);

#endif
