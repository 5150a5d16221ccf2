/* Report pages: what a command found, as one HTML file (docs/rooms/web.md has its form).
 *
 *   page_open -> facts, tables, motion, figures, in any order -> page_close, which writes the file
 *
 * Everything goes into one JSON object; numbers in bulk go into arrays beside it. */
#ifndef CAROM_APP_PAGE_H
#define CAROM_APP_PAGE_H

#include "carom/io/page.h"
#include "carom/model/bodies.h"
#include "carom/run/frames.h"
#include "command.h"
#include "gnuplot.h"

typedef struct page {
    carom_payload *payload;
    carom_text text;
    carom_json json;
    const char *title; /* the caller's */
    bool space;        /* shows a motion in space */
} page;

/* `kind` is one of those that the page knows: "run", "sweep", ... */
carom_status page_open(page *self, const char *kind, const char *title, carom_error *error);
/* A page about an experiment: its title, the command that repeats it (argc and argv are the command's own), its source,
 * parameters and text. */
carom_status page_begin(page *self, const char *kind, const carom_experiment *experiment,
                        const double *parameter, const command *made_by, int argc, char **argv,
                        carom_error *error);
/* Writes the page, whole or not at all, where `status`, of what was to be put on it, is OK; frees it, and returns how it went. A
 * page that was not opened is fine. */
carom_status page_end(page *self, carom_status status, const char *path, carom_error *error);
/* Without a file; a zeroed one is fine. */
void page_discard(page *self);

/* Can pages be made? BAD_INPUT says what is missing in this program, or in the path. */
carom_status page_check(const char *path, carom_error *error);
carom_status page_can_be_made(carom_error *error);

/* The command that repeats it: without --report and other options that write files. */
void page_command(page *self, const command *made_by, int argc, char **argv);
/* An array by key. */
void page_numbers(page *self, const char *key, size_t count, const double *value);

/* Status, options, certificate, measures, warnings, events of a run. */
void page_run_facts(page *self, const carom_experiment *experiment, const finished_run *run);
/* The same of a run that was read from a file. */
void page_stored_facts(page *self, const carom_experiment *experiment, const carom_run_member *run);
/* Clock, coordinates and scene from the rows of a run. */
carom_status page_motion(page *self, const carom_experiment *experiment, const double *parameter,
                         const double *values, const carom_series *series, const carom_push_series *pushes,
                         carom_error *error);
/* The plots of an experiment. */
carom_status page_figures(page *self, const plot_source *source, carom_error *error);

/* Numbers of a scene in each frame. */
size_t page_scene_width(const carom_scene *scene);
/* `pushes`: where bodies touched; NULL: not known. */
carom_status page_scene(page *self, const carom_scene *scene, const carom_frames *frames,
                        const carom_push_series *pushes, carom_error *error);
/* The item "bodies" of a scene; widens low and high to what ends. */
carom_status page_bodies(page *self, const carom_scene *scene, const carom_frames *frames, double low[3],
                         double high[3], carom_error *error);
/* The item "contacts" of bodies. */
carom_status page_pushes(page *self, const carom_bodies *bodies, const carom_frames *frames,
                         const carom_push_series *pushes, carom_error *error);

#endif
