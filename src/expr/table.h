/* Inside of tables, for the files of this room. */
#ifndef CAROM_EXPR_TABLE_H
#define CAROM_EXPR_TABLE_H

#include "carom/expr.h"

/* Higher derivatives are zero. */
int table_degree(const carom_table *table);

/* Abscissas of the points, ascending. */
const double *table_points(const carom_table *table, int *count);

#endif
