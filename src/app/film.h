/* Films of report pages: the animation of a page is drawn picture by picture by a browser that nobody sees, and put together by
 * ffmpeg.
 *
 *   film_check, before anything is computed; film_open -> a page is written to film_page_path -> film_make; film_free
 *
 * It needs a page and nothing of the run that made it. */
#ifndef CAROM_APP_FILM_H
#define CAROM_APP_FILM_H

#include "command.h"

typedef struct film {
    const char *video;  /* FILE.mp4, FILE.gif, FILE.webm; NULL: none */
    const char *frames; /* folder of pictures; NULL: none */
    int fps, width, height;
    double speed; /* units of the motion's time per second of the film; 0: as it suits */
    bool quiet;
    char *folder;          /* for what is there while it is made; NULL: not yet */
    const char *why_empty; /* what to say when there is nothing to draw */
} film;

enum {
    FILM_FPS = 25,
    FILM_FPS_MOST = 100,
    FILM_WIDTH = 1280,
    FILM_HEIGHT = 720,
    FILM_SIDE_LEAST = 64,
    FILM_SIDE_MOST = 7680,
    FILM_PICTURES_MOST = 100000
};

/* Options of a command that makes films: five entries of its table, in this order. */
enum {
    FILM_OPTION_VIDEO,
    FILM_OPTION_FRAMES,
    FILM_OPTION_FPS,
    FILM_OPTION_SIZE,
    FILM_OPTION_SPEED,
    FILM_OPTIONS
};

/* Reads them from the option `first` on; false after a message. */
bool film_read_options(film *self, const command *by, const arguments *given, int first, bool quiet);
bool film_is_wanted(const film *self);
/* "640x480": even numbers, as the coding of films wants them. */
bool film_read_size(const char *word, int *width, int *height);
/* Are browser and ffmpeg there, can the outputs be written? BAD_INPUT says what is missing. */
carom_status film_check(const film *self, carom_error *error);
/* Makes the folder. */
carom_status film_open(film *self, carom_error *error);
/* Where the page is to be written; the caller's to free. NULL: memory is short. */
char *film_page_path(const film *self);
carom_status film_make(const film *self, carom_error *error);
/* Removes the folder; without one nothing happens. */
void film_free(film *self);

#endif
