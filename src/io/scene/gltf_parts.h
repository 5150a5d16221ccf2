/* Pieces of a glTF file: numbers in one buffer, and lists of JSON objects that name each other by their places. */
#ifndef CAROM_IO_SCENE_GLTF_PARTS_H
#define CAROM_IO_SCENE_GLTF_PARTS_H

#include "carom/io.h"

/* A list of objects: text of the JSON, and how many there are. */
typedef struct gltf_list {
    carom_text text;
    int count;
} gltf_list;

typedef struct gltf_parts {
    carom_text buffer; /* bytes */
    gltf_list views, accessors, meshes, nodes, samplers, channels;
    gltf_list children; /* of the root: numbers of nodes */
} gltf_parts;

typedef enum gltf_use {
    GLTF_PLACES, /* corners of meshes: have their bounds beside them */
    GLTF_CORNERS,
    GLTF_TIMES,
    GLTF_OTHER,
} gltf_use;

/* Numbers in single precision, `components` each (1: SCALAR, 3: VEC3, 4: VEC4); returns the accessor. */
int gltf_numbers(gltf_parts *parts, gltf_use use, int components, size_t count, const float *value);
int gltf_corners(gltf_parts *parts, size_t count, const uint32_t *corner);
/* Adds an object; its place. */
int gltf_add(gltf_list *list, const char *format, ...) CAROM_PRINTF(2, 3);
/* All of it as .glb. */
carom_status gltf_write_file(gltf_parts *parts, const char *root, const char *path, carom_error *error);
void gltf_free(gltf_parts *parts);

#endif
