#include "pairs_cone.h"

#include <string.h>

/* The normal of the projection: s >= 0 with s - z_N = sum over parts of k (|z_part| - k s)_+. The root without the
 * signs of the brackets is not larger than this one, so that a part whose bracket is not positive there has none; with
 * each part that goes the root grows. */
static double project_normal(int parts, const double *coefficient, const double *length, double z)
{
    bool bound[PAIRS_MOST_PARTS] = {false};
    double normal = z;
    for (int part = 0; part < parts; part++)
        bound[part] = coefficient[part] > 0.0;
    for (bool changed = true; changed;) {
        double above = z, below = 1.0;
        changed = false;
        for (int part = 0; part < parts; part++)
            if (bound[part]) {
                above += coefficient[part] * length[part];
                below += coefficient[part] * coefficient[part];
            }
        normal = above / below;
        for (int part = 0; part < parts; part++)
            if (bound[part] && length[part] <= coefficient[part] * normal) {
                bound[part] = false;
                changed = true;
            }
    }
    return fmax(0.0, normal);
}

void pairs_cone_project(int d, int s, const double *coefficient, const double *z, double *p)
{
    const int parts = pairs_parts(d, s);
    double length[PAIRS_MOST_PARTS] = {0.0};
    for (int part = 0; part < parts; part++)
        length[part] = pairs_part_length(pairs_part_size(s, part), z + pairs_part_start(s, part));
    p[0] = project_normal(parts, coefficient, length, z[0]);
    for (int part = 0; part < parts; part++) {
        const double most = coefficient[part] * p[0];
        const double factor = length[part] > most ? most / length[part] : 1.0;
        const int start = pairs_part_start(s, part);
        for (int k = start; k < start + pairs_part_size(s, part); k++)
            p[k] = factor * z[k];
    }
}

double pairs_cone_distance(int d, int s, const double *coefficient, const double *r, const double *u)
{
    double z[PAIRS_MOST] = {0.0}, p[PAIRS_MOST] = {0.0}, sum = 0.0;
    for (int k = 0; k < d; k++)
        z[k] = r[k] - u[k];
    for (int part = 0; part < pairs_parts(d, s); part++)
        z[0] -=
            coefficient[part] * pairs_part_length(pairs_part_size(s, part), u + pairs_part_start(s, part));
    pairs_cone_project(d, s, coefficient, z, p);
    for (int k = 0; k < d; k++)
        sum += (r[k] - p[k]) * (r[k] - p[k]);
    const double normal = fmin(r[0], u[0]);
    return fmax(sum, normal * normal);
}
