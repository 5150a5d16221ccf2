/* Where something stands in a JSON text: the parser keeps no lines of what it accepts. */
#ifndef CAROM_IO_JSON_JSON_PLACE_H
#define CAROM_IO_JSON_JSON_PLACE_H

#include <stddef.h>

/* Line (1, 2, ...) of the value of a key of the outermost object, or of value[row] or value[row][column] in
 * it (counted from 0; below 0: not asked). The text must be JSON; where there is no such thing, the line of
 * what was found last. */
long json_place_line(const char *text, size_t length, const char *key, long row, long column);

#endif
