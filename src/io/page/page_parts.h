/* Parts of the page of a run:
 *
 *   report.c -> experiment.c: model, parameters     motion.c: clock, coordinates -> scene.c: how it looks -> bodies.c
 *            -> run_facts.c: how it went            figures.c: plots                                      -> pushes.c
 *
 * page.c is the frame of every page, sections.c what else stands on pages. */
#ifndef CAROM_IO_PAGE_PAGE_PARTS_H
#define CAROM_IO_PAGE_PAGE_PARTS_H

#include "carom/io/page.h"
#include "carom/model/bodies.h"
#include "carom/run/curves.h"
#include "carom/run/frames.h"

/* Status, options, certificate, measures, warnings, events of a run. */
void page_run_facts(carom_page *self, const carom_experiment *experiment, const carom_run_result *result);
/* The same of a run that was read from a file. */
void page_stored_facts(carom_page *self, const carom_experiment *experiment, const carom_run_member *run);
/* The plots of an experiment. */
carom_status page_figures(carom_page *self, const carom_curve_source *source, carom_error *error);

/* Numbers of a scene in each frame. */
size_t page_scene_width(const carom_scene *scene);
/* `pushes`: where bodies touched; NULL: not known. */
carom_status page_scene(carom_page *self, const carom_scene *scene, const carom_frames *frames,
                        const carom_push_series *pushes, carom_error *error);
/* The item "bodies" of a scene; widens low and high to what ends. */
carom_status page_bodies(carom_page *self, const carom_scene *scene, const carom_frames *frames,
                         double low[3], double high[3], carom_error *error);
/* The item "contacts" of bodies. */
carom_status page_pushes(carom_page *self, const carom_bodies *bodies, const carom_frames *frames,
                         const carom_push_series *pushes, carom_error *error);

#endif
