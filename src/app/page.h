/* Report pages of the program (carom/io/page.h, carom/io/report.h): the command that repeats what they show. */
#ifndef CAROM_APP_PAGE_H
#define CAROM_APP_PAGE_H

#include "carom/io/page.h"
#include "command.h"

/* The words of the command, without --report and other options that write files, ending with NULL; argc and argv are the
 * command's own, whose words they are. The caller frees the list; NULL: memory is short. */
const char **page_command_words(const command *made_by, int argc, char **argv);
/* A page of a command, with its words; of the first kind about an experiment with its current parameters. */
carom_status page_begin(carom_page *self, const carom_experiment *experiment, const command *made_by,
                        int argc, char **argv, carom_error *error);
carom_status page_open_for(carom_page *self, const char *title, const command *made_by, int argc, char **argv,
                           carom_error *error);

#endif
