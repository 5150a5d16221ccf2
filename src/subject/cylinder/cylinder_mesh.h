/* The mesh of a disc: a rounded square of cells, and rings around it. */
#ifndef CAROM_SUBJECT_CYLINDER_CYLINDER_MESH_H
#define CAROM_SUBJECT_CYLINDER_CYLINDER_MESH_H

#include "carom/subject/cylinder.h"

int cylinder_cells(const carom_cylinder *cylinder);
void cylinder_nodes(const carom_cylinder *cylinder, double *x, double *y);
/* Corners of a cell, counter-clockwise. */
void cylinder_cell(const carom_cylinder *cylinder, int cell, int corner[4]);

#endif
