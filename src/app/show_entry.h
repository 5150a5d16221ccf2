/* carom show KIND NAME: statement, measure or law. */
#ifndef CAROM_APP_SHOW_ENTRY_H
#define CAROM_APP_SHOW_ENTRY_H

#include "command.h"

bool is_entry_kind(const char *kind);
/* BAD_INPUT: there is no such name; the error says which was probably meant. */
carom_status show_entry(const char *kind, const char *name, bool as_json, carom_error *error);

#endif
