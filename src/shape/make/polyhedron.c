#include <string.h>

#include "hull.h"

/* The face that has the edge from `from` to `to`, -1 when there is none. */
static int face_with(int faces, const int *first, const int *corner, int from, int to)
{
    for (int f = 0; f < faces; f++) {
        const int corners = first[f + 1] - first[f];
        for (int i = 0; i < corners; i++)
            if (corner[first[f] + i] == from && corner[first[f] + (i + 1) % corners] == to)
                return f;
    }
    return -1;
}

const polyhedron *polyhedron_make(carom_arena *arena, int faces, const int *first, const int *corner)
{
    const int corners = first[faces];
    polyhedron *solid = carom_arena_take(arena, 1, sizeof *solid);
    int *own_first = carom_arena_take(arena, (size_t)faces + 1, sizeof *own_first);
    int *own_corner = carom_arena_take(arena, (size_t)corners, sizeof *own_corner);
    int *edge = carom_arena_take(arena, (size_t)corners / 2 + 1, 4 * sizeof *edge);
    if (!solid || !own_first || !own_corner || !edge)
        return NULL;
    memcpy(own_first, first, ((size_t)faces + 1) * sizeof *first);
    memcpy(own_corner, corner, (size_t)corners * sizeof *corner);
    int edges = 0;
    for (int f = 0; f < faces; f++) {
        const int count = first[f + 1] - first[f];
        for (int i = 0; i < count; i++) {
            const int from = corner[first[f] + i], to = corner[first[f] + (i + 1) % count];
            if (from > to)
                continue;
            const int right = face_with(faces, first, corner, to, from);
            const int found[4] = {from, to, f, right};
            memcpy(edge + 4 * edges++, found, sizeof found);
        }
    }
    *solid =
        (polyhedron){.faces = faces, .edges = edges, .first = own_first, .corner = own_corner, .edge = edge};
    return solid;
}
