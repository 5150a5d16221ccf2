/* An order of elimination for the graph of a symmetric pattern: separators last, what they separate before them, and so on in
 * the parts (nested dissection, George 1973). Of meshes it leaves far fewer blocks than minimum degrees do. */
#ifndef CAROM_LINALG_DISSECTION_H
#define CAROM_LINALG_DISSECTION_H

#include <stdbool.h>

/* Rows without the diagonal, every entry with its mirror image. order[i]: which row is eliminated as number i. False when
 * memory is short. */
bool carom_dissect(int rows, const int *start, const int *column, int *order);

#endif
