/* A file with a frictional contact problem, shown by `carom show`. */
#ifndef CAROM_APP_COMMAND_SHOW_CONTACT_FILE_H
#define CAROM_APP_COMMAND_SHOW_CONTACT_FILE_H

#include "carom/io.h"

carom_status show_contact_file(const char *path, bool as_json, carom_error *error);

#endif
