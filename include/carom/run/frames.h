/* A motion as pictures need it, frame by frame: which outputs, and lines and faces of all that is seen. Part of room run. */
#ifndef CAROM_RUN_FRAMES_H
#define CAROM_RUN_FRAMES_H

#include "carom/run.h"
#include "carom/shape.h"

/* Some outputs of a series: every stride-th and the last one. */
typedef struct carom_frames {
    const carom_series *series;
    size_t count, stride;
} carom_frames;
/* At most `most` of them, evenly; most >= 2. */
carom_frames carom_frames_of(const carom_series *series, size_t most);
static inline const double *carom_frame_row(const carom_frames *frames, size_t frame)
{
    const size_t row = frame * frames->stride;
    return carom_series_row(frames->series, row < frames->series->count ? row : frames->series->count - 1);
}

typedef enum carom_cell_kind {
    CAROM_CELL_POINT,
    CAROM_CELL_LINE, /* through its corners */
    CAROM_CELL_FACE, /* a polygon */
} carom_cell_kind;

/* What is seen at one output. */
typedef struct carom_mesh {
    size_t points;
    double *point;    /* 3 each */
    double *velocity; /* 3 each: of bodies; 0 for what has none */
    size_t cells;
    unsigned char *kind; /* carom_cell_kind */
    int *owner;          /* body, from 0; structure and things that are drawn come behind them */
    size_t *first;       /* place of a cell's first corner, and of what comes next: cells + 1 */
    int *corner;
    size_t point_room, cell_room, corner_room;
    bool failed; /* memory was short */
} carom_mesh;

/* How wide endless floors and walls are drawn: twice the size of what ends. `pose` is room for the bodies' poses. */
double carom_scene_extent(const carom_scene *scene, const carom_frames *frames, carom_pose *pose);

/* What a scene is made of, once for all frames. */
typedef struct carom_mesher carom_mesher;
/* Endless floors and walls are drawn as wide as what the frames hold. */
carom_status carom_mesher_create(const carom_scene *scene, const carom_frames *frames, carom_mesher **mesher,
                                 carom_error *error);
void carom_mesher_free(carom_mesher *mesher);
/* Fills the mesh, whose memory is used again. */
carom_status carom_mesher_fill(carom_mesher *mesher, size_t frame, carom_mesh *mesh, carom_error *error);
void carom_mesh_free(carom_mesh *mesh);

/* Where two bodies push each other, and the impulse on the one that is carried: of the two, the one against gravity. */
struct carom_bodies;
void carom_push_show(const struct carom_bodies *bodies, const carom_pose *pose, const carom_push *push,
                     double at[3], double impulse[3]);

/* Where it touches at a frame, and what is pushed. */
typedef struct carom_mesh_push {
    double at[3], impulse[3];
    int regime; /* carom_contact_regime */
} carom_mesh_push;
/* Contacts that are drawn with touch(...), then points of bodies where `pushes` (may be NULL) has the output; writes up to
 * `room` and returns how many there are. */
size_t carom_mesher_pushes(carom_mesher *mesher, size_t frame, const carom_push_series *pushes, size_t room,
                           carom_mesh_push *push);

#endif
