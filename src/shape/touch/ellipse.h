#ifndef CAROM_SHAPE_TOUCH_ELLIPSE_H
#define CAROM_SHAPE_TOUCH_ELLIPSE_H

enum {
    ELLIPSE_NORMALS = 3
};

/* Outward normals of the ellipse with semi-axes a >= b >= 0 whose lines pass through (x, y): first that at the nearest
 * point, from outside or inside, then those on the other side of the long axis, if there are. Returns how many. */
int ellipse_normals(double a, double b, double x, double y, double normal[ELLIPSE_NORMALS][2]);

#endif
