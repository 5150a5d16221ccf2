#ifndef CAROM_SHAPE_MAKE_SURFACE_TREE_H
#define CAROM_SHAPE_MAKE_SURFACE_TREE_H

#include "shape/surface.h"

/* Fills order and nodes of a surface whose points and pieces stand; false when memory is short. */
bool surface_tree(carom_arena *arena, surface *sheet);

#endif
