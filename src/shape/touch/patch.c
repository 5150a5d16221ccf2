#include "patch.h"

#include <string.h>

/* Sides of the reference polygon meet in its corners. */
static int reference_corner(const polygon *reference, int side, int other)
{
    const int next = (side + 1) % reference->corners;
    return reference->vertex[other == next ? next : side];
}

/* A new corner on the way from one corner of the patch to the next, where side k cuts it. */
static patch_corner crossing(const polygon *reference, const polygon *incident, const patch_corner *from,
                             const patch_corner *to, double part_of, int k)
{
    patch_corner corner = {.side = from->side};
    for (int i = 0; i < 3; i++)
        corner.point[i] = from->point[i] + part_of * (to->point[i] - from->point[i]);
    if (from->side >= 0) {
        corner.reference = reference->edge[k];
        corner.incident = incident->edge[from->side];
    } else {
        corner.reference = reference_corner(reference, k, -1 - from->side);
        corner.incident = incident->face;
    }
    return corner;
}

/* Keeps what is inside of side k; corners within the tolerance of it are on it. */
static int cut_side(const polygon *reference, const polygon *incident, int k, double tolerance, int corners,
                    const patch_corner *from, patch_corner *to)
{
    const double *start = reference->point[k], *end = reference->point[(k + 1) % reference->corners];
    double side[3], outward[3];
    subtract(end, start, side);
    cross(side, reference->normal, outward);
    normalise(outward);
    const double level = dot(outward, start);
    int kept = 0;
    for (int i = 0; i < corners && kept < 2 * PATCH_CORNERS - 2; i++) {
        const patch_corner *here = &from[i], *next = &from[i + 1 < corners ? i + 1 : 0];
        const double d = dot(outward, here->point) - level, d_next = dot(outward, next->point) - level;
        if (d <= tolerance)
            to[kept++] = *here;
        if (d < -tolerance && d_next > tolerance) { /* goes out: the way back is along the side */
            to[kept] = crossing(reference, incident, here, next, d / (d - d_next), k);
            to[kept++].side = -1 - k;
        } else if (d > tolerance && d_next < -tolerance) {
            to[kept++] = crossing(reference, incident, here, next, d / (d - d_next), k);
        } else if (fabs(d) <= tolerance && d_next > tolerance) {
            to[kept - 1].side = -1 - k;
        }
    }
    return kept;
}

int patch_cut(const polygon *reference, const polygon *incident, double tolerance, patch_corner *corner)
{
    patch_corner other[2 * PATCH_CORNERS];
    int corners = incident->corners;
    for (int i = 0; i < corners; i++) {
        copy(incident->point[i], corner[i].point);
        corner[i].reference = reference->face;
        corner[i].incident = incident->vertex[i];
        corner[i].side = i;
    }
    for (int k = 0; k < reference->corners && corners > 0; k++) {
        corners = cut_side(reference, incident, k, tolerance, corners, corner, other);
        memcpy(corner, other, (size_t)corners * sizeof *corner);
    }
    return corners;
}

/* ---- few points for many ---------------------------------------------------------------------------------- */

/* The lowest, the lowest features of those that are as low. */
static int lowest(int corners, const double *height, double tolerance)
{
    int best = 0;
    for (int i = 1; i < corners; i++)
        if (height[i] < height[best] - tolerance)
            best = i;
    return best;
}

/* Moves the points that span the patch to the front: the lowest, then each time the one that is farthest from those
 * taken. Of points that are equally far the first is taken, with room for rounding, so that a body at rest keeps them. */
static int choose_few(int corners, patch_corner *corner, double *height, double tolerance)
{
    if (corners <= PATCH_TOUCHES)
        return corners;
    double apart[2 * PATCH_CORNERS];
    for (int i = 0; i < corners; i++)
        apart[i] = INFINITY;
    int next = lowest(corners, height, tolerance);
    for (int taken = 0; taken < PATCH_TOUCHES; taken++) {
        const patch_corner moved = corner[next];
        const double moved_height = height[next];
        corner[next] = corner[taken];
        height[next] = height[taken];
        apart[next] = apart[taken];
        corner[taken] = moved;
        height[taken] = moved_height;
        next = taken + 1;
        for (int i = taken + 1; i < corners; i++) {
            apart[i] = fmin(apart[i], distance(corner[i].point, moved.point));
            if (apart[i] > apart[next] * (1.0 + 1e-6) + tolerance)
                next = i;
        }
    }
    return PATCH_TOUCHES;
}

/* Corners that the margin shows, by their features. */
static int keep_near(int corners, patch_corner *corner, double *height, double highest)
{
    int kept = 0;
    for (int i = 0; i < corners; i++) {
        if (!(height[i] <= highest))
            continue;
        const patch_corner moved = corner[i];
        const double moved_height = height[i];
        int j = kept++;
        for (; j > 0 &&
               (corner[j - 1].reference > moved.reference ||
                (corner[j - 1].reference == moved.reference && corner[j - 1].incident > moved.incident));
             j--) {
            corner[j] = corner[j - 1];
            height[j] = height[j - 1];
        }
        corner[j] = moved;
        height[j] = moved_height;
    }
    return kept;
}

/* One corner may be told for each pair of features: cutting near a corner can give two. */
static int drop_doubles(int corners, patch_corner *corner, double *height)
{
    int kept = 0;
    for (int i = 0; i < corners; i++) {
        if (kept > 0 && corner[kept - 1].reference == corner[i].reference &&
            corner[kept - 1].incident == corner[i].incident)
            continue;
        corner[kept] = corner[i];
        height[kept++] = height[i];
    }
    return kept;
}

double patch_tell(const polygon *reference, double reference_radius, const polygon *incident,
                  double incident_radius, bool first, double tolerance, double highest, touch_list *list)
{
    patch_corner corner[2 * PATCH_CORNERS];
    double height[2 * PATCH_CORNERS], least = INFINITY;
    int corners = patch_cut(reference, incident, tolerance, corner);
    const double *n = reference->normal, level = dot(n, reference->point[0]);
    for (int i = 0; i < corners; i++) {
        height[i] = dot(n, corner[i].point) - level;
        least = fmin(least, height[i]);
    }
    if (!(least <= highest))
        return least;
    const double radii = reference_radius + incident_radius;
    corners = keep_near(corners, corner, height, list->margin + radii);
    corners = drop_doubles(corners, corner, height);
    corners = choose_few(corners, corner, height, tolerance);
    for (int i = 0; i < corners; i++) {
        double point[3], normal[3] = {n[0], n[1], n[2]};
        touch_by_face(list, first, reference->face & (FEATURE_EDGE - 1));
        if (first) {
            for (int k = 0; k < 3; k++)
                normal[k] = -n[k];
            along(corner[i].point, -incident_radius, n, point);
            touch_add(list, corner[i].reference, corner[i].incident, height[i] - radii, normal, point);
        } else {
            along(corner[i].point, reference_radius - height[i], n, point);
            touch_add(list, corner[i].incident, corner[i].reference, height[i] - radii, normal, point);
        }
    }
    return least;
}
