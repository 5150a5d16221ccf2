/* What hides lines of a scene in space: the surfaces of its bodies. */
#ifndef CAROM_RUN_CURVES_SCENE_COVER_H
#define CAROM_RUN_CURVES_SCENE_COVER_H

#include "carom/model/bodies.h"

typedef struct scene_cover scene_cover;

/* The surfaces of all bodies at these poses, seen from `view`, but those of half spaces, which would hide everything from
 * below. NULL: memory is short. */
scene_cover *scene_cover_create(const carom_bodies *bodies, const carom_pose *pose, const carom_view *view);
void scene_cover_free(scene_cover *cover);
/* Calls `line` with those pieces of the segment that nothing hides but `own`, the body it belongs to. */
void scene_cover_show(const scene_cover *cover, int own, const double from[3], const double to[3],
                      carom_shape_line *line, void *context);

#endif
