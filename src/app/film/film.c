/* A film from a page: opens it in a browser, sets its clock picture by picture, keeps what is seen. */
#include "app/film.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/parts/process.h"
#include "carom/io.h"
#include "devtools.h"
#include "encode.h"

static const double READY_SECONDS = 120.0;
/* Motions of that length are shown as fast as they are, others in so many seconds. */
static const double REAL_LEAST = 2.0, REAL_MOST = 60.0, FILM_SECONDS = 10.0;

/* ---- before the run -------------------------------------------------------------------------------- */

bool film_read_size(const char *word, int *width, int *height)
{
    char *times, *end;
    const long across = strtol(word, &times, 10);
    if (times == word || *times != 'x')
        return false;
    const long down = strtol(times + 1, &end, 10);
    if (end == times + 1 || *end || across < 0 || across > FILM_SIDE_MOST || down < 0 ||
        down > FILM_SIDE_MOST)
        return false;
    *width = (int)across;
    *height = (int)down;
    const int least = *width < *height ? *width : *height, most = *width < *height ? *height : *width;
    return least >= FILM_SIDE_LEAST && most <= FILM_SIDE_MOST && *width % 2 == 0 && *height % 2 == 0;
}

/* There may be an empty folder, or none. */
static carom_status check_frames(const char *frames, carom_error *error)
{
    struct stat info;
    if (stat(frames, &info) != 0)
        return CAROM_OK;
    DIR *folder = opendir(frames);
    bool empty = folder != NULL;
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder))
        empty = empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    if (folder)
        closedir(folder);
    return empty
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT,
                            "--frames %s: this is there already, and is not an empty folder; give a new name",
                            frames);
}

carom_status film_check(const film *self, carom_error *error)
{
    carom_status status = self->video ? encode_check(self->video, error) : CAROM_OK;
    if (status == CAROM_OK && !browser_program())
        status =
            carom_fail(error, CAROM_BAD_INPUT,
                       "a film is drawn by the browser Chromium, which is not installed (Debian: apt-get "
                       "install chromium%s)",
                       self->video ? " ffmpeg" : "");
    if (status == CAROM_OK && self->video)
        status = carom_output_try(self->video, error);
    if (status == CAROM_OK && self->frames)
        status = check_frames(self->frames, error);
    return status;
}

carom_status film_open(film *self, carom_error *error)
{
    const char *place = getenv("TMPDIR");
    progress_begin(self->quiet, "pictures"); /* from here on Ctrl-C leaves nothing behind */
    self->folder = process_join(place && place[0] == '/' ? place : "/tmp", "carom-film-XXXXXX");
    if (!self->folder)
        return carom_fail_memory(error);
    if (mkdtemp(self->folder))
        return CAROM_OK;
    const carom_status status =
        carom_fail(error, CAROM_IO_ERROR, "cannot make the folder %s: %s", self->folder, strerror(errno));
    free(self->folder);
    self->folder = NULL;
    return status;
}

char *film_page_path(const film *self)
{
    return process_join(self->folder, "page.html");
}

void film_free(film *self)
{
    if (self->folder)
        process_remove_folder(self->folder);
    free(self->folder);
    self->folder = NULL;
}

/* ---- the page -------------------------------------------------------------------------------------- */

/* Until the page says that all is drawn. */
static carom_status wait_until_ready(devtools *page, carom_error *error)
{
    const double deadline = carom_seconds() + READY_SECONDS;
    for (;;) {
        carom_text ready = {0};
        carom_status status =
            devtools_evaluate(page, "document.documentElement?.dataset.ready", &ready, error);
        const bool yes = status == CAROM_OK && ready.bytes && strcmp(ready.bytes, "yes") == 0,
                   no = status == CAROM_OK && ready.bytes && strcmp(ready.bytes, "no") == 0;
        carom_text_free(&ready);
        if (yes || status != CAROM_OK)
            return status;
        if (no || carom_seconds() > deadline)
            return carom_fail(error, CAROM_FAILED,
                              no ? "the browser cannot show the page of the film; --report FILE.html writes "
                                   "the page, which says why when it is opened"
                                 : "the page of the film is not drawn after two minutes");
        if (progress_is_stopped())
            return carom_fail(error, CAROM_INTERRUPTED, "stopped before the film was drawn");
        process_pause(0.05);
    }
}

typedef struct span {
    double start, end;
} span;

static bool read_times(const char *text, span *motion)
{
    char *between, *end;
    motion->start = strtod(text, &between);
    motion->end = strtod(between, &end);
    return between != text && end != between && isfinite(motion->end - motion->start);
}

static carom_status open_page(const film *self, devtools *page, span *motion, carom_error *error)
{
    char *path = film_page_path(self);
    carom_text shown = {0}, times = {0};
    carom_status status = path ? devtools_navigate(page, path, error) : carom_fail_memory(error);
    free(path);
    if (status == CAROM_OK)
        status = wait_until_ready(page, error);
    if (status == CAROM_OK)
        status = devtools_evaluate(page, "window.carom.film(true)", &shown, error);
    if (status == CAROM_OK && strcmp(shown.bytes ? shown.bytes : "", "true") != 0)
        status = carom_fail(error, CAROM_BAD_INPUT, "%s",
                            self->why_empty ? self->why_empty : "the page has no animation to film");
    if (status == CAROM_OK)
        status = devtools_evaluate(
            page, "window.carom.data.clock.t[0] + ' ' + window.carom.data.clock.t.at(-1)", &times, error);
    if (status == CAROM_OK && !read_times(times.bytes ? times.bytes : "", motion))
        status = carom_fail(error, CAROM_FAILED, "the page of the film does not say how long it lasts");
    carom_text_free(&shown);
    carom_text_free(&times);
    return status;
}

/* ---- pictures -------------------------------------------------------------------------------------- */

static double speed_of(const film *self, double duration)
{
    if (self->speed > 0.0)
        return self->speed;
    return duration >= REAL_LEAST && duration <= REAL_MOST ? 1.0 : duration / FILM_SECONDS;
}

/* From the first moment to the last one that fits. */
static carom_status count_pictures(const film *self, double duration, int *count, carom_error *error)
{
    const double speed = speed_of(self, duration),
                 wanted =
                     duration > 0.0 ? floor(duration / speed * self->fps * (1.0 + 1e-12) + 1e-9) + 1.0 : 1.0;
    if (!(wanted <= FILM_PICTURES_MOST))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the film would have %.3g pictures, at most %d are made: a motion of %.4g at %.4g per "
            "second of the film; give a larger --speed or a smaller --fps",
            wanted, FILM_PICTURES_MOST, duration, speed);
    *count = (int)wanted;
    return CAROM_OK;
}

static carom_status take_picture(devtools *page, double t, const char *path, carom_error *error)
{
    char expression[256];
    carom_text nothing = {0};
    /* The clock draws at once; the browser shows it with its next picture. */
    snprintf(expression, sizeof expression,
             "(window.carom.clock.set(%.17g), new Promise(done => { setTimeout(done, 500); "
             "requestAnimationFrame(() => done(1)) }))",
             t);
    carom_status status = devtools_evaluate(page, expression, &nothing, error);
    carom_text_free(&nothing);
    if (status != CAROM_OK)
        return status;
    FILE *stream = fopen(path, "wb");
    if (!stream)
        return carom_fail(error, CAROM_IO_ERROR, "cannot write %s: %s", path, strerror(errno));
    status = devtools_picture(page, stream, error);
    const bool broken = ferror(stream) != 0;
    if ((fclose(stream) != 0 || broken) && status == CAROM_OK)
        status = carom_fail(error, CAROM_IO_ERROR, "cannot write %s: %s", path, strerror(errno));
    return status;
}

static carom_status take_pictures(const film *self, devtools *page, const span *motion, const char *folder,
                                  int *count, carom_error *error)
{
    const double duration = motion->end - motion->start;
    carom_status status = count_pictures(self, duration, count, error);
    const double step = speed_of(self, duration) / self->fps;
    const carom_progress progress = progress_begin(self->quiet, "pictures");
    for (int k = 0; status == CAROM_OK && k < *count; k++) {
        carom_text path = {0};
        carom_text_append(&path, "%s/frame-%05d.png", folder, k);
        status = path.failed ? carom_fail_memory(error)
                             : take_picture(page, motion->start + k * step, path.bytes, error);
        carom_text_free(&path);
        if (!progress.report(progress.context, k + 1, *count) && status == CAROM_OK)
            status = carom_fail(error, CAROM_INTERRUPTED, "stopped after picture %d of %d of the film", k + 1,
                                *count);
    }
    progress_end();
    return status;
}

/* ---- the film -------------------------------------------------------------------------------------- */

/* Where pictures are collected: beside the folder that is asked for, so that it gets its name when they are complete. */
static carom_status pictures_open(const film *self, char **folder, carom_error *error)
{
    carom_text path = {0};
    if (self->frames) {
        size_t length = strlen(self->frames);
        while (length > 1 && self->frames[length - 1] == '/')
            length--;
        carom_text_append(&path, "%.*s.new-XXXXXX", (int)length, self->frames);
    } else {
        carom_text_append(&path, "%s/frames-XXXXXX", self->folder);
    }
    *folder = path.failed ? NULL : path.bytes;
    if (!*folder)
        return carom_fail_memory(error);
    if (mkdtemp(*folder))
        return CAROM_OK;
    const carom_status status =
        carom_fail(error, CAROM_BAD_INPUT, "cannot make the folder %s for the pictures: %s",
                   self->frames ? self->frames : *folder, strerror(errno));
    free(*folder);
    *folder = NULL;
    return status;
}

static carom_status pictures_deliver(const film *self, const char *folder, carom_error *error)
{
    const mode_t hidden = umask(0);
    umask(hidden);
    chmod(folder, 0777 & ~hidden);
    if (rename(folder, self->frames) == 0)
        return CAROM_OK;
    return carom_fail(error, CAROM_IO_ERROR, "cannot give the folder of pictures its name %s: %s",
                      self->frames, strerror(errno));
}

static carom_status draw(const film *self, const char *folder, int *count, carom_error *error)
{
    devtools page;
    span motion;
    carom_status status = devtools_open(&page, self->folder, self->width, self->height, error);
    if (status == CAROM_OK)
        status = open_page(self, &page, &motion, error);
    if (status == CAROM_OK)
        status = take_pictures(self, &page, &motion, folder, count, error);
    devtools_close(&page);
    return status;
}

carom_status film_make(const film *self, carom_error *error)
{
    char *folder = NULL;
    int count = 0;
    carom_status status = pictures_open(self, &folder, error);
    if (status != CAROM_OK)
        return status;
    status = draw(self, folder, &count, error);
    if (status == CAROM_OK && self->video)
        status = encode_film(self, folder, count, error);
    if (status == CAROM_OK && self->frames)
        status = pictures_deliver(self, folder, error);
    if (status != CAROM_OK || !self->frames)
        process_remove_folder(folder);
    free(folder);
    if (status != CAROM_OK || self->quiet)
        return status;
    if (self->video)
        fprintf(stderr, "film: %s (%d pictures, %.3g s)\n", self->video, count, (double)count / self->fps);
    if (self->frames)
        fprintf(stderr, "pictures: %s/frame-%05d.png ... frame-%05d.png\n", self->frames, 0, count - 1);
    return CAROM_OK;
}
