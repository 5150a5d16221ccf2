/* The quadratic problem on the unit disk, to which disks and ellipses reduce. */
#ifndef CAROM_CONVEX_UNIT_DISK_H
#define CAROM_CONVEX_UNIT_DISK_H

/* Minimises 1/2 (l1 y1^2 + l2 y2^2) + c.y over |y| <= 1; l1, l2 >= 0. */
void unit_disk_minimise_diagonal(const double l[2], const double c[2], double y[2]);

/* Minimises 1/2 y^T W y + c.y over |y| <= 1; W = [w11 w12; w12 w22] positive semidefinite. */
void unit_disk_minimise(double w11, double w12, double w22, const double c[2], double y[2]);

/* On the unit circle, y with (A + s I) y = -c and s >= 0; A = [a0 a1; a2 a3] has a positive determinant and a
 * positive trace but need not be symmetric; |A^-1 c| >= 1. Where there are several such y, one of them. */
void unit_circle_rest(const double A[4], const double c[2], double y[2]);

#endif
