/* carom show study NAME. */
#ifndef CAROM_APP_COMMAND_SHOW_STUDY_H
#define CAROM_APP_COMMAND_SHOW_STUDY_H

#include "app/command.h"

/* Prints a study's inputs and outputs, or writes them (json not NULL). */
carom_status show_study(const char *name, carom_json *json, carom_error *error);

#endif
