/* Files of scenes, for other programs. Part of room io.
 *
 *   VTK    a folder: NAME.pvd, and per frame a file of lines and faces and one of contacts (ParaView, pyvista)
 *   glTF   one file, .glb: bodies that move, with their shapes, and what is drawn */
#ifndef CAROM_IO_SCENE_H
#define CAROM_IO_SCENE_H

#include "carom/run/frames.h"

typedef struct carom_scene_source {
    const carom_scene *scene;
    carom_frames frames;
    const carom_push_series *pushes; /* where bodies touch; NULL: not known */
    const char *name;                /* of what is shown */
} carom_scene_source;

/* One file, an animated scene (Blender, browsers); name.glb. */
carom_status carom_gltf_write(const carom_scene_source *source, const char *path, carom_error *error);

/* Writes DIRECTORY/scene.pvd, shapes-0000.vtp, contacts-0000.vtp, ...; the directory is made. Files of that form that
 * are there are replaced; the .pvd comes last, so that it names nothing that is not there. */
carom_status carom_vtk_write(const carom_scene_source *source, const char *directory, carom_error *error);

#endif
