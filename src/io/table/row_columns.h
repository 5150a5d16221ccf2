/* The columns of rows as tables show them, one after the other. */
#ifndef CAROM_IO_TABLE_ROW_COLUMNS_H
#define CAROM_IO_TABLE_ROW_COLUMNS_H

#include "carom/io.h"

/* A column whose name is made of three parts; false ends the visit. */
typedef bool row_column_visit(void *context, const char *before, const char *name, const char *after,
                              carom_table_column column);
void row_columns_visit(const carom_experiment *experiment, row_column_visit *visit, void *context);

/* Is it the name of a column that every table has? */
bool row_column_is_taken(const carom_model *model, const char *name);

#endif
