/* cylinder: an elastic cylinder on a plate, condensed to the nodes that may touch it. Any units that fit
 * each other. */
#ifndef CAROM_SUBJECT_CYLINDER_H
#define CAROM_SUBJECT_CYLINDER_H

#include "carom/base.h"

/* A disc of core x core cells with `rings` of 4 core cells around it, `layers` over the height; bricks with
 * eight nodes, 27 Gauss points. The top is held by a rigid plate. */
typedef struct carom_cylinder {
    double radius, height, young, poisson;
    int core; /* even */
    int rings, layers;
} carom_cylinder;

/* Nodes of the lower face: their number, or 0 when the mesh has none (core odd, or a number below 1). */
int carom_cylinder_contacts(const carom_cylinder *cylinder);

/* x, y and area (the consistent share of the face) of each contact; W, 3 contacts square, row-major, in
 * the order normal, x, y: displacements of the nodes under forces on them. The arrays are the caller's.
 * BAD_INPUT for sizes and material, FAILED when the stiffness is singular. Takes memory while it works. */
carom_status carom_cylinder_compliance(const carom_cylinder *cylinder, double *x, double *y, double *area,
                                       double *W, carom_error *error);

#endif
